//! `aitc export`: writes a published plan as a file that other programs import.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

use super::threads::{self, Plan};
use super::versions::{self, Opened};
use super::{Context, Exit, Fault, show};
use crate::artifact;
use crate::edge::env;
use crate::edge::fs::IoContext as _;
use crate::edge::store::Outputs;
use crate::export::{self, ExportFormat, Exported};
use crate::fault::line::{OUT_AMONG_VERSIONS, OUT_EXISTS};
use crate::fault::{Text, texts, values};
use crate::machine::Version;
use crate::page::{self, PageTarget};
use crate::ui::view::{clean, clean_page};

texts! {
    WRITTEN: "{n} items of {plan} written to {path}", "已将 {plan} 的 {n} 项写入 {path}";
    WRITTEN_WHOLE: "{plan} written to {path}", "已将 {plan} 写入 {path}";
    WOULD_WHOLE: "{plan}, {bytes} bytes, would be written to {path}", "将把 {plan}（{bytes} 字节）写入 {path}";
    WOULD: "{n} items of {plan}, {bytes} bytes, would be written to {path}", "将把 {plan} 的 {n} 项（{bytes} 字节）写入 {path}";
    OF_PLAN: "{path}: {what}", "{path}：{what}";
    NEW_OR_FORCE: "name a new file, or add --force", "请指定新文件，或加上 --force";
    STDOUT: "standard output", "标准输出";
}

/// Export a plan: for trackers, spreadsheets, test management
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc export [OPTIONS] <FORMAT> [vN]",
    after_help = "Formats:\n  \
        md          the report\n  \
        html        one page for a browser: report, rounds, issues, debates, documents\n  \
        json        everything structured about the version\n  \
        junit       test cases as JUnit XML, all of them skipped\n  \
        csv         work items as a table\n  \
        tasks-md    work items as a check list\n  \
        taskmaster  tasks.json of Task Master\n  \
        github      a script that makes issues with gh\n  \
        jira        a table for Jira's CSV importer\n  \
        linear      a table for Linear's CSV importer\n\n\
        Examples:\n  \
        aitc export tasks-md\n  \
        aitc export jira v2 --out issues.csv\n  \
        aitc export github --out issues.sh && sh issues.sh"
)]
pub struct ExportArgs {
    /// Format to export; see below
    #[arg(value_name = "FORMAT", value_enum, hide_possible_values = true)]
    format: ExportKind,
    /// Which version; default: the latest
    #[arg(value_name = "vN")]
    version: Option<Version>,
    /// Write to F, which must be new, instead of stdout
    #[arg(long, value_name = "F")]
    out: Option<PathBuf>,
    /// With --out: replace an existing file
    #[arg(long, requires = "out")]
    force: bool,
    /// Say what would be written
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportKind {
    Md,
    Html,
    Json,
    Junit,
    Csv,
    TasksMd,
    Taskmaster,
    Github,
    Jira,
    Linear,
}

/// What `export` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportDocument {
    /// Number of the version: `N` of `vN`.
    pub version: u32,
    /// As it was asked for.
    pub format: String,
    /// How many work items or test cases; null if the whole plan is exported.
    pub items: Option<usize>,
    /// The file, as it was asked for; null for stdout.
    pub path: Option<String>,
    /// Whether a file was written.
    pub written: bool,
    /// The text, unless it was written to a file.
    pub text: Option<String>,
}

