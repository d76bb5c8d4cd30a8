//! Identifies the call of a workshop from its prompt.
//!
//! This is the only part of the tests that depends on the wording of prompts: everything is read
//! from the last line that tells a member to speak or write, and from the schema's name.

use aitc::machine::{DebatePart, Purpose};
use aitc::reply::DocumentKind;
use aitc::role::RoleId;

/// What a prompt says about its call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its purpose.
    pub purpose: Purpose,
    /// The member.
    pub member: RoleId,
    /// The round; 0 if the prompt names none.
    pub round: u32,
    /// The ids of its questions.
    pub questions: Vec<String>,
    /// The id of its debate; `round` is then that of the debate.
    pub debate: Option<String>,
    /// The phase of a team.
    pub phase: Option<String>,
    /// The prompt from the task line on.
    pub task: String,
}

impl Turn {
    /// A name for counting, such as `speech/SystemDesigner/r2` or `relay/Coach/Q-1,Q-2`.
    pub fn key(&self) -> String {
        let mut key = format!("{}/{}", self.purpose.name(), self.member);
        if let Some(debate) = &self.debate {
            key += &format!("/{debate}");
        }
        if let Some(phase) = &self.phase {
            key += &format!("/{phase}");
        }
        if self.round > 0 {
            key += &format!("/r{}", self.round);
        }
        if !self.questions.is_empty() {
            key += &format!("/{}", self.questions.join(","));
        }
        key
    }
}

/// Parses the last instruction of a prompt; `None` if it is not a prompt of a workshop.
pub fn identify(messages: &[(String, String)], schema: Option<&str>) -> Option<Turn> {
    let markers = [
        "Now speak as ",
        "Now write, as ",
        "Now work as ",
        "Now vote as ",
        "Now review, as ",
        "Now amend, as ",
        "Now say, as ",
        "现在请以 ",
    ];
    let (message, at, marker) = messages
        .iter()
        .rev()
        .filter(|(role, _)| role == "user")
        .find_map(|(_, text)| {
            let last = markers
                .iter()
                .filter_map(|marker| Some((text.rfind(marker)?, *marker)));
            last.max().map(|(at, marker)| (text, at, marker))
        })?;
    let task = &message[at..];
    let line = task.lines().next().unwrap_or_default();
    let name = &line[marker.len()..];
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
    let member = RoleId(name[..end.unwrap_or(name.len())].to_owned());
    let kind = DocumentKind::ALL.into_iter().find(|kind| {
        // The common schema of all answers does not identify the document.
        schema.filter(|name| *name != "answer").map_or_else(
            || line.contains(&format!("`{}`", kind.name())),
            |s| s == kind.name(),
        )
    });
    let says = |words: [&str; 2]| words.iter().any(|words| line.contains(words));
    let purpose = if says(["Now review, as ", "的身份评审"]) {
        Purpose::Review
    } else if says(["Now say, as ", "你提出的阻塞意见"]) {
        Purpose::Verdict
    } else if let Some(kind) = kind {
        Purpose::Document(kind)
    } else if let Some(part) = debate_part(line) {
        Purpose::Debate(part)
    } else if says(["Now vote as ", "的身份表决"]) {
        Purpose::Vote
    } else if line.starts_with("Now work as ") || says(["Now work as ", "的身份完成 P-"]) {
        Purpose::Step
    } else if schema == Some("report")
        || says(["open the ", "报告"])
        || says(["put the results together", "把各项结果合在一起"])
        || says(["amend, as Coach", "以 Coach 的身份修订"])
    {
        Purpose::Report
    } else if says(["before the first round", "第一轮尚未开始"])
        || says(["leads the team", "带领这个小组"])
    {
        Purpose::Judgment
    } else if says(["sum up round", "的身份总结第"]) || says(["results of layer", "的身份查看第"])
    {
        Purpose::Summary
    } else if says(["deal with what was asked", "的身份处理这些提问"]) {
        Purpose::Relay
    } else if says(["who asked", "是你提的"]) {
        Purpose::FollowUp
    } else {
        Purpose::Speech
    };
    let has_round = matches!(
        purpose,
        Purpose::Speech
            | Purpose::Summary
            | Purpose::Debate(DebatePart::Argument | DebatePart::Summary)
    );
    let debates = matches!(purpose, Purpose::Debate(_));
    let asks = matches!(purpose, Purpose::Relay | Purpose::FollowUp);
    Some(Turn {
        purpose,
        member,
        round: if has_round { round(line) } else { 0 },
        questions: if asks { ids(line, "Q") } else { Vec::new() },
        debate: ids(line, "D").into_iter().next().filter(|_| debates),
        phase: ids(line, "P")
            .into_iter()
            .next()
            .filter(|_| purpose == Purpose::Step),
        task: task.to_owned(),
    })
}

