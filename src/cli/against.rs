//! `aitc check --against`: compares a plan with the commits that implement it.

use schemars::JsonSchema;
use serde::Serialize;

use super::versions::Opened;
use super::{CliError, Context, Exit};
use crate::check::{Against, Done, NewTest, against, junit, moved};
use crate::edge::knowledge::between;
use crate::fault::plans::COMMIT_UNKNOWN;
use crate::fault::{Text, texts, values};
use crate::machine::Lang;
use crate::ui::view::clean;
use crate::words::name_of;

texts! {
    TOUCHED: "Planned and touched: {n}", "规划了，也改动了：{n}";
    NOT_TOUCHED: "Planned, not touched: {n}", "规划了，没有改动：{n}";
    NOT_PLANNED: "Touched, not planned: {n}", "改动了，没有规划：{n}";
    SYMBOLS: "Symbols: {done} of {n} as planned", "符号：{n} 个中 {done} 个与规划一致";
    TESTS: "New tests by criterion", "各验收标准的新测试";
    OTHERS: "of no criterion that could be told", "看不出属于哪个标准";
    NONE: "none was recognised", "没有发现";
    WAS: "{planned}; was: {was}", "{planned}；实际：{was}";
    CUT: "note: more files differ than are compared; only the first are told", "说明：有差异的文件过多，只比较了前面的部分";
    TIPS: "no commit is known here that {range} both come from, so that these two themselves are compared, with what others changed meanwhile; in a clone without all of its history: git fetch --unshallow", "此处不知道 {range} 共同的来源提交，因此直接比较这两个提交，其中也包括他人在此期间的改动；如果克隆不含全部历史：git fetch --unshallow";
}

/// `aitc check --against … --json`.
#[derive(Serialize, JsonSchema)]
pub struct AgainstDocument {
    /// `N` of `vN`.
    version: u32,
    /// Whether the changes differ from the plan, in files or symbols.
    differs: bool,
    /// Whether the command ends with 12.
    fails: bool,
    /// Both, side by side.
    #[serde(flatten)]
    against: Against,
}

/// Prints the comparison of plan and commits; ends with 12 if they differ and `strict`.
pub fn run(
    opened: &Opened,
    range: &str,
    (strict, as_junit): (bool, bool),
    context: &Context,
) -> Result<Exit, CliError> {
    let document = compared(opened, range, strict, context)?;
    let text = match as_junit {
        true => junit(&document.against, document.version),
        false => lines(&document.against, context.lang(None)).join("\n"),
    };
    context.print(text.trim_end(), &document)?;
    Ok(Exit::found(document.fails))
}

/// Compares a plan with commits.
///
/// # Errors
/// The repository has no such commits.
pub fn compared(
    opened: &Opened,
    range: &str,
    strict: bool,
    context: &Context,
) -> Result<AgainstDocument, CliError> {
    let touched = between(&context.root, range)
        .map_err(|unknown| COMMIT_UNKNOWN.with(values![name = unknown.0]))?;
    if touched.are_tips {
        context.notice(&TIPS.fill(values![range]));
    }
    let against = against(&opened.state, touched);
    let differs = against.differs();
    Ok(AgainstDocument {
        version: opened.version.number,
        differs,
        fails: strict && differs,
        against,
    })
}

fn lines(against: &Against, lang: Lang) -> Vec<String> {
    let counted = |text: Text, n: usize| text.with(lang, values![n]);
    let row = |path: &str, said: &str| format!("  {} ({})", clean(path), clean(said));
    let change = |change| name_of("value", &change).of(lang);
    let mut lines = vec![counted(TOUCHED, against.done.len())];
    lines.extend(against.done.iter().map(|one| {
        let (planned, was) = (change(one.planned), change(one.was));
        let path = moved(&one.path, one.to.as_deref());
        match one.planned == one.was {
            true => row(&path, planned),
            false => row(&path, &WAS.with(lang, values![planned, was])),
        }
    }));
    lines.push(counted(NOT_TOUCHED, against.not_touched.len()));
    let planned = against.not_touched.iter();
    lines.extend(planned.map(|one| {
        let path = moved(&one.path, one.to.as_deref());
        row(&path, change(one.planned))
    }));
    lines.push(counted(NOT_PLANNED, against.not_planned.len()));
    let others = against.not_planned.iter();
    lines.extend(others.map(|one| row(&one.path, change(one.was))));
    if !against.symbols.is_empty() {
        let done = against.symbols.iter().filter(|one| one.state == Done::Done);
        let n = against.symbols.len();
        lines.push(SYMBOLS.with(lang, values![done = done.count(), n]));
        lines.extend(against.symbols.iter().map(|one| {
            let what = [name_of("symbol", &one.planned), name_of("done", &one.state)]
                .map(|text| text.of(lang));
            row(&format!("{} {}", one.path, one.name), &what.join(", "))
        }));
    }
    lines.push(TESTS.of(lang).to_owned());
    let named = |tests: &[NewTest]| {
        let tests = tests.iter();
        let tests = tests.map(|one| clean(&format!("{} ({}:{})", one.name, one.path, one.line)));
        match tests.len() {
            0 => NONE.of(lang).to_owned(),
            _ => tests.collect::<Vec<_>>().join(", "),
        }
    };
    let criteria = against.criteria.iter();
    lines.extend(criteria.map(|one| format!("  {}: {}", one.id, named(&one.tests))));
    if !against.other_tests.is_empty() {
        lines.push(format!(
            "  {}: {}",
            OTHERS.of(lang),
            named(&against.other_tests)
        ));
    }
    if against.cut {
        lines.push(CUT.of(lang).to_owned());
    }
    lines
}
