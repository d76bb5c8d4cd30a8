//! Stances refer to texts: which texts join the draft, tested with tables of speeches.

use std::collections::BTreeSet;

use aitc::machine::{
    DebatePart, FirstRound, Inputs, IssueId, IssueRecord, IssueText, Lang, Purpose, Rule, TextId,
};
use aitc::reply::*;

use super::super::coach::rules;
use super::{Taken, into, play};
use crate::support::meeting::*;

/// Parses a member's position on I-1: `SD object =as XLSX >PP`. The proposed text follows `=`, the
/// text it backs or is derived from follows `<`, the text it objects to follows `>`. A final ` -`
/// means that a change of mind has no reason.
fn said(line: &str) -> (&str, Position) {
    let (code, rest) = line.split_once(' ').unwrap();
    let (rest, reason) = match rest.strip_suffix(" -") {
        Some(rest) => (rest, None),
        None => (rest, Some("a better argument".to_owned())),
    };
    let mut parts = rest.split_inclusive([' ', '=', '<', '>']);
    let stance = match parts.next().unwrap().trim() {
        "agree" => Stance::Agree,
        "refine" => Stance::Refine,
        "object" => Stance::Object,
        "abstain" => Stance::Abstain,
        other => panic!("no stance `{other}`"),
    };
    let after = |mark: char| {
        let from = rest.find(mark)? + 1;
        let to = rest[from..].find(['=', '<', '>']);
        Some(
            rest[from..to.map_or(rest.len(), |to| from + to)]
                .trim()
                .to_owned(),
        )
    };
    let position = Position {
        proposal: after('='),
        backs: after('<'),
        against: after('>'),
        changed_because: reason,
        ..position("I-1", stance, None)
    };
    (code, position)
}

/// A case on I-1: the speeches of each round, one per line, and the texts that the coach cites at
/// the end of the last round. If it cites several, each has a reason unless it ends with ` -`.
struct Case {
    name: &'static str,
    rounds: &'static [&'static str],
    cites: &'static [&'static str],
    /// The agreed text with its supporters, as `text: PP, SD`, or the rule that refuses it.
    comes: Result<&'static str, Rule>,
}

fn held(rounds: &[&str], cites: &[&str], change: impl FnOnce(&mut Inputs)) -> Meeting {
    let mut inputs = inputs();
    inputs.limits.max_rounds = rounds.len() as u32;
    inputs.limits.debates.max = 0;
    change(&mut inputs);
    let mut meeting = Meeting::open("things", inputs);
    let mut basics = agreeable(1);
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: ["a", "b", "c"]
                .map(|key| new_issue(key, &format!("need {key}"), Severity::Blocking))
                .to_vec(),
            ..contribution("Three needs.")
        }),
        Purpose::Speech => {
            let code = state.inputs.roles.code(&call.member);
            let lines = rounds[call.round as usize - 1].lines();
            let lines = lines.map(|line| said(line.trim()));
            let own = lines.filter(|(who, _)| *who == code);
            text(&Contribution {
                positions: own.map(|(_, position)| position).collect(),
                ..contribution("Mine.")
            })
        }
        Purpose::Summary => {
            let is_last = call.round as usize == rounds.len();
            let fates = cites.iter().filter(|_| is_last).map(|cited| {
                let mut fate = settled("I-1", cited.trim_end_matches(" -"));
                let says_why = cites.len() > 1 && !cited.ends_with(" -");
                fate.reason = says_why.then(|| "One says what, one when.".to_owned());
                fate
            });
            let mut said = coach(fates.collect());
            let divided = divergence("I-1", "Whose text?", &["PP", "SD"]);
            said.coach.as_mut().unwrap().divergence = Some(divided);
            text(&said)
        }
        Purpose::Debate(DebatePart::Ruling) => text(&ruling(Decision::Adopt, "x")),
        Purpose::Debate(_) => text(&contribution("As I said.")),
        _ => basics(state, call),
    });
    meeting
}

/// The agreed texts with their supporters, as `text: PP, SD`, one per line.
fn agreed(meeting: &Meeting) -> String {
    let state = &meeting.state;
    let items = state.draft.standing().map(|item| {
        let backers = item.supporters.iter();
        let mut codes: Vec<&str> = backers
            .map(|s| state.inputs.roles.code(&s.member))
            .collect();
        codes.sort_unstable();
        format!("{}: {}", item.text, codes.join(", "))
    });
    items.collect::<Vec<_>>().join("\n")
}

