//! Names of the files and folders of a workspace and its versions.

/// Folder of a workspace that belongs to `aitc`.
pub const HOME: &str = ".ai-tools-chain";
/// Name of the manifest in a version folder.
pub const MANIFEST: &str = "manifest.json";
/// Name of the journal in a draft or version folder.
pub const TRANSCRIPT: &str = "planning_transcript.jsonl";
/// Folder of the messages in a draft.
pub const INBOX: &str = "inbox";
/// Folder in a draft of the calls answered by hand.
pub const CALLS: &str = "calls";
/// Suffix of the folder beside a version with its comments and approvals.
pub const REVIEW: &str = ".review";
/// Prefix of the names of saved torn tails; the number of the torn line follows.
pub(super) const TORN: &str = "planning_transcript.torn-";
/// Prefix of the names of saved damaged journals; the number of the bad line follows.
pub(super) const DAMAGED: &str = "planning_transcript.damaged-";

/// Whether this is the name of a saved part of a transcript.
pub fn is_kept(name: &str) -> bool {
    name.starts_with(TORN) || name.starts_with(DAMAGED)
}
