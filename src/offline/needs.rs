//! Splits a requirement into needs that can be settled one by one.
//!
//! A need ends where a sentence, a list item or a clause with its own verb
//! ends. A list of nouns is never split, nor is a fragment too small to stand
//! alone: one need too few is easier to live with than half a need.

use super::text::{cut, is_han, likeness};

/// Needs of one requirement, at most.
pub const MAX_NEEDS: usize = 8;

/// Characters of a need's title, at most.
const MAX_TITLE: usize = 110;

/// Verbs that open a clause of its own after "and" or a comma.
const VERBS: &[&str] = &[
    "accept",
    "add",
    "adjust",
    "alert",
    "allow",
    "apply",
    "archive",
    "ask",
    "assign",
    "authenticate",
    "authorize",
    "avoid",
    "block",
    "build",
    "cache",
    "calculate",
    "cancel",
    "change",
    "charge",
    "check",
    "clean",
    "collect",
    "compress",
    "compute",
    "configure",
    "confirm",
    "connect",
    "convert",
    "create",
    "delete",
    "deliver",
    "deploy",
    "deprecate",
    "detect",
    "disable",
    "display",
    "document",
    "download",
    "drop",
    "edit",
    "email",
    "enable",
    "encrypt",
    "enforce",
    "ensure",
    "expire",
    "export",
    "expose",
    "extend",
    "fetch",
    "fix",
    "forbid",
    "generate",
    "give",
    "grant",
    "group",
    "handle",
    "hide",
    "highlight",
    "implement",
    "import",
    "improve",
    "include",
    "index",
    "inform",
    "integrate",
    "introduce",
    "invite",
    "keep",
    "let",
    "limit",
    "link",
    "list",
    "load",
    "localise",
    "localize",
    "lock",
    "log",
    "mail",
    "make",
    "mark",
    "mask",
    "measure",
    "merge",
    "migrate",
    "monitor",
    "move",
    "notify",
    "offer",
    "optimise",
    "optimize",
    "paginate",
    "parse",
    "persist",
    "prevent",
    "preview",
    "print",
    "process",
    "protect",
    "provide",
    "publish",
    "purge",
    "queue",
    "read",
    "record",
    "redact",
    "redesign",
    "redirect",
    "reduce",
    "refactor",
    "refund",
    "register",
    "reject",
    "release",
    "remind",
    "remove",
    "rename",
    "render",
    "replace",
    "report",
    "require",
    "reset",
    "resize",
    "restore",
    "restrict",
    "retry",
    "return",
    "reuse",
    "revoke",
    "rotate",
    "run",
    "save",
    "scan",
    "schedule",
    "search",
    "secure",
    "select",
    "send",
    "separate",
    "serve",
    "set",
    "share",
    "show",
    "sign",
    "skip",
    "sort",
    "speed",
    "split",
    "start",
    "stop",
    "store",
    "stream",
    "submit",
    "subscribe",
    "suggest",
    "support",
    "suspend",
    "sync",
    "synchronise",
    "synchronize",
    "test",
    "throttle",
    "track",
    "translate",
    "trigger",
    "unlock",
    "update",
    "upgrade",
    "upload",
    "use",
    "validate",
    "verify",
    "warn",
    "write",
];

/// Words that carry a rule: a clause that has one near its start is a need.
const MODALS: &[&str] = &[
    "can", "cannot", "can't", "may", "must", "mustn't", "should", "shall", "will", "won't",
    "needs", "need",
];

/// Openings of a Chinese clause that stands alone.
const HAN_OPENINGS: &[&str] = &[
    "支持",
    "增加",
    "添加",
    "新增",
    "允许",
    "可以",
    "能够",
    "能",
    "需要",
    "需",
    "必须",
    "应",
    "只有",
    "只能",
    "只允许",
    "仅",
    "不得",
    "不能",
    "不允许",
    "禁止",
    "提供",
    "导出",
    "导入",
    "发送",
    "记录",
    "显示",
    "展示",
    "限制",
    "实现",
    "优化",
    "修复",
    "删除",
    "修改",
    "更新",
    "校验",
    "验证",
    "通知",
    "提醒",
    "上传",
    "下载",
    "迁移",
    "保存",
    "存储",
    "缓存",
    "加密",
    "脱敏",
    "生成",
    "查询",
    "搜索",
    "筛选",
    "过滤",
    "统计",
    "监控",
    "告警",
    "接入",
    "集成",
    "替换",
    "重构",
    "拆分",
    "合并",
    "同步",
    "定时",
    "自动",
    "保留",
    "清理",
    "管理员",
    "用户可",
    "用户能",
    "用户必须",
    "要求",
    "确保",
    "保证",
    "避免",
    "防止",
    "按",
    "对",
    "让",
    "给",
    "把",
    "将",
];

/// Words that join two Chinese clauses; dropped from the start of a need.
const HAN_JOINS: &[&str] = &[
    "以及",
    "并且",
    "而且",
    "同时",
    "另外",
    "此外",
    "还要",
    "还需要",
    "并",
    "且",
    "也",
];

