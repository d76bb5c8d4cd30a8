//! Errors of files, transcripts and versions on disk.

use super::rows;

rows! {
    FULL "E-storage-full" Storage {
        what: "cannot {doing} `{path}`: {cause}", "无法{doing} `{path}`：{cause}";
        why: "everything recorded before is kept", "此前的记录均已保留";
        fix: "make room on the disk or raise the quota, then run `aitc resume`, or the same command again if no run had started", "请腾出磁盘空间或提高配额，然后运行 `aitc resume`；若运行尚未开始，请重新执行原命令";
    }
    READ_ONLY "E-storage-read-only" Storage {
        what: "cannot {doing} `{path}`: {cause}", "无法{doing} `{path}`：{cause}";
        why: "the file system is read-only", "文件系统只读";
        fix: "work in a writable copy, or remount it", "请在可写的副本中工作，或重新挂载";
    }
    PERMISSION "E-storage-permission" Storage {
        what: "cannot {doing} `{path}`: {cause}", "无法{doing} `{path}`：{cause}";
        why: "this user may not do that there", "当前用户在此没有权限";
        fix: "check owner and permissions of `.ai-tools-chain`, then run `aitc resume`, or the same command again if no run had started", "请检查 `.ai-tools-chain` 的属主与权限，然后运行 `aitc resume`；若运行尚未开始，请重新执行原命令";
    }
    MISSING "E-storage-missing" Storage {
        what: "cannot {doing} `{path}`: {cause}", "无法{doing} `{path}`：{cause}";
        why: "a file or folder that must be there is not", "应当存在的文件或目录不存在";
        fix: "`aitc doctor` shows what is missing", "`aitc doctor` 显示缺少什么";
    }
    OTHER "E-storage" Storage {
        what: "cannot {doing} `{path}`: {cause}", "无法{doing} `{path}`：{cause}";
        why: "the system refused it", "操作被系统拒绝";
        fix: "check that path, then run `aitc doctor`", "请检查该路径，然后运行 `aitc doctor`";
    }
    WORKSPACE_FILE "E-workspace-file" Storage {
        what: "`{path}` is a file, and must be a folder", "`{path}` 是文件，而它应当是目录";
        why: "settings, drafts and versions are kept in it", "设置、草稿和版本都存放在其中";
        fix: "move the file away, then run the command again: mv {path} {path}.old", "请移走该文件，然后重新运行该命令：mv {path} {path}.old";
    }
    TRANSCRIPT_DAMAGED "E-transcript-damaged" Damaged {
        what: "`{path}` is damaged at line {line} (byte {offset}): {what}", "`{path}` 第 {line} 行（字节 {offset}）已损坏：{what}";
        why: "a transcript is read only up to its first damaged line", "会议记录只读到第一处损坏为止";
        fix: "`aitc verify` shows what is damaged, and of a draft what `--repair` would cut; restore the file from a copy or, if it was committed: git checkout -- {path}", "`aitc verify` 显示损坏之处，对草稿还会说明 `--repair` 将切下什么；从副本取回该文件；如果提交过：git checkout -- {path}";
    }
    TRANSCRIPT_LATER "E-transcript-later" Damaged {
        what: "`{path}` is damaged at line {line} (byte {offset}): {what}", "`{path}` 第 {line} 行（字节 {offset}）无法读取：{what}";
        why: "it was written by a later version of `aitc`", "它由更新版本的 `aitc` 写成";
        fix: "use the `aitc` that wrote it, or a later one", "请使用写成它的 `aitc`，或更新的版本";
    }
    TRANSCRIPT_EARLIER "E-transcript-earlier" Damaged {
        what: "`{path}` cannot be read, line {line}: {what}", "无法读取 `{path}` 第 {line} 行：{what}";
        why: "a build of `aitc` from before 0.1.0 wrote it; 0.1.0 and later do not read such transcripts", "它由 0.1.0 之前的 `aitc` 写成；0.1.0 及更新的版本不读取这种会议记录";
        fix: "read it with the `aitc` that wrote it (`tool` in line 1), or run the workshop again: aitc plan \"…\"", "请用写成它的 `aitc`（第 1 行的 `tool`）读取，或重新召开研讨：aitc plan \"…\"";
    }
    TRANSCRIPT_REFUSED "E-transcript-refused" Damaged {
        what: "`{path}` is damaged at line {line} (byte {offset}): {what}", "`{path}` 第 {line} 行（字节 {offset}）不合规则：{what}";
        why: "a transcript is read only up to its first damaged line", "会议记录只读到第一处损坏为止";
        fix: "`aitc verify` shows whether bytes were changed; if not, use the `aitc` that wrote it", "`aitc verify` 可查明字节是否被改动；若没有，请使用写成它的 `aitc`";
    }
    TRANSCRIPT_MISSING "E-transcript-missing" Damaged {
        what: "cannot {doing} `{path}`: {cause}", "无法{doing} `{path}`：{cause}";
        why: "a version without its transcript is damaged", "缺少会议记录的版本是损坏的";
        fix: "restore the file from a copy or, if it was committed: git checkout -- {path}", "从副本取回该文件；如果提交过：git checkout -- {path}";
    }
    TRANSCRIPT_EMPTY "E-transcript-empty" Damaged {
        what: "the transcript of {path} is empty", "{path} 的会议记录是空的";
        why: "nothing was recorded before the run was cut off, or the file was emptied", "运行在留下记录之前中断，或文件被清空";
        fix: "restore it from a copy or, if it was committed: git checkout -- {path}", "从副本取回；如果提交过：git checkout -- {path}";
    }
    TRANSCRIPT_EXISTS "E-transcript-exists" Held {
        what: "`{path}` is already there", "`{path}` 已经存在";
        why: "another run has started there", "那里已经开始了另一次运行";
        fix: "run `aitc resume` to continue it", "运行 `aitc resume` 继续";
    }
    TRANSCRIPT_FOREIGN "E-transcript-foreign" Held {
        what: "another process writes to `{path}`: it has {found} bytes instead of {expected}", "另一个进程正在写入 `{path}`：它有 {found} 字节，而不是 {expected} 字节";
        why: "two processes may not write the same transcript", "两个进程不能同时写一份会议记录";
        fix: "let one process finish, then run `aitc verify` and `aitc resume`", "等其中一个进程结束，然后运行 `aitc verify` 和 `aitc resume`";
    }
    TRANSCRIPT_CLOSED "E-transcript-closed" Storage {
        what: "`{path}` takes no more lines: an earlier write failed", "`{path}` 不再接受新行：先前的写入失败了";
        why: "a line is missing, and no line may follow it", "上一行没有写完整，不能接着往后写";
        fix: "run `aitc resume`", "运行 `aitc resume`";
    }
    TRANSCRIPT_OTHER_END "E-transcript-other-end" Damaged {
        what: "the transcript ends in `{found}`, the run in `{expected}`", "会议记录以 `{found}` 结尾，而运行以 `{expected}` 结尾";
        why: "the file was changed while the run was in progress", "运行期间有人改动了该文件";
        fix: "run `aitc verify`, then `aitc resume`", "运行 `aitc verify`，然后 `aitc resume`";
    }
    VERSION_EXISTS "E-version-exists" Held {
        what: "`{path}` is already there", "`{path}` 已经存在";
        why: "a version never changes", "版本一旦发布就不再改变";
        fix: "`aitc revise` makes the next one", "`aitc revise` 生成下一个版本";
    }
    DRAFT_MISSING "E-draft-missing" Usage {
        what: "there is no draft `{path}`", "没有草稿 `{path}`";
        why: "a run continues in the folder where it was started", "运行只能在开始时所在的目录中继续";
        fix: "`aitc status` shows versions and drafts", "`aitc status` 列出版本和草稿";
    }
    PATH_UNFIT "E-path-unfit" Storage {
        what: "`{path}` cannot be written: {why}", "无法写入 `{path}`：{why}";
        why: "a file or folder that is there already is not overwritten", "那里已有的内容不会被覆盖";
        fix: "move away what is there, then run `aitc resume`", "请移走那里的内容，然后运行 `aitc resume`";
    }
}
