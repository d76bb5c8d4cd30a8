//! The default members of tests: one server for the whole process.
//!
//! They answer every call of every format in the language of the prompt, based on the prompt alone,
//! without keeping state. A requirement is split at full stops and semicolons into needs; `PP` asks
//! who may use one or two of them. If there are several, `Dev` objects to the first until round 2;
//! if there are four, that is debated. Feedback withdraws the items that it names by id or no
//! longer wants (`No X …`, `Drop X`, `不要 X`).

pub mod documents;
mod subjects;

use std::sync::OnceLock;
use std::time::Duration;

use aitc::machine::Purpose;
use aitc::reply::*;

use self::subjects::{SUBJECTS, Subject};
use super::turn::{Turn, ids, tally, text_of, titled_issues};
use super::workshop::{WorkshopScript, text};
use super::{Fake, FakeConfig, KEY, Reply, Seen, chinese};

/// The server, which runs until the process ends.
pub fn members() -> &'static Fake {
    static MEMBERS: OnceLock<Fake> = OnceLock::new();
    MEMBERS.get_or_init(|| {
        let config = FakeConfig {
            life: Duration::from_secs(7200),
            record: false,
            models: ["fake-1", "gpt-6-luna"].map(str::to_owned).to_vec(),
            ..FakeConfig::default()
        };
        Fake::with(config, answer)
    })
}

/// The variables that configure a command to use a server.
pub fn settings(fake: &Fake) -> [(&'static str, String); 4] {
    [
        ("AITC_PROVIDER", "openai".to_owned()),
        ("AITC_BASE_URL", fake.base_url()),
        ("AITC_MODEL", "fake-1".to_owned()),
        ("AITC_API_KEY", KEY.to_owned()),
    ]
}

/// The answer to a call; an unknown call gets status 400 and its key.
pub fn answer(seen: &Seen) -> Reply {
    let Some(turn) = &seen.turn else {
        let fault = format!("no call of a workshop: {}", seen.key);
        let body = serde_json::json!({"error": {"message": fault}}).to_string();
        return Reply::status(400, Vec::new(), &body);
    };
    let prompt = seen.text();
    let room = Room::of(turn, &prompt);
    Reply::Text(match turn.purpose {
        Purpose::Judgment if !turn.task.contains("`phases`") => text(&room.judgment()),
        Purpose::Speech => text(&room.speech()),
        Purpose::Summary if !turn.task.contains("`P-…`") && !room.is_team() => {
            text(&room.summary())
        }
        _ => WorkshopScript::default().answer(turn, &prompt),
    })
}

/// A call with its prompt.
struct Room<'a> {
    turn: &'a Turn,
    prompt: &'a str,
    is_chinese: bool,
    /// Agreed texts that were not withdrawn, by id.
    agreed: Vec<(String, String)>,
}

/// The text of the last fenced block with this name.
fn fenced<'p>(prompt: &'p str, name: &str) -> Option<&'p str> {
    let at = prompt.rfind(&format!("`{name}\n"))?;
    let fence = prompt[..at].rsplit('\n').next()?.len() + 1;
    let body = &prompt[at + name.len() + 2..];
    let end = body.find(&format!("\n{}", "`".repeat(fence)))?;
    Some(&body[..end])
}