const CASES: &[Case] = &[
    Case {
        name: "who objected with a text and then agreed to the other's leaves its own",
        rounds: &["PP refine =x\nSD object =y >PP", "SD agree <PP"],
        cites: &["PP"],
        comes: Ok("x: PP, SD"),
    },
    Case {
        name: "nobody backs the text that its author left",
        rounds: &["PP refine =x\nSD object =y >PP", "SD agree <PP"],
        cites: &["SD"],
        comes: Err(Rule::NoSupport),
    },
    Case {
        name: "rewording an objected text washes no objection away",
        rounds: &["PP refine =x\nSD object >PP\nDev refine =x2 <PP\nTP agree <Dev"],
        cites: &["Dev"],
        comes: Err(Rule::ObjectionStands),
    },
    Case {
        name: "nor does silence of who objected",
        rounds: &[
            "PP refine =x\nSD object >PP\nDev refine =x2 <PP\nTP agree <Dev",
            "",
        ],
        cites: &["Dev"],
        comes: Err(Rule::ObjectionStands),
    },
    Case {
        name: "who objected answers the rewording",
        rounds: &[
            "PP refine =x\nSD object >PP\nDev refine =x2 <PP\nTP agree <Dev",
            "SD agree <Dev",
        ],
        cites: &["Dev"],
        comes: Ok("x2: Dev, SD, TP"),
    },
    Case {
        name: "an objection to one text leaves another free, once its owner has heard it",
        rounds: &[
            "PP refine =x\nSD object >PP\nDev object =y >PP",
            "PP agree <Dev",
        ],
        cites: &["Dev"],
        comes: Ok("y: Dev, PP"),
    },
    Case {
        name: "who objected has to have had a turn since the text was there",
        rounds: &[
            "PP refine =x\nSD object >PP",
            "TP object =y >PP\nRP agree <TP",
        ],
        cites: &["TP"],
        comes: Err(Rule::Unheard),
    },
    Case {
        name: "equal words are one text of both",
        rounds: &["PP refine =as  CSV\nSD refine =as CSV"],
        cites: &["SD"],
        comes: Ok("as  CSV: PP, SD"),
    },
    Case {
        name: "who wrote the same words is alone when the other leaves",
        rounds: &[
            "PP refine =x\nSD refine =x\nDev object =y",
            "PP agree <Dev\nDev abstain",
        ],
        cites: &["SD"],
        comes: Err(Rule::NoSupport),
    },
    Case {
        name: "even if nobody but the two wrote anything",
        rounds: &["PP refine =x\nSD refine =x", "PP refine =y"],
        cites: &["SD"],
        comes: Err(Rule::NoSupport),
    },
    Case {
        name: "an author alone suffices where everybody else abstains or is silent",
        rounds: &["PP refine =x\nSD abstain\nTP abstain"],
        cites: &["PP"],
        comes: Ok("x: PP"),
    },
    Case {
        name: "an author alone does not where somebody has had no turn since",
        rounds: &["SD refine =x"],
        cites: &["SD"],
        comes: Err(Rule::NoSupport),
    },
    Case {
        name: "nor where somebody else takes a position",
        rounds: &["PP refine =x\nSD agree", "PP refine =x2 <PP"],
        cites: &["PP"],
        comes: Err(Rule::NoSupport),
    },
    Case {
        name: "the last speaker's text is unheard",
        rounds: &["PP refine =x\nSD object >PP\nRP object =y >PP"],
        cites: &["RP"],
        comes: Err(Rule::Unheard),
    },
    Case {
        name: "an objection before there is a text is to all that come",
        rounds: &["PP object\nSD refine =x\nDev agree", ""],
        cites: &["SD"],
        comes: Err(Rule::ObjectionStands),
    },
    Case {
        name: "until its owner takes another stance",
        rounds: &["PP object\nSD refine =x\nDev agree", "PP abstain"],
        cites: &["SD"],
        comes: Ok("x: Dev, SD"),
    },
    Case {
        name: "an objection to everything spares one's own text",
        rounds: &["PP refine =x\nSD object =y\nDev agree <SD", "PP agree <SD"],
        cites: &["SD"],
        comes: Ok("y: Dev, PP, SD"),
    },
    Case {
        name: "agreement to a text and then to its refinement counts once, for the latter",
        rounds: &[
            "PP refine =x\nSD agree\nDev refine =x2 <PP",
            "SD agree <Dev",
        ],
        cites: &["Dev"],
        comes: Ok("x2: Dev, SD"),
    },
    Case {
        name: "a text is replaced by a refinement of its author's",
        rounds: &["PP refine =x\nSD agree", "PP refine =x2 <PP"],
        cites: &["X-1"],
        comes: Err(Rule::NoSupport),
    },
    Case {
        name: "a bare agreement counts for none of two chains",
        rounds: &["PP refine =x\nSD object =y >PP\nDev agree"],
        cites: &["SD"],
        comes: Err(Rule::NoSupport),
    },
    Case {
        name: "two backed texts of different chains are rivals",
        rounds: &[
            "PP refine =x\nSD object =y >PP\nDev agree <PP\nTP agree <SD",
            "SD abstain\nPP agree <PP",
        ],
        cites: &["PP"],
        comes: Err(Rule::Rival),
    },
    Case {
        name: "unless the coach says how they complement each other",
        rounds: &[
            "PP refine =x\nSD object =y >PP\nDev agree <PP\nTP agree <SD",
            "SD abstain",
        ],
        cites: &["PP", "SD"],
        comes: Ok("x: Dev, PP\ny: SD, TP"),
    },
    Case {
        name: "a text and one made from it are not both agreed",
        rounds: &["PP refine =x\nSD agree\nDev refine =x2 <PP\nTP agree <Dev"],
        cites: &["PP", "Dev"],
        comes: Ok("x: PP, SD"),
    },
    Case {
        name: "an author may object to its own text",
        rounds: &["PP refine =x\nTP agree", "PP object >PP"],
        cites: &["PP"],
        comes: Err(Rule::ObjectionStands),
    },
    Case {
        name: "and need not name it where there is no other",
        rounds: &["PP refine =x\nTP agree", "PP object"],
        cites: &["PP"],
        comes: Err(Rule::ObjectionStands),
    },
    Case {
        name: "so may who wrote the same words, and its better text is spared",
        rounds: &[
            "PP refine =x\nSD refine =x",
            "SD object =x2 >PP <PP\nTP agree <PP",
        ],
        cites: &["PP"],
        comes: Err(Rule::ObjectionStands),
    },
    Case {
        name: "and that text joins",
        rounds: &[
            "PP refine =x\nSD refine =x",
            "SD object =x2 >PP <PP\nTP agree <SD",
        ],
        cites: &["SD"],
        comes: Ok("x2: SD, TP"),
    },
    Case {
        name: "who is against a text does not back it, whatever it names or says again",
        rounds: &["PP refine =x\nSD object =x >PP\nDev object <PP >PP"],
        cites: &["PP"],
        comes: Err(Rule::ObjectionStands),
    },
    Case {
        name: "an abstention with a text puts it on the table",
        rounds: &["PP abstain =x\nSD agree"],
        cites: &["PP"],
        comes: Ok("x: SD"),
    },
    Case {
        name: "an objection is not dropped by abstaining without a word",
        rounds: &["PP agree =x\nRP object", "RP abstain -"],
        cites: &["PP"],
        comes: Err(Rule::ObjectionStands),
    },
    Case {
        name: "who objected and then abstained is no supporter",
        rounds: &[
            "PP agree =x\nSD agree\nRP object",
            "SD abstain -\nRP abstain",
        ],
        cites: &["PP"],
        comes: Ok("x: PP, SD"),
    },
    Case {
        name: "support that was turned into an objection supports no more",
        rounds: &["PP agree =x", "PP object", "PP abstain"],
        cites: &["PP"],
        comes: Err(Rule::NoSupport),
    },
    Case {
        name: "an abstention in between hides no turn",
        rounds: &[
            "RP agree =x\nPP agree",
            "RP abstain -",
            "RP object -\nPP agree",
        ],
        cites: &["RP"],
        comes: Ok("x: PP, RP"),
    },
    Case {
        name: "two texts are not both agreed without a reason of the coach",
        rounds: &[
            "PP refine =x\nSD object =y >PP\nDev agree <PP\nTP agree <SD",
            "SD abstain",
        ],
        cites: &["PP -", "SD -"],
        comes: Err(Rule::Rival),
    },
];

