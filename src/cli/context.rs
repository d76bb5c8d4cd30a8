//! The context of a command: the workspace, the configuration, the form of the output.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::Value;

use crate::config::{self, Config, ConfigSource, Layer, PROJECT_FILE};
use crate::edge::env::{self, Env};
use crate::edge::fs::{Fs as _, RealFs};
use crate::edge::locked;
use crate::edge::model::providers;
use crate::edge::safe_open::{self, FileUse};
use crate::fault::line::{FOLDER_MISSING, INTERNAL, STDOUT};
use crate::fault::settings::{CONFIG_NOT_UTF8, CONFIG_UNREADABLE, PROGRAM_FORBIDDEN};
use crate::fault::storage::WORKSPACE_FILE;
use crate::fault::{Exit, Fault, Message, said_by_system, texts, values};
use crate::machine::{Lang, Version};
use crate::ui::view::{self, Style};
use anyhow::Context as _;

texts! {
    NOTE: "note: {text}", "提示：{text}";
    PASSED_OVER: "warning: {what}; this command does without it, `aitc config show` says more", "警告：{what}；本命令不使用该设置，详情请运行 `aitc config show`";
    NOT_READ: "`{file}` is not read; its name must end with `.yaml`", "不会读取 `{file}`；文件名须以 `.yaml` 结尾";
}

const FOLDER: &str = ".ai-tools-chain";
/// Names of files that look like the configuration but are not read.
const MISSPELLED: [&str; 2] = [".ai-tools-chain/config.yml", ".ai-tools-chain/team.yml"];

/// Returns the language set by a flag or by one of our variables.
pub fn told_lang(flag: Option<&str>, env: &Env) -> Option<Lang> {
    let told = flag
        .or_else(|| env.variable("AITC_LANGUAGE"))
        .or_else(|| env.variable("AITC_LANG"))?;
    Some(if told == "zh" { Lang::Zh } else { Lang::En })
}

/// Format of the output on stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people.
    Text,
    /// One document with `"v": 1`.
    Json,
    /// One transcript line an event, then the document.
    StreamJson,
}

impl OutputFormat {
    /// Returns whether the output is for programs.
    pub fn is_json(self) -> bool {
        self != Self::Text
    }
}

/// When to use colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Flags of every command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Work as if started in DIR
    #[arg(short = 'C', long = "directory", value_name = "DIR", global = true)]
    pub(super) directory: Option<PathBuf>,
    /// Read this file instead of your own configuration
    #[arg(long, value_name = "F", global = true)]
    pub(super) config: Option<PathBuf>,
    /// Profile of the configuration to use
    #[arg(long, value_name = "NAME", global = true)]
    pub(super) profile: Option<String>,
    /// Language of messages
    #[arg(long, value_name = "zh|en", value_parser = ["zh", "en"], hide_possible_values = true, global = true)]
    pub(super) lang: Option<String>,
    /// Format of the output on stdout
    #[arg(
        long,
        value_name = "text|json|stream-json",
        value_enum,
        hide_possible_values = true,
        global = true,
        conflicts_with = "json"
    )]
    pub(super) output_format: Option<OutputFormat>,
    /// Short for --output-format json
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// When to use colour
    #[arg(
        long,
        value_name = "auto|always|never",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true,
        global = true
    )]
    pub(super) color: Color,
    /// Use words instead of symbols, no colour
    #[arg(long, global = true)]
    pub(super) plain: bool,
    /// Show warnings and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Log unusual events; -vv logs every call
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(super) verbose: u8,
    /// Never ask for input
    #[arg(long, global = true)]
    pub(super) no_input: bool,
    /// How a text names commands that are typed at a chat's prompt; none outside of one. Where it
    /// is set, parties stay drafts: see [`saves_later`](Context::saves_later).
    #[arg(skip)]
    pub(super) in_chat: Option<fn(&str) -> String>,
}

impl Global {
    /// Returns these flags, with missing ones taken from `under`.
    pub(super) fn or(self, under: &Self) -> Self {
        let under = under.clone();
        // A form of output replaces any other.
        let says_form = self.json || self.output_format.is_some();
        Self {
            directory: self.directory.or(under.directory),
            config: self.config.or(under.config),
            profile: self.profile.or(under.profile),
            lang: self.lang.or(under.lang),
            output_format: self
                .output_format
                .or(under.output_format.filter(|_| !says_form)),
            json: self.json || (under.json && !says_form),
            color: match self.color {
                Color::Auto => under.color,
                said => said,
            },
            plain: self.plain || under.plain,
            quiet: self.quiet || under.quiet,
            verbose: self.verbose.max(under.verbose),
            no_input: self.no_input || under.no_input,
            in_chat: self.in_chat.or(under.in_chat),
        }
    }
}

