//! `aitc brief`: prints what a run would start from. No model is asked and nothing is written.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::requirement::REQUIREMENT;
use super::{Context, Exit, Fault, key, order, requirement, run_context, run_subject};
use crate::config::{Config, Layer};
use crate::edge::assets;
use crate::fault::texts;
use crate::machine::{Format, Lang, Survey};
use crate::prompt::{self, Opening};
use crate::ui::view::clean_page;

texts! {
    EXAMPLE: "aitc brief \"Export the customer list as CSV\"", "aitc brief \"将客户列表导出为 CSV\"";
}

/// Print what members see of the requirement and the repository; needs no model
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc brief [OPTIONS] [REQUIREMENT|-]",
    after_help = "Examples:\n  \
        aitc brief \"Export the customer list as CSV\"\n  \
        aitc brief -f requirement.md --knowledge docs\n  \
        aitc brief \"Export the customer list as CSV\" --json"
)]
pub struct BriefArgs {
    /// What you want, in your own words; `-` reads standard input
    requirement: Option<String>,
    /// Read the requirement from FILE; repeatable, the texts are joined
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    /// Folder with texts to search; repeatable
    #[arg(long, value_name = "DIR")]
    knowledge: Vec<String>,
    /// Language of the documents; default: that of the requirement
    #[arg(long, value_name = "zh|en")]
    doc_lang: Option<String>,
}

impl BriefArgs {
    fn config(&self, context: &Context) -> Result<Config, Fault> {
        let mut layer = Layer::default();
        if let Some(lang) = &self.doc_lang {
            layer.flag("--doc-lang", "doc_lang", lang)?;
        }
        layer.flag_list("--knowledge", "knowledge", self.knowledge.clone())?;
        context.config(layer)
    }
}

/// What `brief` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BriefDocument {
    /// What kind of run it would be the start of.
    pub format: Format,
    /// Language in which the documents are written.
    pub doc_lang: Lang,
    /// The requirement, whole, less its secrets.
    pub requirement: String,
    /// What was found in the repository and the knowledge folders.
    pub survey: Survey,
    /// Markdown: what the members would be shown.
    pub text: String,
}

/// Searches as a run does, and prints the beginning of its prompts.
pub fn run(args: &BriefArgs, context: &Context) -> Result<Exit, Fault> {
    let given = args.requirement.as_deref();
    let text = requirement::gather(REQUIREMENT, given, &args.files, EXAMPLE, context)?;
    let asked = order::read(text)?;
    let config = args.config(context)?;
    let requirement = key::redactor(&config, context).redact(&asked.text);
    let doc_lang = config
        .doc_lang
        .unwrap_or_else(|| run_subject::written_in(&requirement, context));
    let assets = assets::load(&context.root, doc_lang, None)?;
    let survey = run_context::survey(&requirement, &config, context);
    let opening = Opening {
        format: asked.format,
        requirement: &requirement,
        survey: Some(&survey),
        revised: None,
        feedback: &[],
    };
    let text = prompt::brief(&assets.templates, &assets.template_sources, &opening)?;
    let document = BriefDocument {
        format: asked.format,
        doc_lang,
        text: text.clone(),
        requirement,
        survey,
    };
    context.done(&clean_page(&text), &document)
}
