//! Stances refer to texts: whatever is said, only what the rule allows joins the draft. The rule
//! itself is played in `tests/played/texts.md`.

use std::collections::BTreeSet;

use workshop::machine::{IssueId, IssueRecord, IssueText, TextId};
use workshop::reply::Stance;

use crate::dice::Dice;
use crate::support::meeting::Meeting;
use crate::support::played::play;

/// A meeting on I-1: the positions of each round, one per line, and the texts that the coach cites
/// at the end, with a reason if there are several.
fn held(rounds: &[&str], cites: &[&str]) -> Meeting {
    let last = rounds.len();
    let mut script = format!("quiet\nset limits.debates.max = 0\nset limits.max_rounds = {last}\n");
    for (n, round) in (1..).zip(rounds) {
        for (code, words) in round.lines().filter_map(|line| line.split_once(' ')) {
            script += &format!("{code} r{n}: I-1 {words}\n");
        }
    }
    let why = if cites.len() > 1 {
        " because of both"
    } else {
        ""
    };
    let fates = cites
        .iter()
        .map(|cited| format!("I-1 settled {cited}{why}"));
    let fates: Vec<String> = fates.collect();
    script += &format!("summary r{last}: {}", fates.join("; "));
    play(script.lines())
}

const CODES: [&str; 5] = ["PP", "SD", "Dev", "TP", "RP"];

/// Random positions of all members in a round.
fn anything(dice: &mut Dice) -> String {
    let spoken = CODES.map(|code| (code, dice.roll(5)));
    let lines = spoken.iter().filter(|(_, rolled)| *rolled < 3);
    let lines = lines.map(|(code, rolled)| {
        let stance = dice.pick(&["agree", "agree", "agree", "refine", "object", "abstain"]);
        let mut line = format!("{code} {stance}");
        if stance == "refine" || *rolled == 0 {
            line.push_str(dice.pick(&[" =x", " =x", " =y", " =z"]));
        }
        for (mark, is_said) in [('<', dice.one_in(2)), ('>', stance == "object")] {
            if is_said && dice.one_in(2) {
                line.push_str(&format!(" {mark}{}", dice.pick(&CODES)));
            }
        }
        line
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A text and all texts it is derived from.
fn made_of(issue: &IssueRecord, text: &IssueText) -> BTreeSet<TextId> {
    let above = text.from.iter().filter_map(|id| issue.text(*id));
    let above = above.flat_map(|one| made_of(issue, one));
    above.chain([text.id]).collect()
}

/// The agreed texts are checked against the record independently: none has a remaining objection,
/// no rival text joins unless the coach cites both, and a member that changed its mind counts once.
#[test]
fn whatever_is_said_only_what_the_rule_lets_in_is_agreed() {
    let mut joined = 0;
    for seed in 0..140 {
        let dice = &mut Dice::of(seed);
        let rounds: Vec<String> = (0..1 + seed % 3).map(|_| anything(dice)).collect();
        let rounds: Vec<&str> = rounds.iter().map(String::as_str).collect();
        let cites = [(); 2].map(|()| dice.pick(&CODES));
        let cites = &cites[..1 + seed as usize % 2];
        let meeting = held(&rounds, cites);
        let issue = meeting.issue(1);
        let items = meeting.state.draft.standing();
        let items: Vec<_> = items.filter(|item| item.issue == IssueId(1)).collect();
        let told = format!("{seed}: {rounds:#?} {cites:?}");
        let latest = |code: &str| {
            let member = meeting.state.inputs.roles.members.iter();
            let member = member.filter(|role| role.code == code).map(|role| &role.id);
            let member = member.clone().next().unwrap();
            issue.positions.iter().filter(move |p| p.member == *member)
        };
        let backs = |code| {
            let mut taken = latest(code).filter(|p| p.stance != Stance::Abstain);
            taken.next_back().and_then(|p| p.backs)
        };
        for item in &items {
            joined += 1;
            let text = issue.texts.iter().find(|one| one.text == item.text);
            let text = text.unwrap();
            let from = made_of(issue, text);
            for objection in CODES.iter().filter_map(|code| latest(code).next_back()) {
                let is_own = text.is_by(&objection.member);
                let is_free = match objection.against {
                    _ if objection.stance != Stance::Object => true,
                    None => is_own,
                    Some(id) if id == text.id => is_own && objection.backs == Some(id),
                    Some(id) => is_own || !from.contains(&id),
                };
                assert!(is_free, "against an objection, {told}");
            }
            let backing: Vec<&str> = CODES
                .into_iter()
                .filter(|code| backs(code) == Some(text.id))
                .collect();
            let supporters = item.supporters.iter();
            let supporters: BTreeSet<&str> = supporters
                .map(|s| meeting.state.inputs.roles.code(&s.member))
                .collect();
            assert_eq!(supporters.len(), item.supporters.len(), "twice, {told}");
            assert_eq!(supporters, backing.into_iter().collect(), "{told}");
            let is_alone = issue
                .positions
                .iter()
                .all(|p| p.member == *text.author() || p.stance == Stance::Abstain);
            let is_seconded = supporters.len() > 1 || !text.is_by(&item.supporters[0].member);
            assert!(is_seconded || is_alone, "alone with it, {told}");
            let others = issue.texts.iter().filter(|other| {
                let is_agreed = items.iter().any(|item| item.text == other.text);
                let is_backed = CODES.iter().any(|code| backs(code) == Some(other.id));
                other.id != text.id
                    && if cites.len() == 1 {
                        is_backed
                    } else {
                        is_agreed
                    }
            });
            for other in others {
                let is_rival = made_of(issue, other).is_disjoint(&from);
                assert_eq!(is_rival, cites.len() == 2, "beside {}, {told}", other.text);
            }
        }
    }
    assert!(joined > 23, "{joined}");
}
