//! The members of a test that names nobody: one server for the whole process.
//!
//! They answer every call of every format, in the language of the prompt, from what the
//! prompt holds, and keep nothing between calls. A requirement is split at full stops and
//! semicolons into needs, about one or two of which `PP` asks who may use them; where there
//! are several, `Dev` objects to the first until round 2, and where there are four, that is
//! debated. Feedback puts in question what it
//! names by its id, and what it no longer wants (`No X …`, `Drop X`, `不要 X`).

use std::sync::OnceLock;
use std::time::Duration;

use aitc::machine::Purpose;
use aitc::reply::{
    AskedQuestion, Change, CoachPart, Contribution, CoverageTarget, Criterion, Debt,
    DesignDecision, DevPlan, DivergenceKind, DocumentKind, ExternalDependency, Fate, FateKind,
    FileImpact, FoundDivergence, FoundSide, Level, Module, NewIssue, NonGoal, PlanAssumption,
    Position, ProductPlan, Rejected, ReportWords, Risk, RiskAssessment, ScopeItem, Severity, Size,
    Stance, SystemDesign, TestCase, TestLevel, TestPlan, ToDecide, Withdrawal, WorkItem,
};

use super::turn::{Turn, ids, tally, titled_issues};
use super::workshop::{WorkshopScript, text};
use super::{Fake, FakeConfig, Reply, Seen};

/// The server; it is there until the process ends.
pub fn members() -> &'static Fake {
    static MEMBERS: OnceLock<Fake> = OnceLock::new();
    MEMBERS.get_or_init(|| {
        let config = FakeConfig {
            life: Duration::from_secs(7200),
            record: false,
            ..FakeConfig::default()
        };
        Fake::with(config, answer)
    })
}

/// What they say to a call. One they do not know is answered with 400 and its key.
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
        Purpose::Document(DocumentKind::ProductPlan) => text(&room.product_plan()),
        Purpose::Document(DocumentKind::SystemDesign) => text(&room.system_design()),
        Purpose::Document(DocumentKind::DevPlan) => text(&room.dev_plan()),
        Purpose::Document(DocumentKind::TestPlan) => text(&room.test_plan()),
        Purpose::Document(DocumentKind::RiskAssessment) => text(&room.risks()),
        Purpose::Report if !turn.task.contains("`result`") => text(&room.report()),
        _ => WorkshopScript::default().answer(turn, &prompt),
    })
}

/// A call with what its prompt says.
struct Room<'a> {
    turn: &'a Turn,
    prompt: &'a str,
    is_chinese: bool,
    /// Agreed texts that stand, by id.
    agreed: Vec<(String, String)>,
}

/// The text of the last block fenced under a name.
fn fenced<'p>(prompt: &'p str, name: &str) -> Option<&'p str> {
    let at = prompt.rfind(&format!("`{name}\n"))?;
    let fence = prompt[..at].rsplit('\n').next()?.len() + 1;
    let body = &prompt[at + name.len() + 2..];
    let end = body.find(&format!("\n{}", "`".repeat(fence)))?;
    Some(&body[..end])
}

