//! The words by which a requirement is taken apart, in English and Chinese.

/// Verbs that open a clause of its own after "and" or a comma.
#[rustfmt::skip]
pub const VERBS: &[&str] = &[
    "accept", "add", "adjust", "alert", "allow", "apply", "archive", "ask", "assign",
    "authenticate", "authorize", "avoid", "block", "build", "cache", "calculate", "cancel",
    "change", "charge", "check", "clean", "collect", "compress", "compute", "configure", "confirm",
    "connect", "convert", "create", "delete", "deliver", "deploy", "deprecate", "detect", "disable",
    "display", "document", "download", "drop", "edit", "email", "enable", "encrypt", "enforce",
    "ensure", "expire", "export", "expose", "extend", "fetch", "fix", "forbid", "generate", "give",
    "grant", "group", "handle", "hide", "highlight", "implement", "import", "improve", "include",
    "index", "inform", "integrate", "introduce", "invite", "keep", "let", "limit", "link", "list",
    "load", "localise", "localize", "lock", "log", "mail", "make", "mark", "mask", "measure",
    "merge", "migrate", "monitor", "move", "notify", "offer", "optimise", "optimize", "paginate",
    "parse", "persist", "prevent", "preview", "print", "process", "protect", "provide", "publish",
    "purge", "queue", "read", "record", "redact", "redesign", "redirect", "reduce", "refactor",
    "refund", "register", "reject", "release", "remind", "remove", "rename", "render", "replace",
    "report", "require", "reset", "resize", "restore", "restrict", "retry", "return", "reuse",
    "revoke", "rotate", "run", "save", "scan", "schedule", "search", "secure", "select", "send",
    "separate", "serve", "set", "share", "show", "sign", "skip", "sort", "speed", "split", "start",
    "stop", "store", "stream", "submit", "subscribe", "suggest", "support", "suspend", "sync",
    "synchronise", "synchronize", "test", "throttle", "track", "translate", "trigger", "unlock",
    "update", "upgrade", "upload", "use", "validate", "verify", "warn", "write",
];

/// Words that carry a rule: a clause that has one near its start is a need.
#[rustfmt::skip]
pub const MODALS: &[&str] = &[
    "can", "cannot", "can't", "may", "must", "mustn't", "should", "shall", "will", "won't", "needs",
    "need",
];

/// Openings of a Chinese clause that stands alone.
#[rustfmt::skip]
pub const HAN_OPENINGS: &[&str] = &[
    "支持", "增加", "添加", "新增", "允许", "可以", "能够", "能", "需要", "需", "必须", "应", "只有", "只能", "只允许", "仅",
    "不得", "不能", "不允许", "禁止", "提供", "导出", "导入", "发送", "记录", "显示", "展示", "限制", "实现", "优化", "修复", "删除",
    "修改", "更新", "校验", "验证", "通知", "提醒", "上传", "下载", "迁移", "保存", "存储", "缓存", "加密", "脱敏", "生成", "查询",
    "搜索", "筛选", "过滤", "统计", "监控", "告警", "接入", "集成", "替换", "重构", "拆分", "合并", "同步", "定时", "自动", "保留",
    "清理", "管理员", "用户可", "用户能", "用户必须", "要求", "确保", "保证", "避免", "防止", "按", "对", "让", "给", "把", "将",
];

/// Words that join two Chinese clauses; dropped from the start of a need.
#[rustfmt::skip]
pub const HAN_JOINS: &[&str] = &[
    "以及", "并且", "而且", "同时", "另外", "此外", "还要", "还需要", "并", "且", "也",
];
