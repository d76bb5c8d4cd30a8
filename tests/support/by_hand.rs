//! A user who answers by hand: reads prompts and writes replies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