/// Who answers for the members, chosen for the lifetime of this process: a key of the
/// configuration, the flag for it, and its value.
#[derive(Debug, Clone)]
pub struct ChosenProvider {
    /// `provider` or `base_url`.
    pub key: &'static str,
    /// The flag with the same meaning.
    pub flag: &'static str,
    /// Its value.
    pub value: String,
}

/// A configuration file.
pub struct ConfigFile {
    /// Its source.
    pub source: ConfigSource,
    /// Path of the file.
    pub path: PathBuf,
    /// Whether the user named it, so that it has to exist.
    pub is_named: bool,
}

/// The context of a command.
#[derive(Debug, Clone)]
pub struct Context {
    /// Flags of every command.
    pub global: Global,
    /// The process's environment.
    pub env: Env,
    /// Root of the workspace.
    pub root: PathBuf,
    /// The folder to which relative paths in arguments refer.
    pub start: PathBuf,
    /// Settings that the flags of a chat make for every command typed there.
    pub standing: Layer,
    /// How a text names commands that are typed outside of the folder of `-C`.
    pub elsewhere: Option<fn(&str, &Path) -> String>,
    /// Language of messages, if a configuration file sets it.
    configured: Option<Lang>,
    /// Whether the configuration was read, which reports any error in it.
    asked: Arc<AtomicBool>,
    /// What this process keeps from one command of a chat to the next.
    kept: Arc<Mutex<ChatMemory>>,
}

/// What a process keeps from one command to the next.
#[derive(Debug, Default)]
pub struct ChatMemory {
    /// Who answers for the members, if the user was asked.
    pub provider: Option<ChosenProvider>,
    /// Which agents may read the workspace by themselves, if the user was asked.
    pub consents: BTreeMap<String, bool>,
    /// Complete but unsaved conversations of a chat, in order.
    pub unsaved: Vec<Version>,
}

impl Context {
    /// Determines workspace and language. Of the configuration it reads only the language and
    /// reports no error: commands that need it report errors, and [`Self::passed_over`] does so for
    /// the others.
    ///
    /// # Errors
    /// `-C` names no folder.
    pub fn new(global: Global, env: Env) -> Result<Self, Fault> {
        let start = global
            .directory
            .clone()
            .unwrap_or_else(|| PathBuf::from("."));
        let root = env::workspace(&start).map_err(|error| {
            let cause = said_by_system(&error);
            FOLDER_MISSING.with(values![path = start.display(), cause])
        })?;
        let mut context = Self {
            global,
            env,
            root,
            // Relative folders are also resolved from other places.
            start: std::path::absolute(&start).unwrap_or(start),
            elsewhere: None,
            standing: Layer::default(),
            configured: None,
            asked: Arc::default(),
            kept: Arc::default(),
        };
        context.configured = context.configured_lang();
        Ok(context)
    }

    fn configured_lang(&self) -> Option<Lang> {
        let layers = self
            .config_files()
            .filter_map(|file| self.layer(&file).ok());
        Config::resolve(&layers.collect::<Vec<_>>()).language
    }

    /// As [`new`](Self::new), for one line of a chat with its own flags.
    ///
    /// # Errors
    /// `-C` names no folder.
    pub fn for_line(&self, global: Global) -> Result<Self, Fault> {
        Ok(Self {
            kept: Arc::clone(&self.kept),
            standing: self.standing.clone(),
            ..Self::new(global, Env::capture())?
        })
    }

    /// Returns whether a run of that name stays a draft when it is complete: a chat is published
    /// only when the user says so.
    pub fn saves_later(&self, run: Version) -> bool {
        self.global.in_chat.is_some() && run.format == crate::machine::Format::Party
    }

