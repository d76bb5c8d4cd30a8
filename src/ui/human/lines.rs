//! Lines of standard input, read while no run reads the keyboard. Nothing beyond a line of a terminal
//! is read, so that a screen drawn afterwards gets all further keys.

use std::io::{self, BufRead, ErrorKind, Read};

use crate::edge::doors::Kind;
use crate::ui::screen;

/// Maximum length of a line in bytes: that of a requirement.
const LONGEST: u64 = Kind::Words.most() as u64;

/// Waits for the next typed line and returns it without its line break. `None` if the input has
/// ended or `is_over` returns true.
///
/// # Errors
/// The system's error; a line that is not valid UTF-8.
pub fn typed_line(is_over: &dyn Fn() -> bool) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    while !is_over() {
        match screen::typed() {
            None => return Ok(None),
            Some(more) => bytes.extend(more),
        }
        if bytes.ends_with(b"\n") {
            let line = String::from_utf8(bytes).map_err(io::Error::other)?;
            return Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()));
        }
    }
    Ok(None)
}

/// Waits for the next line and returns it without its line break. `None` if the input has ended.
///
/// # Errors
/// The system's error. For a line that is not valid UTF-8 it is `InvalidData`, for one that is too
/// long `FileTooLarge`; the lines after it can be read.
pub fn read_line() -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock();
    stdin
        .by_ref()
        .take(LONGEST + 1)
        .read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        if !bytes.ends_with(b"\n") {
            stdin.skip_until(b'\n')?;
        }
        let why = format!("a line has more than {} KiB", LONGEST / 1024);
        return Err(io::Error::new(ErrorKind::FileTooLarge, why));
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    let line =
        String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}