/// The needs in a text, each without its final punctuation; at most seven.
fn needs(text: &str) -> Vec<String> {
    let whole = text.replace(". ", ".\n").replace("? ", "?\n");
    let parts = whole.split(['\n', ';', '；', '。']).map(|part| {
        let part = part.trim().trim_start_matches(['-', '*', '#']).trim();
        let mut letters = part.trim_end_matches(['.', ':']).chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    parts.filter(|part| !part.is_empty()).take(7).collect()
}

/// What a piece of feedback no longer wants.
fn unwanted(feedback: &str) -> Option<String> {
    let starts = [
        "No ",
        "Drop ",
        "Leave out ",
        "Remove ",
        "不要",
        "去掉",
        "删除",
    ];
    let rest = starts.iter().find_map(|it| feedback.strip_prefix(it))?;
    let rest = rest.trim().trim_start_matches("the ");
    let end = rest.find([':', '：', ',', '，', '.', '。', ';', '；']);
    let thing = rest[..end.unwrap_or(rest.len())].trim();
    (!thing.is_empty()).then(|| thing.to_lowercase())
}

impl<'a> Room<'a> {
    fn of(turn: &'a Turn, prompt: &'a str) -> Self {
        let mut agreed: Vec<(String, String)> = Vec::new();
        for line in fenced(prompt, "draft").unwrap_or_default().lines() {
            let Some(id) = line
                .split([' ', '（'])
                .next()
                .filter(|id| id.starts_with("C-"))
            else {
                continue;
            };
            let text = [", proposed by ", " 提出"];
            let is_new = text.iter().any(|mark| line.contains(mark));
            if line[id.len()..].trim_start().starts_with(['w', '撤']) {
                agreed.retain(|(one, _)| one != id);
            } else if is_new && let Some((_, text)) = line.split_once([':', '：']) {
                agreed.push((id.to_owned(), text.trim().to_owned()));
            }
        }
        Self {
            turn,
            prompt,
            is_chinese: turn.task.starts_with("现在"),
            agreed,
        }
    }

    fn say(&self, english: String, chinese: String) -> String {
        if self.is_chinese { chinese } else { english }
    }

    fn words(&self, english: &str) -> String {
        self.say(english.to_owned(), chinese(english).to_owned())
    }

    /// A prepared text for a need of the guide; `None` for any other need.
    fn known(&self, need: &str, of: fn(&Subject) -> &[String; 2]) -> Option<String> {
        let is_meant = |it: &&Subject| it.named.iter().any(|name| need.contains(name));
        let known = of(SUBJECTS.iter().find(is_meant)?);
        let text = &known[usize::from(self.is_chinese)];
        (!text.is_empty()).then(|| text.clone())
    }

    fn is_team(&self) -> bool {
        fenced(self.prompt, "phases").is_some()
    }

    fn is_revision(&self) -> bool {
        fenced(self.prompt, "feedback").is_some()
    }

    fn needs(&self) -> Vec<String> {
        needs(fenced(self.prompt, "requirement").unwrap_or_default())
    }

    /// Whether the first issue is disputed.
    fn disputed(&self) -> bool {
        !self.is_revision() && self.needs().len() > 1
    }

    fn judgment(&self) -> Contribution {
        let asks_needs = !self.turn.task.contains("`new_issues` is `[]`")
            && !self.turn.task.contains("`new_issues` 写 `[]`");
        let needs = if asks_needs { self.needs() } else { Vec::new() };
        let issue = |(n, need): (usize, &String)| NewIssue {
            key: format!("n{}", n + 1),
            title: need.clone(),
            detail: self.say(
                format!("What is needed for this: {need}."),
                format!("要让这一点成立，需要做到什么：{need}。"),
            ),
            severity: IssueSeverity::Blocking,
        };
        Contribution {
            analysis: self.say(
                format!("New needs: {}; that is enough to start.", needs.len()),
                format!("新增 {} 项需要，可以开始。", needs.len()),
            ),
            new_issues: needs.iter().enumerate().map(issue).collect(),
            coach: Some(CoachPart {
                withdraw: self.withdrawn(),
                ..CoachPart::default()
            }),
            ..Contribution::default()
        }
    }

    /// Agreed items that the feedback names or no longer wants.
    fn withdrawn(&self) -> Vec<Withdrawal> {
        let feedback = fenced(self.prompt, "feedback").unwrap_or_default();
        let mut found: Vec<Withdrawal> = Vec::new();
        for line in feedback.lines() {
            let Some((id, said)) = line.split_once([':', '：']) else {
                continue;
            };
            let (named, said) = (ids(said, "C"), said.trim());
            let unwanted = unwanted(said);
            for (item, text) in &self.agreed {
                let is_meant = named.contains(item)
                    || unwanted
                        .as_ref()
                        .is_some_and(|it| text.to_lowercase().contains(it));
                if is_meant && !found.iter().any(|one| one.item == *item) {
                    found.push(Withdrawal {
                        item: item.clone(),
                        feedback: id.trim().to_owned(),
                        reason: self.words("The feedback speaks against it."),
                    });
                }
            }
        }
        found
    }

    fn speech(&self) -> Contribution {
        let (member, round) = (self.turn.member.as_str(), self.turn.round);
        let issues = titled_issues(self.prompt);
        let positions = issues.iter().enumerate();
        let asked = self.needs().len().min(2);
        let asks = member == "ProductPlanner" && round == 1 && !self.is_revision();
        let titles: Vec<&str> = issues.iter().map(|(_, title)| title.as_str()).collect();
        Contribution {
            analysis: self.say(
                format!("{member} on round {round}: {}.", titles.join("; ")),
                format!("{member} 谈第 {round} 轮：{}。", titles.join("；")),
            ),
            positions: positions
                .map(|(n, (issue, title))| self.position(n, issue, title))
                .collect(),
            questions: issues
                .iter()
                .take(if asks { asked } else { 0 })
                .map(|(issue, title)| self.question(issue, title))
                .collect(),
            ..Contribution::default()
        }
    }

    fn position(&self, n: usize, issue: &str, title: &str) -> Position {
        let (member, round) = (self.turn.member.as_str(), self.turn.round);
        let objects = member == "SeniorDeveloper" && n == 0 && round == 1 && self.disputed();
        // Only a member that objected, in a speech or a debate, changes its mind.
        let objected = member == "SeniorDeveloper" || self.prompt.contains("- D-");
        let came_round = objected && round > 1 && self.disputed();
        let built = text_of(self.prompt, issue, "SD");
        let proposal = match member {
            // A member that accepts the text does not propose it again.
            "ProductPlanner" | "SystemDesigner" if built.is_some() => None,
            "ProductPlanner" => Some(self.known(title, |it| &it.wanted).unwrap_or_else(|| {
                self.say(
                    format!("{title}: the result is there within one second."),
                    format!("{title}：一秒内给出结果。"),
                )
            })),
            "SystemDesigner" => {
                let built = self.known(title, |it| &it.built).unwrap_or_else(|| {
                    self.say(
                        format!("{title}: one module does it, and changes nothing when it fails."),
                        format!("{title}：由一个模块完成，失败时不改动任何内容。"),
                    )
                });
                let wanted = self.known(title, |it| &it.wanted);
                Some(
                    wanted
                        .into_iter()
                        .chain([built])
                        .collect::<Vec<_>>()
                        .join(if self.is_chinese { "" } else { " " }),
                )
            }
            _ if objects => Some(
                self.words("Up to 50,000 rows at once; more are refused before the first byte."),
            ),
            _ => None,
        };
        Position {
            issue: issue.to_owned(),
            stance: match member {
                _ if objects => Stance::Object,
                "SystemDesigner" if proposal.is_some() => Stance::Refine,
                // There are two texts, so these members abstain.
                "TestPlanner" | "RiskPlanner" if round == 1 && n == 0 && self.disputed() => {
                    Stance::Abstain
                }
                _ => Stance::Agree,
            },
            backs: built.filter(|_| proposal.is_none()),
            proposal,
            why: match objects {
                true => self.words("The text sets no upper limit."),
                false => self.words("It can be checked as worded."),
            },
            against: None,
            changed_because: came_round.then(|| self.words("One second is the limit I asked for.")),
        }
    }

    fn question(&self, issue: &str, title: &str) -> AskedQuestion {
        let [question, why, options] = match self.is_chinese {
            true => [
                &*format!("谁可以使用：{title}？"),
                "它决定每个请求要检查什么。",
                "所有登录用户/仅管理员/为此新设的角色",
            ],
            false => [
                &*format!("Who may use this: {title}?"),
                "It decides what every request is checked for.",
                "Everybody who is signed in/Administrators only/A role of its own",
            ],
        };
        let subject = |of: fn(&Subject) -> &[String; 2], usual: &str| {
            self.known(title, of).unwrap_or_else(|| usual.to_owned())
        };
        let options = subject(|it| &it.options, options);
        let options: Vec<String> = options.split('/').map(str::to_owned).collect();
        AskedQuestion {
            of: aitc::reply::Answerer::User,
            question: subject(|it| &it.question, question),
            why: subject(|it| &it.why, why),
            blocks: Some(issue.to_owned()),
            recommended: options[0].clone(),
            options,
        }
    }

    fn summary(&self) -> Contribution {
        let round = self.turn.round;
        let fates = tally(&self.turn.task)
            .into_iter()
            .flat_map(|(issue, codes)| {
                let held = round == 1 && issue == "I-1" && self.disputed();
                let fate = |fate, cites: Option<&String>, reason| Fate {
                    issue: issue.clone(),
                    fate,
                    cites: cites.cloned(),
                    wording: None,
                    into: Vec::new(),
                    reason,
                };
                match held || codes.is_empty() {
                    true => {
                        let reason = self.words("Dev has to see the limit first.");
                        vec![fate(FateKind::Open, None, Some(reason))]
                    }
                    false => {
                        vec![fate(FateKind::Settled, codes.last(), None)]
                    }
                }
            });
        let debated = round == 1 && self.disputed() && self.needs().len() > 3;
        let side = |code: &str, stands_for: &str| FoundSide {
            member: code.to_owned(),
            stands_for: self.words(stands_for),
        };
        let divergence = debated.then(|| FoundDivergence {
            issue: "I-1".to_owned(),
            criterion: DivergenceKind::Contradiction,
            question: self.words("Is there a limit?"),
            sides: vec![
                side("SD", "None but what one module can do."),
                side("Dev", "Ten thousand at once."),
            ],
        });
        Contribution {
            analysis: self.say(
                format!("Round {round}: everybody supports the texts of PP and SD."),
                format!("第 {round} 轮：PP 和 SD 的提案得到支持。"),
            ),
            coach: Some(CoachPart {
                fates: fates.collect(),
                divergence,
                ..CoachPart::default()
            }),
            ..Contribution::default()
        }
    }
}