/// Needs of a requirement in its order, none twice, at most `MAX_NEEDS`; the
/// whole text as one need when nothing can be split.
pub fn split(requirement: &str) -> Vec<String> {
    let mut needs: Vec<String> = Vec::new();
    for unit in units(requirement) {
        for clause in clauses(&unit) {
            let need = tidy(&clause);
            if is_need(&need) && !needs.iter().any(|known| likeness(known, &need) > 0.9) {
                needs.push(need);
            }
        }
    }
    if needs.is_empty() {
        needs.push(tidy(requirement));
    }
    if needs.len() > MAX_NEEDS {
        let rest = needs.split_off(MAX_NEEDS - 1);
        needs.push(rest.join("; "));
    }
    needs
}

/// One line that names a need.
pub fn title(need: &str) -> String {
    let mut chars = need.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    cut(&(first.unwrap_or_default() + chars.as_str()), MAX_TITLE)
}

/// Is there too little to plan from: fewer than three words, or five Han characters?
pub fn is_too_thin(requirement: &str) -> bool {
    let han = requirement.chars().filter(|c| is_han(*c)).count();
    let words = requirement
        .split(|c: char| !c.is_alphanumeric() || is_han(c))
        .filter(|word| !word.is_empty())
        .count();
    han < 5 && han + words < 3
}

/// Sentences and list items; headings, fences and quoted blocks are left out.
fn units(text: &str) -> Vec<String> {
    let mut units = Vec::new();
    let mut fenced = false;
    let mut paragraph = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        let item = list_item(line);
        let ends = fenced || line.is_empty() || line.starts_with(['#', '>', '|']);
        if (ends || item.is_some()) && !paragraph.is_empty() {
            units.extend(sentences(&std::mem::take(&mut paragraph)));
        }
        if ends {
            continue;
        }
        if !paragraph.is_empty() && !paragraph.ends_with(is_han) {
            paragraph.push(' ');
        }
        paragraph.push_str(item.unwrap_or(line));
    }
    units.extend(sentences(&paragraph));
    units
}

/// The text of a list item, if the line is one: `-`, `*`, `•`, `1.`, `2)`, `3、`, `（4）`.
fn list_item(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(['-', '*', '•', '+']) {
        return rest.starts_with(' ').then(|| rest.trim());
    }
    let inner = line.trim_start_matches(['(', '（']);
    let rest = inner.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == inner.len() {
        return None;
    }
    let after = rest.strip_prefix(['.', ')', '、', '）', '．'])?;
    (!after.starts_with(|c: char| c.is_ascii_digit())).then(|| after.trim())
}

