//! One line of the journal: an entry's JSON with the hash as its last member.

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::error::Damage;
use crate::machine::{Entry, TRANSCRIPT_FORMAT};

/// Maximum length of a line in bytes, without newline; a longer line is damage.
///
/// The first line, with all roles and templates, has some 200 KiB.
pub const MAX_LINE: usize = 64 << 20;

const OPEN: &[u8] = b",\"h\":\"";
const CLOSE: &[u8] = b"\"}";
const HEX: usize = 64;

/// Appends `entry` as a line to `out` and returns its hash.
///
/// # Errors
/// In words, if the entry has no JSON form or is longer than [`MAX_LINE`]; `out` is unchanged then.
pub(super) fn encode(previous: &str, entry: &Entry, out: &mut Vec<u8>) -> Result<String, String> {
    let mut body = serde_json::to_vec(entry).map_err(|error| error.to_string())?;
    if body.len() + OPEN.len() + HEX + CLOSE.len() > MAX_LINE {
        return Err(format!("it is longer than {} MiB", MAX_LINE >> 20));
    }
    let hash = hash(previous, &body);
    body.pop();
    for part in [body.as_slice(), OPEN, hash.as_bytes(), CLOSE, b"\n"] {
        out.extend_from_slice(part);
    }
    Ok(hash)
}

/// Removes the hash from a line (without newline), verifies it and returns it; `line` is then the
/// JSON without the hash.
///
/// Bytes are compared without decoding: any other spelling of the same JSON is damage.
pub(super) fn unseal(previous: &str, line: &mut Vec<u8>) -> Result<String, Damage> {
    let found = sealed_hash(line).ok_or(Damage::NoHash)?.to_vec();
    line.truncate(line.len() - OPEN.len() - HEX - CLOSE.len());
    line.push(b'}');
    let expected = hash(previous, line);
    if expected.as_bytes() == found {
        Ok(expected)
    } else {
        Err(Damage::HashMismatch)
    }
}

fn sealed_hash(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_suffix(CLOSE)?;
    let (rest, hash) = line.split_at_checked(line.len().checked_sub(HEX)?)?;
    rest.ends_with(OPEN).then_some(hash)
}

/// Parses the JSON of line number `due`.
pub(super) fn decode(due: u64, body: &[u8]) -> Result<Entry, Damage> {
    #[derive(Deserialize)]
    struct Head {
        v: u32,
        inputs: Option<Early>,
    }
    /// What only builds from before the first release wrote.
    #[derive(Deserialize)]
    struct Early {
        edition: Option<u32>,
    }
    let entry = serde_json::from_slice::<Entry>(body);
    // An entry of another program version may not parse, so its format is read apart.
    let v = match &entry {
        Ok(entry) if due > 1 => Some(entry.v),
        _ => serde_json::from_slice::<Head>(body).ok().map(|head| {
            let is_early = head.inputs.is_some_and(|inputs| inputs.edition.is_some());
            if is_early { 0 } else { head.v }
        }),
    };
    match (entry, v) {
        (_, Some(v)) if v != TRANSCRIPT_FORMAT => Err(Damage::OtherFormat(v)),
        (Err(error), _) => Err(Damage::BadJson(error.to_string())),
        (Ok(entry), _) if entry.seq != due => Err(Damage::SeqGap {
            expected: due,
            found: entry.seq,
        }),
        (Ok(entry), _) => Ok(entry),
    }
}

/// SHA-256 over the previous hash as hexadecimal text and the line's JSON without its own.
fn hash(previous: &str, body: &[u8]) -> String {
    hex(&Sha256::new()
        .chain_update(previous.as_bytes())
        .chain_update(body)
        .finalize())
}

/// Lower-case hexadecimal text. Every line of a transcript is hashed; creating a string for each
/// byte would take a third of the time of reading one.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or('0');
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)])
        .collect()
}
