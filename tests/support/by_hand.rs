//! A user who answers by hand: reads prompts and writes replies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::binary::{Going, Place, Ran};
use super::fake::{Reply, Seen, WorkshopScript, on_page, workshop};

/// Gives the same answers as the fake server.
pub struct Hand {
    script: Box<dyn Fn(&Seen) -> Reply + Send + Sync>,
}

impl Hand {
    pub fn playing(script: WorkshopScript) -> Self {
        Self::with(workshop(script))
    }

    pub fn with(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self {
            script: Box::new(script),
        }
    }

    /// The reply to the page of a prompt.
    #[track_caller]
    pub fn reply(&self, page: &str) -> String {
        let (head, prompt) = page.split_once("-->").unwrap();
        let call = head.split('`').nth(1).unwrap();
        let attempt = call.rsplit_once("/a").unwrap().1.parse().unwrap();
        match (self.script)(&on_page(prompt, attempt)) {
            Reply::Text(text) => text,
            other => panic!("{call}: {other:?}"),
        }
    }

    /// Writes a reply to every waiting prompt of a draft; returns their numbers.
    #[track_caller]
    pub fn answers(&self, draft: &Path) -> Vec<u32> {
        let waiting = waiting(draft);
        for n in &waiting {
            let page = std::fs::read_to_string(prompt(draft, *n)).unwrap();
            std::fs::write(file(draft, *n, "reply"), self.reply(&page)).unwrap();
        }
        waiting
    }

    /// Starts with `line` and answers until the run has ended; returns the result and every prompt
    /// by its number.
    #[track_caller]
    pub fn holds(&self, place: &Place, line: &[&str], draft: &str) -> (Ran, BTreeMap<u32, String>) {
        let (draft, mut prompts) = (place.work().join(draft), BTreeMap::new());
        let mut ran = place.run(line);
        while ran.code == 8 {
            keep(&draft, &mut prompts);
            assert!(!self.answers(&draft).is_empty(), "{ran:#?}");
            ran = place.run(&["resume"]);
            assert!(prompts.len() < 200, "{ran:#?}");
        }
        (ran, prompts)
    }
}

/// Collects the prompts of a draft; a known one must be unchanged.
#[track_caller]
pub fn keep(draft: &Path, prompts: &mut BTreeMap<u32, String>) {
    for n in 1.. {
        let Ok(page) = std::fs::read_to_string(prompt(draft, n)) else {
            break;
        };
        assert_eq!(*prompts.entry(n).or_insert(page.clone()), page, "{n}");
    }
}

/// Numbers of the prompts without a reply.
pub fn waiting(draft: &Path) -> Vec<u32> {
    let there = |n: &u32| prompt(draft, *n).exists();
    let is_open = |n: &u32| {
        let kinds = ["reply", "taken"];
        !kinds.iter().any(|kind| file(draft, *n, kind).exists())
    };
    (1..).take_while(there).filter(is_open).collect()
}

pub fn prompt(draft: &Path, n: u32) -> PathBuf {
    file(draft, n, "prompt")
}

pub fn file(draft: &Path, n: u32, kind: &str) -> PathBuf {
    draft.join(format!("calls/{n:03}.{kind}.md"))
}

/// Runs `aitc reply` with this text on standard input.
pub fn hand_in(place: &Place, arguments: &[&str], text: &str) -> Ran {
    let line = [&["reply"], arguments].concat();
    let lines: Vec<&str> = text.lines().collect();
    Going::fed(place.command(&line), &lines).end()
}
