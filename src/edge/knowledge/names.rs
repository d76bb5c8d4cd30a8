//! Additional search terms: names that code uses for the things in a requirement.

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

/// English words of requirements and related names that code uses.
const RELATED: &[(&str, &[&str])] = &[
    ("dark mode", &["theme", "style", "color", "css"]),
    ("dark theme", &["style", "color", "css"]),
    ("sign in", &["login", "auth"]),
    ("log in", &["login", "auth"]),
    ("login", &["auth", "session"]),
    ("logged out", &["logout", "auth", "session"]),
    ("log out", &["logout", "auth", "session"]),
    ("logged in", &["login", "auth", "session"]),
    ("signed in", &["login", "auth", "session"]),
    ("signed out", &["logout", "auth", "session"]),
    ("password", &["auth"]),
    ("nightly", &["job", "schedule"]),
    ("every night", &["job", "schedule"]),
];

/// The additional names for a text: its Chinese words with their English names, and the names
/// related to English words.
pub fn other_names(text: &str) -> impl Iterator<Item = &'static str> {
    let lower = text.to_lowercase();
    let chinese = NAMES.iter().filter(|(word, _)| lower.contains(word));
    let related = RELATED.iter().filter(|(phrase, _)| lower.contains(phrase));
    let chinese =
        chinese.flat_map(|(word, names)| std::iter::once(*word).chain(names.iter().copied()));
    let names: Vec<&str> = chinese
        .chain(related.flat_map(|(_, names)| names.iter().copied()))
        .collect();
    names.into_iter()
}