/// The wishes of a text, each without its mark at the end; seven at most.
fn needs(text: &str) -> Vec<String> {
    let whole = text.replace(". ", ".\n").replace("? ", "?\n");
    let parts = whole.split(['\n', ';', '；', '。']).map(|part| {
        let part = part.trim().trim_start_matches(['-', '*', '#']).trim();
        part.trim_end_matches('.').to_owned()
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
            let text = [", proposed by ", " 提出）："];
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

    fn words(&self, english: &str, chinese: &str) -> String {
        self.say(english.to_owned(), chinese.to_owned())
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

    /// Is the first issue disputed?
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
                format!("What has to be there so that this holds: {need}."),
                format!("要让这一点成立，需要做到什么：{need}。"),
            ),
            severity: Severity::Blocking,
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
                        reason: self
                            .words("The feedback speaks against it.", "反馈与这一条相抵触。"),
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
        let came_round = round > 1 && self.disputed();
        let proposal = match member {
            "ProductPlanner" => Some(self.say(
                format!(
                    "{title}: the result is there within one second, and an empty one says so."
                ),
                format!("{title}：一秒内给出结果，结果为空时写明。"),
            )),
            "SystemDesigner" => Some(self.say(
                format!("{title}: one module does it; what fails changes nothing and is named."),
                format!("{title}：由一个模块完成；失败时不改动任何内容，并写明原因。"),
            )),
            _ if objects => Some(self.say(
                format!("{title}: up to 10,000 records at once, more are refused."),
                format!("{title}：一次最多一万条记录，超出则拒绝。"),
            )),
            _ => None,
        };
        Position {
            issue: issue.to_owned(),
            stance: if objects {
                Stance::Object
            } else {
                Stance::Agree
            },
            proposal,
            why: match objects {
                true => self.words("Nothing says how much is too much.", "没有写明数量上限。"),
                false => self.words("It can be checked as worded.", "这样写可以核对。"),
            },
            changed_because: came_round.then(|| {
                self.words(
                    "One second is the limit I asked for.",
                    "一秒就是我要的上限。",
                )
            }),
        }
    }

    fn question(&self, issue: &str, title: &str) -> AskedQuestion {
        let options = match self.is_chinese {
            true => ["所有登录用户", "仅管理员", "为此新设的角色"],
            false => [
                "Everybody who is signed in",
                "Administrators only",
                "A role of its own",
            ],
        };
        AskedQuestion {
            question: self.say(
                format!("Who may use this: {title}?"),
                format!("谁可以使用：{title}？"),
            ),
            why: self.words(
                "It decides what every request is checked for.",
                "它决定每个请求要检查什么。",
            ),
            blocks: Some(issue.to_owned()),
            options: options.map(str::to_owned).to_vec(),
            recommended: options[0].to_owned(),
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
                        let reason =
                            self.words("Dev has to see the limit first.", "Dev 需要先看到上限。");
                        vec![fate(FateKind::Open, None, Some(reason))]
                    }
                    false => {
                        let cited = codes.iter().take(2);
                        cited
                            .map(|code| fate(FateKind::Settled, Some(code), None))
                            .collect()
                    }
                }
            });
        let debated = round == 1 && self.disputed() && self.needs().len() > 3;
        let side = |code: &str, english: &str, chinese: &str| FoundSide {
            member: code.to_owned(),
            stands_for: self.words(english, chinese),
        };
        let divergence = debated.then(|| FoundDivergence {
            issue: "I-1".to_owned(),
            criterion: DivergenceKind::Contradiction,
            question: self.words("Is there a limit?", "要不要上限？"),
            sides: vec![
                side("SD", "None but what one module can do.", "不设上限。"),
                side("Dev", "Ten thousand at once.", "一次一万条。"),
            ],
        });
        Contribution {
            analysis: self.say(
                format!("Round {round}: the texts of PP and SD carry."),
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

    /// The item of the previous version at the same place, if the prompt shows one.
    fn same_as(&self, prefix: &str, index: usize) -> Option<String> {
        ids(self.prompt, prefix).into_iter().nth(index)
    }

    /// Ids of one kind that a document may cite.
    fn known(&self, prefix: &str) -> Vec<String> {
        ids(self.prompt, prefix)
    }

    fn product_plan(&self) -> ProductPlan {
        let criterion = |(n, (id, text)): (usize, &(String, String))| Criterion {
            id: format!("ac{}", n + 1),
            same_as: self.same_as("AC", n),
            given: self.words("a user who may do it", "有权限的用户"),
            when: self.say(format!("they use it ({id})"), format!("使用该功能（{id}）")),
            then: text.clone(),
            from: vec![id.clone()],
        };
        let mut scope: Vec<ScopeItem> = self
            .agreed
            .iter()
            .map(|(id, text)| ScopeItem {
                text: text.clone(),
                from: vec![id.clone()],
            })
            .collect();
        scope.extend(
            self.settled_by_people()
                .into_iter()
                .map(|(id, text)| ScopeItem {
                    text,
                    from: vec![id],
                }),
        );
        ProductPlan {
            understanding: self.needs().join(self.words("; ", "；").as_str()),
            scope,
            non_goals: vec![NonGoal {
                text: self.words("No second user interface.", "不做第二套界面。"),
                why: self.words("Nobody asked for one.", "没有人提出。"),
            }],
            criteria: self.agreed.iter().enumerate().map(criterion).collect(),
        }
    }

    /// Answers and assumptions of the draft.
    fn settled_by_people(&self) -> Vec<(String, String)> {
        let lines = fenced(self.prompt, "draft").unwrap_or_default().lines();
        let mut found: Vec<(String, String)> = Vec::new();
        for line in lines {
            let id = line.split([' ', '（']).next().unwrap_or_default();
            let marks = [
                "-> answer: ",
                "-> 答复：",
                "confirmed it: ",
                "没有人确认过：",
            ];
            let text = marks.iter().find_map(|mark| Some(line.split_once(mark)?.1));
            if let Some(text) = text {
                found.retain(|(one, _)| one != id);
                let text = self.say(
                    format!("Who may use it: {text}"),
                    format!("可以使用的人：{text}"),
                );
                found.push((id.to_owned(), text));
            }
        }
        found
    }

    fn system_design(&self) -> SystemDesign {
        let decision = |(n, (id, text)): (usize, &(String, String))| DesignDecision {
            id: format!("d{}", n + 1),
            same_as: self.same_as("DEC", n),
            title: self.say(format!("How {id} is built"), format!("{id} 的做法")),
            choice: text.clone(),
            why: self.words("It is the least that works.", "这是能用的最小做法。"),
            rejected: vec![Rejected {
                option: self.words("A service of its own", "单独的服务"),
                why: self.words("One more thing to run.", "要多运维一个服务。"),
            }],
            from: vec![id.clone()],
        };
        SystemDesign {
            architecture: self.words(
                "One module behind one interface; a step that fails leaves the data as it was.",
                "一个模块、一个接口；任何一步失败，数据保持不变。",
            ),
            modules: vec![Module {
                id: "m1".to_owned(),
                same_as: self.same_as("M", 0),
                name: self.words("Core", "核心"),
                purpose: self.words("Does what was agreed.", "完成谈定的内容。"),
                covers: self.known("AC"),
            }],
            decisions: self.agreed.iter().enumerate().map(decision).collect(),
            file_impacts: vec![FileImpact {
                path: "src/core_of_the_plan.rs".to_owned(),
                change: Change::Create,
                what: self.words("Holds the module.", "存放该模块。"),
                modules: vec!["m1".to_owned()],
            }],
            diagram: "flowchart LR\n  User --> Core".to_owned(),
        }
    }

    fn dev_plan(&self) -> DevPlan {
        let work = |(n, criterion): (usize, &String)| WorkItem {
            id: format!("w{}", n + 1),
            same_as: self.same_as("W", n),
            title: self.say(format!("Build {criterion}"), format!("实现 {criterion}")),
            detail: self.say(
                format!("Done when {criterion} holds."),
                format!("{criterion} 成立即完成。"),
            ),
            size: if n == 0 { Size::M } else { Size::S },
            covers: vec![criterion.clone()],
            depends_on: (n > 0).then(|| format!("w{n}")).into_iter().collect(),
        };
        DevPlan {
            feasibility: self.words("It can be done with what is there.", "现有条件足以完成。"),
            work: self.known("AC").iter().enumerate().map(work).collect(),
            technical_debt: vec![Debt {
                text: self.words("No cache.", "没有缓存。"),
                repayment: self.words("When a second is not kept.", "达不到一秒时再加。"),
            }],
            order: Vec::new(),
            critical_path: Vec::new(),
        }
    }

    fn test_plan(&self) -> TestPlan {
        let case = |(n, criterion): (usize, &String)| TestCase {
            id: format!("t{}", n + 1),
            same_as: self.same_as("T", n),
            title: self.say(format!("{criterion} holds"), format!("{criterion} 成立")),
            level: TestLevel::EndToEnd,
            covers: vec![criterion.clone()],
            steps: self.words("Do it as a user would.", "按用户的方式操作。"),
            expected: self.say(
                format!("What {criterion} says."),
                format!("符合 {criterion}。"),
            ),
        };
        TestPlan {
            strategy: self.words("End to end first.", "先做端到端测试。"),
            cases: self.known("AC").iter().enumerate().map(case).collect(),
            coverage_targets: vec![CoverageTarget {
                area: self.words("core", "核心"),
                target: self.words("every criterion", "每条标准"),
            }],
            data: vec![self.words("Ten thousand records", "一万条记录")],
            environments: vec![self.words("Continuous integration", "持续集成")],
        }
    }

    fn risks(&self) -> RiskAssessment {
        let risk = |(n, criterion): (usize, &String)| Risk {
            id: format!("r{}", n + 1),
            same_as: self.same_as("R", n),
            title: self.say(
                format!("{criterion} turns out harder than thought"),
                format!("{criterion} 比预想的难"),
            ),
            chance: Level::Low,
            impact: Level::Medium,
            mitigation: self.words("Build it first.", "最先实现。"),
            early_sign: self.words("The first item takes longer.", "第一项工作超时。"),
            affects: vec![criterion.clone()],
        };
        let assumption = |id: String| PlanAssumption {
            text: self.say(
                format!("What {id} assumes holds."),
                format!("{id} 的假设成立。"),
            ),
            from: Some(id),
        };
        RiskAssessment {
            risks: self.known("AC").iter().enumerate().map(risk).collect(),
            dependencies: vec![ExternalDependency {
                name: self.words("The database", "数据库"),
                if_missing: self.words("Nothing is read or written.", "无法读写。"),
            }],
            assumptions: self.known("A").into_iter().map(assumption).collect(),
        }
    }

    fn report(&self) -> ReportWords {
        let about: Vec<String> = self
            .agreed
            .iter()
            .map(|(id, _)| id.clone())
            .take(1)
            .collect();
        let title = self.needs().into_iter().next();
        ReportWords {
            title: title.unwrap_or_else(|| self.words("A small plan", "小型计划")),
            in_short: self.words(
                "One module does what was asked for, step by step.",
                "由一个模块分步完成所要求的内容。",
            ),
            decide: vec![ToDecide {
                what: self.words("Whether to begin", "是否开始"),
                recommended: self.words("Begin.", "开始。"),
                otherwise: self.words("Nothing is built.", "什么也不做。"),
                about,
            }],
        }
    }
}