/// Prints the plan in that form, or writes it to a file.
pub fn run(args: &ExportArgs, context: &Context) -> Result<Exit, Fault> {
    let opened = match (args.format, args.version) {
        (ExportKind::Md | ExportKind::Html, Some(_)) => versions::open(args.version, context)?,
        // Without a published plan, the latest version or draft is exported.
        (ExportKind::Md | ExportKind::Html, None) => {
            versions::open_published_plan(None, context)
                .or_else(|none| versions::open(None, context).map_err(|_| none))?
        }
        _ => versions::open_published_plan(args.version, context)?,
    };
    let (text, items) = made(args.format, &opened, context)?;
    let out = args.out.as_deref();
    if let Some(out) = out {
        check_target(&context.path(out), args.force, context)?;
    }
    let write = out.filter(|_| !args.dry_run);
    if let Some(out) = write {
        let path = context.path(out);
        env::replace_file(&path, text.as_bytes()).doing("write", &path)?;
    }
    let lang = context.lang(None);
    let shown_path = out.map(|path| path.display().to_string());
    let said = |line: Text| {
        let path = shown_path.as_deref().unwrap_or(STDOUT.of(lang));
        let (n, bytes) = (items.unwrap_or_default(), text.len());
        let places = values![n, plan = opened.path, bytes, path];
        clean(&line.with(lang, places))
    };
    let shown = match (args.dry_run, write.is_some()) {
        (true, _) => said(items.map_or(WOULD_WHOLE, |_| WOULD)),
        (false, true) => said(items.map_or(WRITTEN_WHOLE, |_| WRITTEN)),
        // A pipe gets every byte, a terminal nothing that could steer it.
        (false, false) if context.env.stdout_terminal => clean_page(&text),
        (false, false) => text.clone(),
    };
    let document = ExportDocument {
        version: opened.version.number,
        format: args
            .format
            .to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned()),
        items,
        written: write.is_some(),
        path: shown_path.clone(),
        text: (out.is_none() && !args.dry_run).then(|| text.clone()),
    };
    context.done(&shown, &document)
}

/// The text, and how many items are in it.
fn made(
    kind: ExportKind,
    opened: &Opened,
    context: &Context,
) -> Result<(String, Option<usize>), Fault> {
    let format = match kind {
        ExportKind::Md => {
            let report = opened.state.inputs.format.report();
            return Ok((file(opened, report)?, None));
        }
        ExportKind::Html => {
            let files = artifact::render(&opened.state)?;
            let lang = opened.state.inputs.doc_lang;
            let plan = Plan::of(opened);
            let review = (!opened.draft && opened.version.format.is_workshop())
                .then(|| threads::review(plan, context));
            let page = page::whole(
                &opened.state,
                &files,
                review.as_ref(),
                PageTarget::File,
                lang,
            );
            return Ok((page.map_err(|error| of_plan(error, opened))?, None));
        }
        ExportKind::Json => return Ok((file(opened, "planning.ai.json")?, None)),
        ExportKind::Junit => ExportFormat::Junit,
        ExportKind::Csv => ExportFormat::Csv,
        ExportKind::TasksMd => ExportFormat::TasksMd,
        ExportKind::Taskmaster => ExportFormat::Taskmaster,
        ExportKind::Github => ExportFormat::Github,
        ExportKind::Jira => ExportFormat::Jira,
        ExportKind::Linear => ExportFormat::Linear,
    };
    let Exported { text, items } = export::export(&artifact::structured(&opened.state), format)
        .map_err(|error| of_plan(error, opened))?;
    Ok((text, Some(items)))
}

fn of_plan(told: Fault, opened: &Opened) -> Fault {
    let what = OF_PLAN.fill(values![path = opened.path, what = told.what()]);
    told.saying(what)
}

/// A file of the version as the transcript gives it.
fn file(opened: &Opened, name: &str) -> Result<String, Fault> {
    let made = show::made(opened, name)?;
    made.ok_or_else(|| show::not_written(opened, name))
}

/// Refuses to replace a file unless forced; a version is never replaced.
fn check_target(path: &Path, force: bool, context: &Context) -> Result<(), Fault> {
    let outputs = Outputs::at(versions::file_system(), &context.root);
    if env::lies_in(path, outputs.home()) {
        return Err(OUT_AMONG_VERSIONS.with(values![path = path.display()]));
    }
    let fs = versions::file_system();
    let there = fs.exists(path).doing("look at", path)?;
    if there && !force {
        let fault = OUT_EXISTS.with(values![path = path.display()]);
        return Err(fault.fixed_by(NEW_OR_FORCE));
    }
    Ok(())
}
