//! Errors of files, transcripts and versions on disk.

use super::rows;

rows! {
    FULL "E-storage-full" Storage;
    READ_ONLY "E-storage-read-only" Storage;
    PERMISSION "E-storage-permission" Storage;
    MISSING "E-storage-missing" Storage;
    OTHER "E-storage" Storage;
    WORKSPACE_FILE "E-workspace-file" Storage;
    TRANSCRIPT_DAMAGED "E-transcript-damaged" Damaged;
    TRANSCRIPT_LATER "E-transcript-later" Damaged;
    TRANSCRIPT_EARLIER "E-transcript-earlier" Damaged;
    TRANSCRIPT_REFUSED "E-transcript-refused" Damaged;
    TRANSCRIPT_MISSING "E-transcript-missing" Damaged;
    TRANSCRIPT_EMPTY "E-transcript-empty" Damaged;
    TRANSCRIPT_EXISTS "E-transcript-exists" Held;
    TRANSCRIPT_FOREIGN "E-transcript-foreign" Held;
    TRANSCRIPT_CLOSED "E-transcript-closed" Storage;
    TRANSCRIPT_OTHER_END "E-transcript-other-end" Damaged;
    VERSION_EXISTS "E-version-exists" Held;
    DRAFT_MISSING "E-draft-missing" Usage;
    PATH_UNFIT "E-path-unfit" Storage;
}