#[test]
fn a_text_joins_by_the_rule_and_not_otherwise() {
    let all = CASES.iter().flat_map(|case| [(case, false), (case, true)]);
    // Small work has at most two rounds.
    for (case, light) in all.filter(|(case, light)| !light || case.rounds.len() < 3) {
        let meeting = held(case.rounds, case.cites, |inputs| inputs.light = light);
        match case.comes {
            Ok(expected) => assert_eq!(agreed(&meeting), expected, "{}", case.name),
            Err(rule) => {
                assert_eq!(agreed(&meeting), "", "{}", case.name);
                let told = rules(&meeting).into_iter().map(|(rule, _)| rule);
                let told: BTreeSet<_> = told.filter(|rule| *rule != Rule::Forgotten).collect();
                assert_eq!(told, BTreeSet::from([rule]), "{}", case.name);
            }
        }
    }
}

/// In a blind round members do not see each other's texts, so agreement takes another round.
#[test]
fn side_by_side_nobody_backs_what_it_has_not_heard() {
    let blind = |inputs: &mut Inputs| inputs.first_round = FirstRound::Blind;
    let round = "PP refine =x\nSD agree\nDev agree";
    assert_eq!(agreed(&held(&[round], &["PP"], blind)), "");
    let meeting = held(&[round, "SD agree"], &["PP"], blind);
    assert_eq!(agreed(&meeting), "x: PP, SD");
}

