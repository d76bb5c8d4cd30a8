//! Checks without an endpoint: folders, repository, versions, roles, keys.

use super::super::models::{self, Chosen};
use super::super::{Context, versions};
use super::{Finding, Status};
use crate::config::Config;
use crate::edge::fs::RealFs;
use crate::edge::knowledge::is_ignored_by_git;
use crate::edge::store::{HOME, Outputs, verify};
use crate::edge::{assets, env, git};
use crate::fault::{Text, said_by_system, texts, values};
use crate::machine::{Lang, Version};

texts! {
    VERSION: "version {v}", "版本 {v}";
    AT_COMMIT: "{root}, at commit {commit}", "{root}，位于提交 {commit}";
    NO_REPOSITORY: "{root} is not a git repository, or has no commit", "{root} 不是 git 仓库，或还没有提交";
    MAKE_REPOSITORY: "git init && git commit --allow-empty -m begin, so that versions can be reviewed and compared", "git init && git commit --allow-empty -m begin，以便审阅和比较版本";
    IGNORED: "git ignores {folder}: what is published cannot be added", "git 忽略 {folder}：发布的内容无法加入仓库";
    UNIGNORE: "add the line `!/.ai-tools-chain/` to .gitignore, below the rule that hides it", "在 .gitignore 中隐藏它的规则之后加一行 `!/.ai-tools-chain/`";
    NO_FOLDER: "no folder to write in", "没有可写入的目录";
    WRITABLE: "{path} can be written", "{path} 可以写入";
    UNWRITABLE: "{path} cannot be written: {cause}", "{path} 无法写入：{cause}";
    MAKE_WRITABLE: "chmod u+w {path}, or work elsewhere with -C DIR", "chmod u+w {path}，或用 -C DIR 在别处工作";
    SOUND: "roles and templates are sound in both languages", "两种语言的角色与模板均无问题";
    COUNTS: "{published} published, {drafts} unfinished", "已发布 {published} 个，未完成 {drafts} 个";
    CHANGED: "{path} is not as it was published: {n} problems", "{path} 与发布时不同：{n} 处问题";
    OF_PATH: "{path}: {what}", "{path}：{what}";
    EMPTY: "{path} is empty", "{path} 中没有内容";
    UNFINISHED: "{path} is unfinished", "{path} 尚未完成";
    NOTHING_SET: "nothing is set; all settings are built-in defaults", "没有任何设置；全部使用内置值";
    SETTINGS: "{n} settings from {places}", "{n} 项设置，来自 {places}";
    RECORDED: "the recorded answers can be read", "已录制的回答可以读取";
    HAS_KEY: "{provider} has a key", "{provider} 有密钥";
    NO_KEY: "no key for {provider}; most local servers need none", "{provider} 没有密钥；多数本机服务不需要";
}

/// Checks the machine and the workspace.
pub(super) fn look(context: &Context) -> Vec<Finding> {
    let mut findings = vec![
        Finding::ok("aitc", VERSION.fill(values![v = env!("CARGO_PKG_VERSION")])),
        repository(context),
        writing(context),
        roles(context),
    ];
    if is_ignored_by_git(&context.root, HOME) {
        let what = IGNORED.fill(values![folder = HOME]);
        findings.insert(2, Finding::warn("repository", what, UNIGNORE));
    }
    findings.extend(versions(context));
    findings
}

fn repository(context: &Context) -> Finding {
    let root = context.root.display();
    match git::head(&context.root) {
        Some(commit) => {
            let short = commit.get(..12).unwrap_or(&commit);
            Finding::ok("repository", AT_COMMIT.fill(values![root, commit = short]))
        }
        None => Finding::warn(
            "repository",
            NO_REPOSITORY.fill(values![root]),
            MAKE_REPOSITORY,
        ),
    }
}

/// Checks that a run can write its folder, which is created if it is missing.
fn writing(context: &Context) -> Finding {
    let outputs = Outputs::at(versions::files(), &context.root);
    let Some(folder) = env::nearest_folder(outputs.root()) else {
        return Finding::new("writing", Status::Fail, NO_FOLDER, Text::NONE);
    };
    match env::try_writing(folder) {
        Ok(()) => Finding::ok("writing", WRITABLE.fill(values![path = folder.display()])),
        Err(error) => Finding::new(
            "writing",
            Status::Fail,
            UNWRITABLE.fill(values![
                path = folder.display(),
                cause = said_by_system(&error)
            ]),
            MAKE_WRITABLE.fill(values![path = folder.display()]),
        ),
    }
}

