//! Simulated search results, without files.

use workshop::machine::{
    ClaimResult, Event, Excerpt, Inquiry, LookResult, SourceLines, State, Survey, TopicSearch,
    inquiry,
};
use workshop::reply::{Evidence, Look, LookKind};

/// A repository of three files, none of which matches.
pub fn survey() -> Survey {
    Survey {
        files: 3,
        ..Survey::default()
    }
}

/// The results of looks: for each one place, the line it names.
pub fn looked(_: &State, looks: &[Look]) -> Vec<LookResult> {
    let seen = looks.iter().map(|look| {
        let line = look.from.unwrap_or(1);
        LookResult {
            found: vec![Excerpt {
                path: look.what.clone(),
                from: line,
                to: line,
                text: format!("line {line} of {}", look.what),
            }],
            ..LookResult::of(look.clone())
        }
    });
    seen.collect()
}

/// The result of verifying claims: those about `gone.rs` fail, in revisions also those about
/// `old.rs`; all others are found at line 7.
pub fn verified(state: &State, claims: &[Evidence]) -> Vec<ClaimResult> {
    let held = claims.iter().map(|claim| match claim.path.as_deref() {
        Some("old.rs") if state.inputs.version > 1 => {
            Err("`old.rs`: there is no such file".to_owned())
        }
        Some("gone.rs") | None => Err("`gone.rs`: there is no such file".to_owned()),
        Some(path) => Ok(SourceLines {
            path: path.to_owned(),
            from: 7,
            to: 7,
            digest: "0".repeat(64),
        }),
    });
    held.collect()
}

/// A claim about a file.
pub fn claiming(claim: &str, path: &str) -> Evidence {
    Evidence {
        claim: claim.to_owned(),
        path: Some(path.to_owned()),
        from: Some(7),
        to: Some(7),
        quote: "fn seven()".to_owned(),
        run: None,
    }
}

/// A look that reads one line of a file.
pub fn reading(path: &str, line: u32) -> Look {
    Look {
        from: Some(line),
        to: Some(line),
        ..Look::new(LookKind::Read, path)
    }
}

/// The single place that is found for a topic.
pub fn found_for(raised: &Inquiry<'_>) -> TopicSearch {
    TopicSearch {
        id: raised.id,
        terms: vec!["migration".to_owned()],
        finds: vec![Excerpt {
            path: "docs/limits.md".to_owned(),
            from: 3,
            to: 4,
            text: "There is no migration.\nThere never was.".to_owned(),
        }],
    }
}

/// The next inquiry, as a driver records it.
pub fn next_inquiry(state: &State) -> Event {
    Event::Inquiry {
        files: 3,
        looked: inquiry::next(state).iter().map(found_for).collect(),
    }
}