/// After a ruling only new stances count, except that an objection to the adopted text remains.
#[test]
fn a_ruling_that_adopts_a_text_lifts_no_objection_to_it() {
    let quarrel = "PP refine =x\nSD object =y >PP\nTP agree <PP";
    for (after, expected) in [
        ("", ""),
        ("Dev agree", ""),
        ("SD agree\nDev agree <D-1", "x: Dev, SD"),
    ] {
        let debates = |inputs: &mut Inputs| inputs.limits.debates.max = 1;
        let meeting = held(&[quarrel, after], &["D-1"], debates);
        assert_eq!(meeting.state.debates.held.len(), 1);
        assert_eq!(agreed(&meeting), expected, "{after}");
    }
}

/// An ambiguous stance is sent back once; if it stays ambiguous, it counts for no text, with a
/// note.
#[test]
fn what_names_none_of_several_texts_is_asked_again_once() {
    for (line, expected) in [
        ("Dev agree", "there are several texts (`I-1`: `X-1`, `X-2`)"),
        ("Dev agree <X-9", "no such text was proposed (`I-1`: `X-9`)"),
        ("Dev object >TP", "no such text was proposed (`I-1`: `TP`)"),
    ] {
        let round = format!("PP refine =x\nSD object =y >PP\n{line}");
        let meeting = held(&[&round], &[], |_| {});
        let rejected = meeting.rejections();
        assert_eq!(rejected.len(), 1, "{line}: {rejected:?}");
        assert!(rejected[0].starts_with(expected), "{line}: {rejected:?}");
        let issue = meeting.issue(1);
        let latest = issue.latest_of(&"SeniorDeveloper".into()).unwrap();
        assert_eq!(latest.backs, None, "{line}");
    }
}

#[test]
fn telling_one_issue_anew_takes_no_objection_back() {
    let table: [Taken<'_>; 3] = [
        ("PP", 1, "I-1", Stance::Agree, Some("do it"), false),
        ("RP", 1, "I-1", Stance::Object, None, false),
        ("PP", 2, "I-4", Stance::Agree, Some("do it"), false),
    ];
    let anew = || Contribution {
        new_issues: vec![new_issue("x", "the same once more", Severity::Blocking)],
        ..coach(vec![into("I-1", FateKind::Refined, "x")])
    };
    let meeting = play(&table, &[anew(), coach(vec![settled("I-4", "PP")])]);
    assert_eq!(agreed(&meeting), "");
    let objectors = meeting.issue(4).objectors();
    assert_eq!(objectors, [&"RiskPlanner".into()]);

    // An issue merged into it in the same summary is included.
    let merged = Contribution {
        coach: coach(vec![
            into("I-1", FateKind::Merged, "I-2"),
            into("I-2", FateKind::Refined, "x"),
        ])
        .coach,
        ..anew()
    };
    let meeting = play(&table, &[merged, coach(vec![settled("I-4", "PP")])]);
    assert_eq!(agreed(&meeting), "");
}

/// A member that objects with its own text and then backs that text has not changed its mind.
#[test]
fn to_back_ones_own_text_is_no_turn() {
    for (backed, latest) in [("better", Stance::Agree), ("do it", Stance::Object)] {
        let table: [Taken<'_>; 3] = [
            ("PP", 1, "I-1", Stance::Agree, Some("do it"), false),
            ("SD", 1, "I-1", Stance::Object, Some("better"), false),
            ("SD", 2, "I-1", Stance::Agree, Some(backed), false),
        ];
        let meeting = play(&table, &[coach(vec![]), coach(vec![])]);
        let issue = meeting.issue(1);
        let said = issue.latest_of(&"SystemDesigner".into()).unwrap();
        assert_eq!(said.stance, latest, "{backed}");
    }
}

