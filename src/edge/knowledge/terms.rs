//! Which words of a requirement are worth searching for.

/// Terms searched for, at most.
const MAX_TERMS: usize = 40;

/// English words that occur everywhere.
const STOP: &[&str] = &[
    "a", "about", "add", "added", "after", "all", "allow", "also", "an", "and", "any", "are", "as",
    "at", "be", "been", "before", "but", "by", "can", "could", "do", "does", "each", "every",
    "for", "from", "get", "give", "has", "have", "how", "if", "in", "into", "is", "it", "its",
    "let", "like", "make", "may", "more", "must", "need", "new", "no", "not", "of", "on", "one",
    "only", "or", "our", "out", "please", "shall", "should", "show", "so", "some", "such",
    "support", "than", "that", "the", "their", "them", "then", "there", "they", "this", "to", "up",
    "use", "used", "user", "users", "using", "want", "was", "we", "were", "what", "when", "where",
    "which", "who", "why", "will", "with", "without", "would", "you", "your",
];

/// Han characters that only hold a sentence together.
const STOP_HAN: &str =
    "的了和与或在是也都就要能可以我们你他它这那个及并把被只有为对从到等中上下不得";

/// Chinese words of requirements and the English names that code uses for them.
const NAMES: &[(&str, &[&str])] = &[
    ("订单", &["order"]),
    ("用户", &["user"]),
    ("管理员", &["admin"]),
    ("权限", &["permission", "auth"]),
    ("登录", &["login", "auth"]),
    ("导出", &["export"]),
    ("导入", &["import"]),
    ("支付", &["payment", "pay"]),
    ("退款", &["refund"]),
    ("发票", &["invoice"]),
    ("通知", &["notify", "notification"]),
    ("邮件", &["mail", "email"]),
    ("短信", &["sms"]),
    ("上传", &["upload"]),
    ("下载", &["download"]),
    ("搜索", &["search"]),
    ("筛选", &["filter"]),
    ("日期", &["date"]),
    ("缓存", &["cache"]),
    ("日志", &["log"]),
    ("商品", &["product", "item"]),
    ("库存", &["stock", "inventory"]),
    ("客户", &["customer"]),
    ("密码", &["password"]),
    ("会话", &["session"]),
    ("报表", &["report"]),
    ("任务", &["task", "job"]),
    ("定时", &["schedule", "cron"]),
    ("接口", &["api"]),
    ("配置", &["config"]),
    ("数据库", &["database", "db"]),
    ("迁移", &["migration"]),
    ("头像", &["avatar"]),
    ("图片", &["image"]),
    ("评论", &["comment"]),
    ("标签", &["tag"]),
    ("购物车", &["cart"]),
    ("优惠券", &["coupon"]),
    ("消息", &["message"]),
    ("审计", &["audit"]),
    ("语言", &["lang", "locale"]),
    ("翻译", &["translat"]),
    ("计划", &["plan"]),
    ("评审", &["review"]),
    ("文档", &["doc"]),
    ("测试", &["test"]),
    ("命令", &["command", "cli"]),
    ("邮箱", &["mail", "email"]),
    ("深色", &["theme", "style", "color"]),
    ("列表", &["list"]),
    ("折扣", &["discount"]),
    ("总价", &["total"]),
    ("跳转", &["redirect"]),
];

/// English words of requirements and other names that code uses for the same thing.
const RELATED: &[(&str, &[&str])] = &[
    ("dark mode", &["theme", "style", "color", "css"]),
    ("dark theme", &["style", "color", "css"]),
    ("admin", &["permission", "role"]),
    ("e-mail", &["mail", "smtp"]),
    ("email", &["mail", "smtp"]),
    ("sign in", &["login", "auth"]),
    ("log in", &["login", "auth"]),
    ("login", &["auth", "session"]),
    ("nightly", &["job", "schedule"]),
    ("every night", &["job", "schedule"]),
];

/// The terms of a text, in order, none twice: identifiers as they are and in
/// their parts, English words without stop words by their stem, pairs of Han
/// characters, and the English names of common Chinese words. At most 40.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    let mut add = |term: String| {
        if terms.len() < MAX_TERMS && !terms.contains(&term) {
            terms.push(term);
        }
    };
    for (word, names) in NAMES {
        if text.contains(word) {
            add((*word).to_owned());
            names.iter().for_each(|name| add((*name).to_owned()));
        }
    }
    let lower = text.to_lowercase();
    let related = RELATED.iter().filter(|(phrase, _)| lower.contains(phrase));
    let related: Vec<String> = related
        .flat_map(|(_, names)| names.iter().map(|n| (*n).to_owned()))
        .collect();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    for word in text
        .split(|c: char| !is_word(c))
        .filter(|word| !word.is_empty())
    {
        let parts = parts(word);
        if parts.len() > 1 {
            add(word.to_lowercase());
        }
        for part in parts {
            let lower = part.to_lowercase();
            if lower.len() >= 2
                && !lower.bytes().all(|b| b.is_ascii_digit())
                && !STOP.contains(&lower.as_str())
            {
                add(stem(&lower));
            }
        }
    }
    related.into_iter().for_each(&mut add);
    let chars: Vec<char> = text.chars().collect();
    for pair in chars.windows(2) {
        if pair.iter().all(|c| is_han(*c) && !STOP_HAN.contains(*c)) {
            add(pair.iter().collect());
        }
    }
    terms
}

/// The parts of an identifier: at `_`, `-` and where upper case begins.
fn parts(word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for c in word.chars() {
        let boundary = c == '_' || c == '-' || (c.is_ascii_uppercase() && was_lower);
        if boundary {
            parts.push(String::new());
        }
        was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        if c != '_'
            && c != '-'
            && let Some(part) = parts.last_mut()
        {
            part.push(c);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The shortest form that all forms of the word begin with.
fn stem(word: &str) -> String {
    for (ending, put) in [
        ("ies", "y"),
        ("ing", ""),
        ("ers", "er"),
        ("ed", ""),
        ("es", "e"),
        ("s", ""),
    ] {
        if let Some(root) = word.strip_suffix(ending)
            && root.len() + put.len() >= 4
            && !word.ends_with("ss")
            && !word.ends_with("us")
        {
            return format!("{root}{put}");
        }
    }
    word.to_owned()
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}')
}
