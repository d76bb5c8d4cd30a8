//! The command line: help, usage, configuration, errors, and the sources of texts.

use crate::support::binary::Place;

mod chinese;
mod errors;
mod interventions;

/// Names of the commands listed on a help page.
fn listed(help: &str) -> Vec<String> {
    let list = ["\nCommands:\n", "\n命令:\n"].iter();
    let Some((_, list)) = list.filter_map(|head| help.split_once(head)).next() else {
        return Vec::new();
    };
    let entries = list.lines().take_while(|line| !line.is_empty());
    let entries = entries.filter_map(|line| line.strip_prefix("  "));
    let names = entries.filter(|line| !line.starts_with(' '));
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn help_of_every_command() {
    let place = Place::new();
    let mut all = String::new();
    let mut topics = listed(&place.run(&["help", "all"]).out);
    assert!(topics.len() > 25, "{topics:?}");
    topics.reverse();
    while let Some(topic) = topics.pop() {
        let words = std::iter::once("help").chain(topic.split(' '));
        let page = place.run(&words.collect::<Vec<_>>()).ends(0).out;
        let own = page.split("\nGlobal options:").next().unwrap();
        all.push_str(&format!("===== {topic}\n{own}\n"));
        let below = listed(&page).into_iter().rev();
        topics.extend(below.map(|name| format!("{topic} {name}")));
    }
    insta::assert_snapshot!(all);
}