/// A member that backs a text and objects to a rival text has not changed its mind, so it needs no
/// reason.
#[test]
fn to_object_to_a_rival_of_ones_text_is_no_turn() {
    let newcomer = "PP refine =x\nSD agree\nDev object =y >PP\nTP agree <Dev";
    for (line, holds) in [
        ("SD object >Dev -", true),
        ("SD object >PP -", false),
        ("SD object -", false),
    ] {
        let last = format!("PP agree <Dev\n{line}");
        let meeting = held(&[newcomer, &last], &[], |_| {});
        let issue = meeting.issue(1);
        let objects = issue.objectors().contains(&&"SystemDesigner".into());
        assert_eq!(objects, holds, "{line}");
    }
}

/// A trace says which text each stance refers to, and what happened to texts that were not agreed.
#[test]
fn a_trace_names_the_texts_that_stances_are_to() {
    let rounds = [
        "PP refine =x\nSD object =y >PP\nDev refine =x2 <PP\nTP object\nRP object =z",
        "SD agree <PP",
    ];
    let meeting = held(&rounds, &[], |_| {});
    let told = |id, lang| {
        let trace = aitc::check::why(&meeting.state, id, lang).unwrap();
        listed("trace", &trace, lang)
    };
    let issue = told("I-1", Lang::En);
    holds(
        &issue,
        &[
            "I-1 · PP r1 (position) agrees, own wording (X-1): x",
            "I-1 · SD r1 (position) objects (to X-1, for X-2): y",
            "I-1 · Dev r1 (position) agrees, own wording (X-3): x2",
            "I-1 · TP r1 (position) objects: because",
            "I-1 · RP r1 (position) objects (for X-4): z",
            "I-1 · SD r2 (position) agrees (X-1): because",
        ],
    );
    for (id, lang, line) in [
        ("X-1", Lang::En, "x (by PP, backed by PP, SD; not agreed)"),
        ("X-2", Lang::En, "y (by SD, backed by nobody)"),
        ("X-2", Lang::Zh, "y（由 SD 提出，无人支持）"),
    ] {
        let text = told(id, lang);
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// A merged issue keeps its texts: a different text among them must be withdrawn first.
#[test]
fn a_text_joins_beside_no_other_of_an_issue_merged_with_it() {
    for (other, comes) in [("do not", ""), ("do it", "do it")] {
        let table: [Taken<'_>; 3] = [
            ("PP", 1, "I-1", Stance::Agree, Some("do it"), false),
            ("SD", 1, "I-2", Stance::Agree, Some(other), false),
            ("RP", 1, "I-1", Stance::Agree, None, false),
        ];
        let merged = coach(vec![
            into("I-2", FateKind::Merged, "I-1"),
            settled("I-1", "PP"),
        ]);
        let meeting = play(&table, &[merged]);
        let agreed = agreed(&meeting);
        assert!(
            agreed.starts_with(comes) && agreed.is_empty() == comes.is_empty(),
            "{agreed}"
        );
    }
}

const CODES: [&str; 5] = ["PP", "SD", "Dev", "TP", "RP"];

/// Random positions of all members in a round.
fn anything(random: &mut fastrand::Rng) -> String {
    let spoken = CODES.map(|code| (code, random.usize(..5)));
    let lines = spoken.iter().filter(|(_, dice)| *dice < 3);
    let lines = lines.map(|(code, dice)| {
        let stances = ["agree", "agree", "agree", "refine", "object", "abstain"];
        let stance = random.choice(stances).unwrap();
        let mut line = format!("{code} {stance}");
        if stance == "refine" || *dice == 0 {
            line.push_str([" =x", " =x", " =y", " =z"][random.usize(..4)]);
        }
        for (mark, is_said) in [('<', random.bool()), ('>', stance == "object")] {
            if is_said && random.bool() {
                line.push_str(&format!(" {mark}{}", random.choice(CODES).unwrap()));
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
    for seed in 0..90 {
        let random = &mut fastrand::Rng::with_seed(seed);
        let rounds: Vec<String> = (0..1 + seed % 3).map(|_| anything(random)).collect();
        let rounds: Vec<&str> = rounds.iter().map(String::as_str).collect();
        let cites = [(); 2].map(|()| random.choice(CODES).unwrap());
        let cites = &cites[..1 + seed as usize % 2];
        let meeting = held(&rounds, cites, |_| {});
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
    assert!(joined > 15, "{joined}");
}