    /// What this process keeps from one command to the next, for changes.
    pub fn kept(&self) -> MutexGuard<'_, ChatMemory> {
        locked(&self.kept)
    }

    /// Returns the context of a command that works in another folder.
    pub fn within(&self, folder: &Path) -> Result<Self, Fault> {
        let global = Global {
            directory: Some(folder.to_owned()),
            ..self.global.clone()
        };
        Self::new(global, self.env.clone())
    }

    /// Resolves a path of an argument, relative to the command's folder.
    pub fn path(&self, given: &Path) -> PathBuf {
        self.start.join(given)
    }

    /// Returns the format of the output on stdout.
    pub fn format(&self) -> OutputFormat {
        match self.global.output_format {
            Some(format) => format,
            None if self.global.json => OutputFormat::Json,
            None => OutputFormat::Text,
        }
    }

    /// Returns whether somebody can be asked on the terminal.
    pub fn somebody_there(&self) -> bool {
        let terminal = self.env.stdin_terminal && self.env.stderr_terminal;
        terminal && !self.global.no_input && !self.env.is_ci()
    }

    /// Returns the language of messages: flag, variable, configuration, locale.
    pub fn lang(&self, config: Option<&Config>) -> Lang {
        let configured = match config {
            Some(config) => config.language,
            None => self.configured,
        };
        told_lang(self.global.lang.as_deref(), &self.env)
            .or(configured)
            .unwrap_or_else(|| self.env.locale_lang())
    }

    /// Returns the style of lines on stderr.
    pub fn style(&self, lang: Lang) -> Style {
        self.style_of(lang, self.env.stderr_terminal)
    }

    /// Returns the style of lines on stdout.
    pub fn style_out(&self, lang: Lang) -> Style {
        self.style_of(lang, self.env.stdout_terminal)
    }

    /// Formats a page of columns for stdout: a terminal gets rows of its width, a pipe each row in
    /// full.
    pub fn columned(&self, page: &str, lang: Lang) -> String {
        if self.env.stdout_terminal {
            view::columns(page, &self.style_out(lang))
        } else {
            page.to_owned()
        }
    }

    /// Formats other people's text for stdout: a pipe gets it unchanged, a terminal without control
    /// characters.
    pub fn page(&self, text: &str) -> String {
        match self.env.stdout_terminal {
            true => view::clean_page(text),
            false => text.to_owned(),
        }
    }

    /// Formats a page of marked rows for stdout, as [`columned`](Self::columned) does.
    pub fn hung(&self, page: &str, lang: Lang) -> String {
        if self.env.stdout_terminal {
            view::hanging(page, &self.style_out(lang))
        } else {
            page.to_owned()
        }
    }

    fn style_of(&self, lang: Lang, terminal: bool) -> Style {
        let plain = self.global.plain || self.env.variable("TERM") == Some("dumb");
        let color = match self.global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => self.env.wants_color(terminal),
        };
        Style {
            width: self.env.width(),
            color: color && !plain,
            plain,
            lang,
            verbose: self.global.verbose,
        }
    }

    /// Reads and merges all layers below `flags`; the first time it also reports unknown variables
    /// and the like on stderr.
    ///
    /// # Errors
    /// A file or variable is wrong; the error has its place.
    pub fn config(&self, flags: Layer) -> Result<Config, Fault> {
        let is_first = !self.asked.swap(true, Ordering::Relaxed);
        let mut layers = config::with_profile(self.layers(flags, is_first)?)?;
        // The active profile of the project is known only now.
        if let [_, variables, project, user] = layers.as_mut_slice() {
            let file = self.own_file().map(|file| file.source.path().to_owned());
            let file = file.unwrap_or_default();
            let own = [&*variables, &*user];
            *project = no_command_in_project(std::mem::take(project), own, &file)?;
        }
        Ok(Config::resolve(&layers))
    }

    /// Checks that the file named with `--config` exists, even if the command does not need it.
    pub fn named_config(&self) -> Result<(), Fault> {
        match self.own_file().filter(|file| file.is_named) {
            Some(file) => self.config_text(&file).map(drop),
            None => Ok(()),
        }
    }

    /// Warns of an invalid configuration that the command did not need; it does not prevent
    /// `status`, `answer` or `stop`.
    pub fn passed_over(&self) {
        if self.asked.load(Ordering::Relaxed) {
            return;
        }
        let lang = self.lang(None);
        for fault in self
            .config_files()
            .filter_map(|file| self.layer(&file).err())
        {
            let what = fault.what().of(lang).replace('\n', " ");
            let line = PASSED_OVER.with(lang, values![what = view::clean(&what)]);
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    /// Returns the layers of all sources, the strongest first; `tells` reports what was ignored.
    fn layers(&self, mut flags: Layer, tells: bool) -> Result<Vec<Layer>, Fault> {
        flags.flags(&[
            ("--lang", "language", &self.global.lang),
            ("--profile", "profile", &self.global.profile),
        ])?;
        let mut flags = flags.or(&self.standing);
        let is_named = ["provider", "base_url"].map(|key| flags.value(key).is_some());
        let chosen = self.kept().provider.clone();
        if let Some(chosen) = chosen.filter(|_| is_named == [false; 2]) {
            flags.flag(chosen.flag, chosen.key, &chosen.value)?;
        }
        let project = self.layer(&self.project_file())?;
        let user = match self.own_file() {
            Some(file) => self.layer(&file)?,
            None => Layer::default(),
        };
        let variables = self.env.variables.iter();
        let variables = variables.map(|(name, text)| (name.as_str(), text.as_str()));
        let mut known: Vec<&str> = user.providers().collect();
        for name in providers::names() {
            known.push(name);
        }
        // A variable writes the hyphens of a provider's name as underscores: names that are in use
        // tell which name it means.
        let (first, _) = Layer::from_env(variables.clone(), &known)?;
        let used = [&flags, &first, &project, &user];
        known.extend(used.into_iter().flat_map(Layer::named_providers));
        let (env_layer, remarks) = Layer::from_env(variables, &known)?;
        if tells {
            for remark in remarks {
                self.notice(&remark);
            }
            // A path that cannot be accessed is not meant as a file.
            let exists = |file: &&&str| RealFs.exists(&self.root.join(file)).unwrap_or(false);
            for file in MISSPELLED.iter().filter(exists) {
                self.notice(&NOT_READ.fill(values![file]));
            }
        }
        Ok(vec![flags, env_layer, project, user])
    }

    /// Returns the project's file, whether it exists or not.
    pub fn project_file(&self) -> ConfigFile {
        let own = self.own_file().map(|file| file.source.path().to_owned());
        ConfigFile {
            source: ConfigSource::Project {
                path: PROJECT_FILE.to_owned(),
                user_file: own.unwrap_or_else(|| "~/.config/aitc/config.yaml".to_owned()),
            },
            path: self.root.join(PROJECT_FILE),
            is_named: false,
        }
    }

    /// Returns the user's own file, whether it exists or not; `None` without a folder for it.
    pub fn own_file(&self) -> Option<ConfigFile> {
        let variable = || self.env.variable("AITC_CONFIG").map(Path::new);
        let named = self.global.config.as_deref().or_else(variable);
        let named = named.map(|given| self.path(given));
        let is_named = named.is_some();
        let path = named.or_else(|| self.env.user_config())?;
        let source = ConfigSource::User {
            path: path.display().to_string(),
        };
        Some(ConfigFile {
            source,
            path,
            is_named,
        })
    }

    fn config_files(&self) -> impl Iterator<Item = ConfigFile> {
        std::iter::once(self.project_file()).chain(self.own_file())
    }

    /// Checks that `.ai-tools-chain` is not a file.
    ///
    /// # Errors
    /// It is a file.
    pub fn has_no_file_for_folder(&self) -> Result<(), Fault> {
        match env::is_no_folder(&self.root.join(FOLDER)) {
            true => Err(WORKSPACE_FILE.with(values![path = FOLDER])),
            false => Ok(()),
        }
    }

    /// Reads a configuration file; an optional one may be missing.
    pub fn layer(&self, file: &ConfigFile) -> Result<Layer, Fault> {
        match self.config_text(file)? {
            Some(text) => config::parse(&text, &file.source),
            None => Ok(Layer::default()),
        }
    }

    /// Returns the text of a configuration file; `None` if an optional one is missing.
    ///
    /// # Errors
    /// It cannot be read, or is not UTF-8.
    pub fn config_text(&self, file: &ConfigFile) -> Result<Option<String>, Fault> {
        let path = file.source.path();
        let read = match file.source {
            ConfigSource::Project { .. } => {
                self.has_no_file_for_folder()?;
                safe_open::beneath(&self.root, Path::new(path), FileUse::Settings)
            }
            ConfigSource::User { .. } => safe_open::read_named(&file.path, FileUse::Settings),
        };
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !file.is_named => {
                return Ok(None);
            }
            Err(error) => {
                let cause = said_by_system(&error);
                return Err(CONFIG_UNREADABLE.with(values![path, cause]));
            }
        };
        String::from_utf8(bytes).map(Some).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
            CONFIG_NOT_UTF8.with(values![path, line])
        })
    }

    /// Prints a notice on stderr.
    pub fn notice(&self, text: &Message) {
        if !self.global.quiet {
            let lang = self.lang(None);
            let mut note = self.hinted(note(text, lang));
            if self.env.stderr_terminal {
                note = view::hung(&note, &self.style(lang));
            }
            let _ = writeln!(std::io::stderr(), "{note}");
        }
    }

    /// Returns a text of the program with its commands as they are typed here.
    pub fn hinted(&self, text: String) -> String {
        match (self.global.in_chat, self.elsewhere, &self.global.directory) {
            (None, Some(named), Some(folder)) => named(&text, folder),
            _ => self.as_typed(text),
        }
    }

    /// Returns the text; its commands are what is typed in a chat, if this is one.
    pub fn as_typed(&self, text: String) -> String {
        match self.global.in_chat {
            Some(named) => named(&text),
            None => text,
        }
    }

    /// Prints lines on stderr.
    pub fn show(&self, lines: &str) {
        let _ = writeln!(std::io::stderr(), "{lines}");
    }

    /// As [`print`](Self::print), then ends with success.
    pub fn done(&self, text: &str, document: &impl Serialize) -> Result<Exit, Fault> {
        self.print(text, document)?;
        Ok(Exit::Done)
    }

    /// Prints the result: the document for programs, or for people the list of that name, made of
    /// `facts`.
    ///
    /// # Errors
    /// As [`print`](Self::print).
    pub fn list(
        &self,
        name: &str,
        facts: &impl Serialize,
        document: &impl Serialize,
    ) -> Result<(), Fault> {
        let lang = self.lang(None);
        let list = view::list(name, facts, &self.style_out(lang));
        self.print(&self.columned(&list, lang), document)
    }

    /// Prints the result: the document for programs, or the text for people.
    ///
    /// # Errors
    /// Stdout cannot be written; a closed pipe is no error.
    pub fn print(&self, text: &str, document: &impl Serialize) -> Result<(), Fault> {
        let mut whole = if self.format().is_json() {
            let document = serde_json::to_value(document)
                .context("JSON")
                .map_err(|error| internal(&error))?;
            view::clean_json(&versioned(document).to_string())
        } else {
            text.to_owned()
        };
        if !whole.is_empty() && !whole.ends_with('\n') {
            whole.push('\n');
        }
        let mut stdout = std::io::stdout().lock();
        match stdout
            .write_all(whole.as_bytes())
            .and_then(|()| stdout.flush())
        {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(STDOUT.with(values![cause = said_by_system(&error)]))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the fault for an internal error, which no action of the user causes, with its causes.
pub(super) fn internal(error: &anyhow::Error) -> Fault {
    INTERNAL.with(values![what = format!("{error:#}")])
}

/// Returns the project's layer, after checking that it does not choose a provider that runs a
/// program. `own` is where the user describes providers: variables and file.
fn no_command_in_project(project: Layer, own: [&Layer; 2], file: &str) -> Result<Layer, Fault> {
    let described = |name: &str| {
        let key = format!("providers.{name}.command");
        own.iter().any(|layer| layer.value(&key).is_some())
    };
    for (key, setting) in project.iter() {
        let text = setting.value.as_str().unwrap_or_default();
        let name = match key {
            "provider" => text,
            _ if key.starts_with("role_models.") => {
                text.split_once(':').map_or("", |(provider, _)| provider)
            }
            _ => continue,
        };
        if providers::is_command(name) || described(name) {
            return Err(setting
                .origin
                .wrong(PROGRAM_FORBIDDEN.with(values![name, file])));
        }
    }
    Ok(project)
}

/// Returns the document with the version of its format before everything else.
fn versioned(document: Value) -> Value {
    let mut whole = serde_json::Map::from_iter([("v".to_owned(), Value::from(1))]);
    if let Value::Object(members) = document {
        whole.extend(members);
    }
    Value::Object(whole)
}

/// Formats a notice as a line.
pub fn note(text: &Message, lang: Lang) -> String {
    NOTE.with(lang, values![text = view::clean(text.of(lang))])
}