/// The part of a debate that a line calls for.
fn debate_part(line: &str) -> Option<DebatePart> {
    let parts = [
        (["open the debate", "开场"], DebatePart::Opening),
        (["of the debate D-", "小结辩论"], DebatePart::Summary),
        (["rule on the debate", "裁决辩论"], DebatePart::Ruling),
        (["in the debate D-", "在辩论 D-"], DebatePart::Argument),
    ];
    let says = |words: &[&str; 2]| words.iter().any(|words| line.contains(words));
    parts
        .iter()
        .find(|(words, _)| says(words))
        .map(|(_, part)| *part)
}

/// The number after the first "round ", "layer " or "第 ".
fn round(line: &str) -> u32 {
    ["round ", "layer ", "第 "]
        .iter()
        .find_map(|word| {
            let rest = &line[line.find(word)? + word.len()..];
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest[..end].parse().ok()
        })
        .unwrap_or(0)
}

/// All ids with a prefix, such as `C-3` for `C`, without repetition, sorted by number.
pub fn ids(text: &str, prefix: &str) -> Vec<String> {
    let start = format!("{prefix}-");
    let mut numbers = std::collections::BTreeSet::new();
    for (at, _) in text.match_indices(&start) {
        let stands_alone = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
        let rest = &text[at + start.len()..];
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        if let (true, Ok(number)) = (stands_alone, rest[..end].parse::<u32>()) {
            numbers.insert(number);
        }
    }
    numbers
        .into_iter()
        .map(|number| format!("{prefix}-{number}"))
        .collect()
}

/// Ids of the issues that a speaker should take a position on: those of the last issue list and
/// those that earlier speakers of the round added.
pub fn open_issues(text: &str) -> Vec<String> {
    titled_issues(text).into_iter().map(|(id, _)| id).collect()
}

/// As [`open_issues`], each with its title.
pub fn titled_issues(text: &str) -> Vec<(String, String)> {
    let heading = ["# Open issues", "未决议题\n"];
    let from = heading
        .iter()
        .filter_map(|words| text.rfind(words))
        .max()
        .unwrap_or(0);
    let titled = |line: &str| {
        let id = listed_issue(line)?;
        let (_, title) = line.split_once([')', '）'])?;
        Some((id, title.trim_start_matches([':', '：']).trim().to_owned()))
    };
    let mut found: Vec<(String, String)> = text[from..].lines().filter_map(titled).collect();
    found.dedup_by(|one, before| one.0 == before.0);
    found
}

/// Issues in a summary's tally, with the ids of the texts that may be settled.
pub fn tally(task: &str) -> Vec<(String, Vec<String>)> {
    let mut read: Vec<(String, Vec<String>)> = Vec::new();
    for line in task.lines() {
        if let Some(issue) = listed_issue(line) {
            read.push((issue, Vec::new()));
        } else if let Some((_, texts)) = read.last_mut()
            && let Some(id) = line.split_whitespace().next()
            && (line.ends_with(": may be settled") || line.ends_with("：可以写 settled"))
        {
            let id = id.split('（').next().unwrap_or(id);
            texts.push(id.to_owned());
        }
    }
    read
}

/// The id of the latest text that a member proposed on an issue, according to the list of open
/// issues or the speeches in the prompt.
pub fn text_of(prompt: &str, issue: &str, code: &str) -> Option<String> {
    let (mut listed, mut speaker) = (String::new(), String::new());
    let mut found = None;
    for line in prompt.lines() {
        if let Some(id) = listed_issue(line) {
            listed = id;
        }
        for end in [" said:", " 的发言："] {
            if let Some(code) = line.strip_suffix(end) {
                speaker = code.to_owned();
            }
        }
        let line = line.trim_start().trim_start_matches("- ");
        let is_listed = line.starts_with("X-") && listed == issue;
        let is_said = line.starts_with(&format!("{issue} ")) && speaker == code;
        let id = match line.split_once("X-") {
            Some(("", rest)) if is_listed => rest,
            Some((head, rest))
                if is_said && (head.ends_with("proposes ") || head.ends_with("提出 ")) =>
            {
                rest
            }
            _ => continue,
        };
        let number: String = id.chars().take_while(char::is_ascii_digit).collect();
        let by = [format!("({code},"), format!("（{code}，")];
        if is_said || by.iter().any(|by| line.contains(by)) {
            found = Some(format!("X-{number}"));
        }
    }
    found
}

/// The issue of a line in a list: `I-1 (…` or `- new issue I-1 (…`.
fn listed_issue(line: &str) -> Option<String> {
    let line = line.trim_start();
    let heads = ["- new issue ", "- 新议题 "];
    let line = heads
        .iter()
        .find_map(|head| line.strip_prefix(head))
        .unwrap_or(line);
    let rest = line.strip_prefix("I-")?;
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    let after = rest[end..].trim_start();
    (end > 0 && after.starts_with(['(', '（'])).then(|| format!("I-{}", &rest[..end]))
}
