//! The words by which a requirement is taken apart, in English and Chinese.

/// Verbs that open a clause of its own after "and" or a comma.
#[rustfmt::skip]
pub const VERBS: &[&str] = &[
    "accept", "add", "adjust", "alert", "allow", "apply", "archive", "ask", "assign",
    "authenticate", "authorize", "automate", "avoid", "block", "build", "cache", "calculate", "cancel",
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
    "清理", "不做", "暂不", "先不", "不考虑", "管理员", "用户可", "用户能", "用户必须", "要求", "确保", "保证", "避免", "防止", "按", "对", "让", "给", "把", "将",
];

/// Openings of a Chinese clause that another one has to follow.
#[rustfmt::skip]
pub const HAN_CONDITIONS: &[&str] = &[
    "当", "如果", "若", "在", "为了", "因为", "由于", "随着", "虽然", "除了", "对于", "根据", "按照", "基于", "一旦", "只要", "每当",
    "每次", "假如", "只有当", "作为",
];

/// Endings of a clause that says when the next one holds, or how slow it is now.
#[rustfmt::skip]
pub const HAN_TIMES: &[&str] = &["时", "时候", "之后", "以后", "之前", "以前", "的话", "期间", "情况下", "后", "秒", "分钟", "太慢", "很慢", "过慢"];

/// Openings of a Chinese clause that only goes on with the one before.
#[rustfmt::skip]
pub const HAN_DEPENDENT: &[&str] = &[
    "就", "则", "那么", "所以", "因此", "因而", "从而", "以便", "以免", "便于", "方便", "用于", "用来", "否则", "但", "不过", "而",
    "即", "也就是", "例如", "比如", "如", "包括", "其中", "特别是", "尤其", "以", "这样", "它", "其", "该", "此", "这",
];

/// Openings that look as if they did, and begin anew: "其他用户…".
#[rustfmt::skip]
pub const HAN_ANEW: &[&str] = &["其他", "其它", "其余", "其次", "此外"];

/// Verbs within a Chinese clause.
#[rustfmt::skip]
pub const HAN_VERBS: &[&str] = &[
    "迁移", "回滚", "升级", "改为", "改成", "改用", "替换", "支持", "增加", "添加", "新增", "提供", "导出", "导入", "发送", "推送",
    "记录", "显示", "展示", "限制", "实现", "优化", "修复", "删除", "修改", "更新", "校验", "验证", "通知", "提醒", "上传", "下载",
    "保存", "缓存", "加密", "脱敏", "生成", "查询", "搜索", "筛选", "过滤", "统计", "监控", "告警", "接入", "集成", "重构", "拆分",
    "合并", "同步", "保留", "清理", "审核", "审批", "压缩", "裁剪", "登录", "注册", "支付", "退款", "取消", "恢复", "撤销", "分享",
    "评论", "标记", "分配", "切换", "打印", "扫描", "识别", "翻译", "备份", "归档", "部署", "发布", "看到", "查看", "选择", "设置",
];

/// Words that hold a Chinese sentence together: a verb beside one is no part of a noun.
#[rustfmt::skip]
pub const HAN_MARKS: &[&str] = &[
    "要", "能", "可", "需", "应", "从", "到", "把", "将", "被", "由", "给", "向", "为", "成", "后", "都",
];

/// Words by which a Chinese clause sets a rule.
#[rustfmt::skip]
pub const HAN_RULES: &[&str] = &[
    "必须", "需要", "应当", "应该", "可以", "不能", "不得", "不允许", "要能", "要有", "只能", "不超过", "不低于", "不少于", "至少", "最多",
];

/// Words that join two Chinese clauses; dropped from the start of a need.
#[rustfmt::skip]
pub const HAN_JOINS: &[&str] = &[
    "以及", "并且", "而且", "同时", "另外", "此外", "还要", "还需要", "并", "且", "也",
];
