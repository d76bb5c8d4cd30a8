//! Resources that a client may read: versions, reports, transcripts.

use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde::Serialize;

use crate::cli::show::{self, ShowPart};
use crate::cli::status::AllRuns;
use crate::cli::{Context, Fault, internal, versions};
use crate::machine::Version;

const SCHEME: &str = "aitc://";
const VERSIONS: &str = "aitc://versions";
/// Parts of a version: name after the id, type, and part.
const PARTS: [(&str, &str, ShowPart); 2] = [
    ("report", "text/markdown", ShowPart::Report),
    ("transcript", "application/jsonl", ShowPart::Transcript),
];

/// Returns all resources: the list, then report and transcript of each version, and the transcript
/// of each draft.
///
/// # Errors
/// The folder cannot be listed.
pub fn all(context: &Context) -> Result<Vec<Resource>, Fault> {
    let mut all = vec![Resource::new(VERSIONS, "versions").with_mime_type("application/json")];
    for found in versions::recorded(versions::find_all(context)?, context)? {
        let parts = PARTS
            .iter()
            .filter(|(_, _, part)| !found.draft || *part == ShowPart::Transcript);
        all.extend(parts.map(|(name, kind, _)| {
            let run = found.version;
            Resource::new(format!("{SCHEME}{run}/{name}"), format!("{run} {name}"))
                .with_mime_type(*kind)
        }));
    }
    Ok(all)
}

/// Returns their patterns.
pub fn templates() -> Vec<ResourceTemplate> {
    let of = |(name, kind, _): &(&str, &str, ShowPart)| {
        ResourceTemplate::new(format!("{SCHEME}{{+id}}/{name}"), *name).with_mime_type(*kind)
    };
    PARTS.iter().map(of).collect()
}

/// Returns the content of an address; `None` if the address is invalid.
///
/// # Errors
/// There is no such version, or it cannot be read.
pub fn read(address: &str, context: &Context) -> Result<Option<ResourceContents>, Fault> {
    if address == VERSIONS {
        let text = json(&AllRuns::of(context)?.lines)?;
        return Ok(Some(contents(text, address, "application/json")));
    }
    let path = address.strip_prefix(SCHEME);
    let Some((id, name)) = path.and_then(|path| path.rsplit_once('/')) else {
        return Ok(None);
    };
    let part = PARTS.iter().find(|(known, _, _)| *known == name);
    let (Some((_, kind, part)), Ok(version)) = (part, id.parse::<Version>()) else {
        return Ok(None);
    };
    let opened = versions::open(Some(version), context)?;
    let text = show::file(&opened, *part)?;
    Ok(Some(contents(text, address, kind)))
}

fn contents(text: String, address: &str, kind: &str) -> ResourceContents {
    ResourceContents::text(text, address).with_mime_type(kind)
}

fn json(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| internal(&error.into()))
}