/// Cuts at full stops, semicolons, question and exclamation marks.
fn sentences(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut sentences = vec![String::new()];
    for (i, c) in chars.iter().enumerate() {
        let next_is_space = chars.get(i + 1).is_none_or(|next| next.is_whitespace());
        let ends = matches!(c, '。' | '！' | '？' | '；')
            || (matches!(c, '.' | '!' | '?' | ';') && next_is_space);
        let short = |s: &str| {
            s.ends_with("e.g") || s.ends_with("i.e") || s.ends_with("etc") || s.ends_with("vs")
        };
        match sentences.last_mut() {
            Some(last) if !ends || (*c == '.' && short(last)) => last.push(*c),
            _ => sentences.push(String::new()),
        }
    }
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

/// Cuts a sentence where a clause with its own verb begins.
fn clauses(sentence: &str) -> Vec<String> {
    let mut clauses = vec![String::new()];
    for piece in pieces(sentence) {
        let starts_own = stands_alone(&piece.text)
            && clauses.last().is_some_and(|before| is_whole(before))
            && !(piece.joint == Joint::And && is_verb_pair(clauses.last(), &piece.text));
        match clauses.last_mut() {
            Some(last) if !starts_own => {
                last.push_str(&piece.glue);
                last.push_str(&piece.text);
            }
            _ => clauses.push(piece.text),
        }
    }
    clauses
}

/// How a piece is joined to the one before it.
#[derive(PartialEq)]
enum Joint {
    And,
    Comma,
}

/// A piece of a sentence with the words that stood between it and the one before.
struct Piece {
    glue: String,
    text: String,
    joint: Joint,
}

/// Cuts at commas and "and", keeping what was cut out; brackets are not entered.
fn pieces(sentence: &str) -> Vec<Piece> {
    const JOINTS: [(&str, Joint); 9] = [
        (", and then ", Joint::Comma),
        (", and ", Joint::Comma),
        (", but ", Joint::Comma),
        (" and then ", Joint::And),
        (" and also ", Joint::And),
        (" and ", Joint::And),
        (", ", Joint::Comma),
        ("，", Joint::Comma),
        ("以及", Joint::Comma),
    ];
    let mut pieces = Vec::new();
    let (mut start, mut depth, mut at) = (0, 0i32, 0);
    let (mut glue, mut joint) = ("", Joint::Comma);
    while let Some(c) = sentence[at..].chars().next() {
        match c {
            '(' | '（' | '[' | '"' if c != '"' => depth += 1,
            ')' | '）' | ']' => depth -= 1,
            _ => {}
        }
        let found = (depth <= 0)
            .then(|| {
                JOINTS
                    .iter()
                    .find(|(word, _)| sentence[at..].starts_with(word))
            })
            .flatten();
        let Some((word, kind)) = found else {
            at += c.len_utf8();
            continue;
        };
        let next = if *kind == Joint::And {
            Joint::And
        } else {
            Joint::Comma
        };
        let text = sentence[start..at].to_owned();
        pieces.push(Piece {
            glue: glue.to_owned(),
            text,
            joint: std::mem::replace(&mut joint, next),
        });
        glue = word;
        at += word.len();
        start = at;
    }
    pieces.push(Piece {
        glue: glue.to_owned(),
        text: sentence[start..].to_owned(),
        joint,
    });
    pieces
}

/// Does the piece read as a clause of its own?
fn stands_alone(piece: &str) -> bool {
    let piece = strip_joins(piece.trim());
    if piece.starts_with(is_han) || HAN_OPENINGS.iter().any(|o| piece.starts_with(o)) {
        return HAN_OPENINGS
            .iter()
            .any(|opening| piece.starts_with(opening))
            && piece.chars().filter(|c| c.is_alphanumeric()).count() >= 4;
    }
    let words: Vec<String> = words(piece);
    let opens = words.iter().find(|word| {
        !matches!(
            word.as_str(),
            "also" | "then" | "please" | "always" | "never" | "automatically"
        )
    });
    words.len() >= 3
        && (opens.is_some_and(|word| VERBS.contains(&word.as_str()))
            || words
                .iter()
                .skip(1)
                .take(4)
                .any(|word| MODALS.contains(&word.as_str())))
        && !matches!(
            words[0].as_str(),
            "which" | "that" | "who" | "where" | "so" | "because" | "if" | "when" | "unless"
        )
}

/// Is what stands before large enough to be a need?
fn is_whole(before: &str) -> bool {
    let han = before.chars().filter(|c| is_han(*c)).count();
    let conditional = [
        "when ",
        "if ",
        "while ",
        "after ",
        "once ",
        "as soon as ",
        "for ",
        "to ",
        "in order ",
    ];
    let start = before.trim().to_lowercase();
    let opens_condition = conditional.iter().any(|word| start.starts_with(word))
        || ["当", "如果", "若", "在", "为了"]
            .iter()
            .any(|word| start.starts_with(word));
    (han >= 4 || words(before).len() >= 3) && !opens_condition
}

/// "search and filter products": the verb before "and" has no object of its own yet.
fn is_verb_pair(before: Option<&String>, piece: &str) -> bool {
    let last = before
        .map(|text| words(text))
        .and_then(|words| words.last().cloned());
    let first = words(piece).first().cloned();
    matches!((last, first), (Some(last), Some(first))
        if VERBS.contains(&last.as_str()) && VERBS.contains(&first.as_str()))
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '-') || is_han(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn strip_joins(text: &str) -> &str {
    HAN_JOINS
        .iter()
        .find_map(|join| text.strip_prefix(join))
        .map_or(text, |rest| rest.trim_start_matches(['，', ' ']))
}

/// Takes off politeness, joints and end marks.
fn tidy(clause: &str) -> String {
    const LEADS: [&str; 14] = [
        "please ",
        "and ",
        "also ",
        "then ",
        "we need to ",
        "we want to ",
        "i want to ",
        "i need to ",
        "i would like to ",
        "we would like to ",
        "we should ",
        "but ",
        "请",
        "我们需要",
    ];
    let mut text = clause.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut before = usize::MAX;
    while text.len() < before {
        before = text.len();
        let lower = text.to_lowercase();
        if let Some(lead) = LEADS.iter().find(|lead| lower.starts_with(**lead))
            && text.is_char_boundary(lead.len())
        {
            text = text[lead.len()..].to_owned();
        }
        text = strip_joins(text.trim()).to_owned();
        text = text
            .trim_end_matches(['.', '。', ';', '；', ',', '，', '!', '！', ' '])
            .to_owned();
    }
    text
}

/// Leaves out what is no need: a label, a remark on the state of things, a fragment.
fn is_need(need: &str) -> bool {
    let lower = need.to_lowercase();
    let remark = [
        "background",
        "context:",
        "note:",
        "currently ",
        "today ",
        "because ",
        "背景",
        "目前",
        "现在",
        "当前",
    ];
    let letters = need.chars().filter(|c| c.is_alphanumeric()).count();
    letters >= 4
        && !need.ends_with([':', '：'])
        && !remark.iter().any(|word| lower.starts_with(word))
}
