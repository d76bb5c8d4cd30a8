//! What the members know of the needs that the guide plans.

/// What they know of a need, in English and Chinese.
pub(super) struct Subject {
    /// A word of it.
    pub named: [&'static str; 2],
    pub wanted: [&'static str; 2],
    pub built: [&'static str; 2],
    pub question: [&'static str; 2],
    pub why: [&'static str; 2],
    /// The first one is recommended.
    pub options: [&'static str; 2],
}

/// What the guide plans.
pub(super) const SUBJECTS: &[Subject] = &[
    Subject {
        named: ["CSV export", "CSV 导出"],
        wanted: [
            "The file holds every row that the same person sees under the same filter, in the same order.",
            "文件包含同一个人在同样的筛选条件下看到的全部行，顺序一致。",
        ],
        built: [
            "The file is written row by row while the user waits, so that memory does not grow with the number of rows.",
            "用户等待期间逐行写出文件，内存不随行数增长。",
        ],
        question: [
            "Which columns go into the file, and does any hold personal data?",
            "文件包含哪些列，其中有没有个人数据？",
        ],
        why: [
            "Columns are a contract with whoever processes the file.",
            "列是与处理该文件的人之间的约定。",
        ],
        options: [
            "The columns people see today/All columns of the record/A fixed list named by the owner",
            "列表上现有的列/记录的全部列/由负责人指定的固定列",
        ],
    },
    Subject {
        named: ["dmins may export", "只有管理员可以导出"],
        wanted: [
            "Whoever may not export is refused on every way to the function, and is told so.",
            "无权导出的人，无论从哪个入口都会被拒绝，并得到说明。",
        ],
        built: [
            "One policy function decides on the server; screens ask it only to hide controls.",
            "由服务器上的一个权限函数决定，界面只用它来隐藏按钮。",
        ],
        question: [
            "Which existing role is meant, and who grants it?",
            "指的是哪个现有角色，由谁授予？",
        ],
        why: [
            "If no such role exists yet, granting and revoking it is work of its own.",
            "如果还没有这个角色，授予和收回它就是另一项工作。",
        ],
        options: [
            "The existing administrator role/A new role, granted by administrators/A permission on single users",
            "现有的管理员角色/由管理员授予的新角色/授予单个用户的权限",
        ],
    },
];