fn roles(context: &Context) -> Finding {
    for lang in [Lang::En, Lang::Zh] {
        if let Err(error) = assets::load(&context.root, lang, None) {
            return Finding::of("roles", &error);
        }
    }
    Finding::ok("roles", SOUND)
}

/// Returns a finding for all versions, and one for each that needs something.
fn versions(context: &Context) -> Vec<Finding> {
    let all = match versions::find_all(context) {
        Ok(all) => all,
        Err(error) => return vec![Finding::of("versions", &error)],
    };
    let mut findings = Vec::new();
    let drafts = all.iter().filter(|found| found.draft).count();
    findings.push(Finding::ok(
        "versions",
        COUNTS.fill(values![published = all.len() - drafts, drafts]),
    ));
    for found in all {
        let path = versions::shown(&found.folder, context);
        let version = found.version;
        if found.draft {
            findings.push(draft(&path, version, context, found));
        } else {
            match verify(&RealFs, &found.folder) {
                Ok(report) if report.is_clean() => {}
                Ok(report) => findings.push(Finding::new(
                    "versions",
                    Status::Fail,
                    CHANGED.fill(values![path, n = report.problems.len()]),
                    format!("aitc verify {version}; git checkout -- {path}"),
                )),
                Err(error) => {
                    let what = OF_PATH.fill(values![path, what = error.what()]);
                    let fix = format!("aitc verify {version}");
                    findings.push(Finding::new("versions", Status::Fail, what, fix));
                }
            }
        }
    }
    findings
}

fn draft(
    path: &str,
    version: Version,
    context: &Context,
    found: versions::FoundVersion,
) -> Finding {
    if versions::is_empty(&found.folder).unwrap_or(false) {
        let fix = format!("aitc verify {version} --repair");
        return Finding::warn("versions", EMPTY.fill(values![path]), fix);
    }
    match versions::read(found, context) {
        Ok(_) => Finding::warn(
            "versions",
            UNFINISHED.fill(values![path]),
            format!("aitc resume {version}"),
        ),
        Err(error) => Finding::of("versions", &error),
    }
}

/// Returns the finding that the configuration could be read.
pub(super) fn configuration(config: &Config) -> Finding {
    let mut places: Vec<String> = config
        .settings
        .values()
        .map(|setting| match &setting.origin {
            crate::config::Origin::File { path, .. } => path.clone(),
            other => other.to_string(),
        })
        .collect();
    places.sort();
    places.dedup();
    let what = match places.len() {
        0 => NOTHING_SET.into(),
        _ => SETTINGS.fill(values![
            n = config.settings.len(),
            places = places.join(", ")
        ]),
    };
    Finding::ok("configuration", what)
}

/// Checks recorded answers, if a run would use them.
pub(super) fn recordings(chosen: &Chosen, config: &Config, context: &Context) -> Option<Finding> {
    match models::recordings(chosen, config, context) {
        Ok(false) => None,
        Ok(true) => Some(Finding::ok("answers", RECORDED)),
        Err(error) => Some(Finding::of("answers", &error)),
    }
}

/// Checks which models would be used, and whether they have a key.
pub(super) fn models(chosen: &Chosen) -> Vec<Finding> {
    let mut findings = vec![Finding::ok("model", chosen.main.why.clone())];
    for (role, found) in &chosen.roles {
        findings.push(Finding::ok(
            "model",
            OF_PATH.fill(values![path = role, what = found.why]),
        ));
    }
    for found in chosen.all() {
        let Some(endpoint) = &found.endpoint else {
            continue;
        };
        let finding = if endpoint.api_key.is_some() {
            Finding::ok("key", HAS_KEY.fill(values![provider = found.provider]))
        } else {
            Finding::warn(
                "key",
                NO_KEY.fill(values![provider = found.provider]),
                Text::NONE,
            )
        };
        if findings.iter().all(|one| one.what != finding.what) {
            findings.push(finding);
        }
    }
    findings
}
