//! A model that is any program that reads a prompt on standard input and prints a reply.
//!
//! The program is started without a shell, in an empty folder of its own: a coding agent started in
//! a cloned repository would obey that repository's settings and hooks. An agent with known
//! switches may still read the repository, or work in a copy of it, see [`Agent`]. It never
//! receives a variable of `aitc`. It runs in its own process group. The whole group is killed when
//! the call is given up (timeout or interrupt), when the program stops to ask something on the
//! terminal, and when it has ended but left processes behind.

mod agents;
mod copy;
mod help;
mod output;
mod process;

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tokio::time::timeout;

pub use self::agents::{AGENTS, Agent, ReplyFormat, WorkingFolder};
use self::agents::{PROGRAM, TREE};
use self::copy::OwnCopy;
pub use self::help::{Help, help};
use self::process::{ProcessFailure, ProcessOutput};
use super::address::without_addresses;
use super::failure::Failures;
use super::http::Timeouts;
use super::messages::in_words;
use super::{CallFailure, ChatModel, estimate_tokens};
use crate::chat::{AnswerFormat, ChatRequest, ChatResponse, ChatRole, Usage};
use crate::edge::model::Answering;
use crate::edge::trial::TrialTree;
use crate::machine::FailureKind;

/// Model name for the program's own default.
pub const OWN_CHOICE: &str = "default";

/// Maximum number of the last characters of a program's output in an error.
const LAST: usize = 240;

/// A program that is called instead of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Program and arguments; never passed through a shell.
    pub argv: Vec<String>,
    /// The flag before a model's name; `None` if the program takes no model.
    pub model_flag: Option<String>,
    /// How its reply is read.
    pub output: ReplyFormat,
    /// The known agent, if its own arguments are used; these forbid it to write.
    pub agent: Option<&'static Agent>,
}

impl From<&'static Agent> for Program {
    fn from(agent: &'static Agent) -> Self {
        Self {
            argv: agent.argv.iter().map(|&word| word.to_owned()).collect(),
            model_flag: Some(agent.model_flag.to_owned()),
            output: agent.output,
            agent: Some(agent),
        }
    }
}

/// The folder as written in the arguments of an agent; `None` if an agent would take it for several
/// folders, for a pattern, or for the end of a text.
pub fn readable(folder: &Path) -> Option<String> {
    plain(folder.canonicalize().ok()?)
}

fn plain(path: PathBuf) -> Option<String> {
    let name = path.into_os_string().into_string().ok()?;
    let is_plain = |c: char| !c.is_control() && !"'\"\\,*?[]{}".contains(c);
    Some(name).filter(|name| name.chars().all(is_plain))
}

/// The folder of a program's files: the folder of its maker among npm's packages, otherwise its
/// file.
fn files_of(name: &str) -> Option<String> {
    let path = std::env::var("PATH").ok();
    let file = find_program(name, path.as_deref())?.canonicalize().ok()?;
    let packages = file.iter().position(|part| part == "node_modules");
    plain(match packages {
        Some(at) => file.iter().take(at + 2).collect(),
        None => file,
    })
}

/// The program's file: the given path, otherwise searched in `path`, the value of `PATH`.
pub fn find_program(name: &str, path: Option<&str>) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Some(PathBuf::from(name)).filter(|file| is_program(file));
    }
    std::env::split_paths(path.unwrap_or_default())
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// A program as a [`ChatModel`].
pub struct CommandModel {
    program: Program,
    provider: String,
    folder: TempDir,
    /// The folder that the program may read, as returned by [`readable`].
    tree: Option<String>,
    /// The tree that it works in copies of.
    copies: Option<TrialTree>,
    timeouts: Timeouts,
    failures: Failures,
}

impl CommandModel {
    /// Creates the empty folder for the program; does not start it yet.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn new(provider: &str, program: Program, timeouts: Timeouts) -> std::io::Result<Self> {
        Ok(Self {
            provider: provider.to_owned(),
            failures: Failures::new(provider, String::new(), None),
            folder: process::empty_folder()?,
            tree: None,
            copies: None,
            program,
            timeouts,
        })
    }

    /// Allows the program to read `tree`, a folder as returned by [`readable`]. Ignored unless it
    /// is a known agent.
    #[must_use]
    pub fn reading(self, tree: Option<String>) -> Self {
        Self {
            tree: tree.filter(|_| self.program.agent.is_some()),
            ..self
        }
    }

    /// Lets the program work in copies of the tree, one for each call. Ignored unless it may read
    /// the tree and has a sandbox for it.
    #[must_use]
    pub fn in_copies_of(self, tree: Option<TrialTree>) -> Self {
        let agent = self.program.agent.filter(|_| self.tree.is_some());
        let may = agent.is_some_and(|agent| agent.in_copy.is_some());
        Self {
            copies: tree.filter(|_| may),
            ..self
        }
    }

    /// Whether it works in copies.
    pub fn works_in_copies(&self) -> bool {
        self.copies.is_some()
    }

    async fn copy(&self) -> Result<Option<OwnCopy>, CallFailure> {
        let in_copy = self.program.agent.and_then(|agent| agent.in_copy);
        let (Some(tree), Some(in_copy)) = (self.copies.clone(), in_copy) else {
            return Ok(None);
        };
        let made = tokio::task::spawn_blocking(move || OwnCopy::of(&tree, in_copy)).await;
        let made = made.unwrap_or_else(|broken| Err(broken.to_string()));
        let told =
            |why: String| format!("it works in a copy of the repository, and there is none: {why}");
        made.map(Some)
            .map_err(|why| self.failure(FailureKind::Refused, false, &told(why)))
    }

    /// The command for a call of `model`, in a copy if there is one.
    fn start(&self, model: &str, copy: Option<&OwnCopy>) -> process::CommandSpec {
        let own = self.folder.path();
        let tree = copy.map(|copy| copy.tree.clone()).or(self.tree.clone());
        let tree = tree.unwrap_or_else(|| own.to_string_lossy().into_owned());
        let program = self.program.argv.first().and_then(|name| files_of(name));
        let program = program.unwrap_or_else(|| tree.clone());
        let filled = |text: &str| {
            let text = text.replace(TREE, &tree).replace(PROGRAM, &program);
            copy.map_or_else(|| text.clone(), |copy| copy.fill(&text))
        };
        let switches = match (self.program.agent, copy) {
            (_, Some(copy)) => copy.in_copy.argv,
            (Some(agent), None) => agent.reads,
            (None, None) => &[],
        };
        let mut start = process::CommandSpec {
            argv: self.argv(model, switches),
            variables: Vec::new(),
            folder: own.to_owned(),
        };
        if let Some(agent) = self.program.agent {
            for word in &mut start.argv[1..] {
                *word = filled(word);
            }
            let variables = agent.variables.iter();
            start.variables = variables
                .map(|(name, value)| ((*name).to_owned(), filled(value)))
                .collect();
            start.variables.extend(copy.map(OwnCopy::variable));
            if agent.starts_in == WorkingFolder::Tree {
                start.folder = PathBuf::from(&tree);
            }
        }
        start
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatResponse, CallFailure> {
        // A project may choose the model, but must not set switches of the program.
        if self.program.model_flag.is_some() && request.model.starts_with('-') {
            let words = "a model's name that begins with `-` would be taken for a switch";
            return Err(self.failure(FailureKind::Refused, false, words));
        }
        let copy = self.copy().await?;
        let prompt = prompt(request, self.tree.as_deref(), copy.as_ref());
        let ended = process::run(&self.start(&request.model, copy.as_ref()), &prompt).await;
        // Removing a large copy takes long; what remains is removed at the next start.
        let _ = tokio::task::spawn_blocking(move || drop(copy)).await;
        let ended = ended.map_err(|failed| self.not_run(failed))?;
        if !ended.status.success() {
            return Err(self.ended_badly(&ended));
        }
        let reply = output::read(self.program.output, &ended.stdout)
            .map_err(|what| self.failure(FailureKind::Protocol, true, &what))?;
        if let Some(words) = reply.failed {
            return Err(self.failure(FailureKind::Server, true, &words));
        }
        // Empty output without an error is an empty answer, as from any member.
        if reply.text.trim().is_empty() && !ended.stderr.trim_ascii().is_empty() {
            return Err(self.failure(
                FailureKind::Protocol,
                true,
                &format!("it printed nothing{}", self.output_tail(&ended.stderr)),
            ));
        }
        let estimate = Usage {
            input: estimate_tokens(&prompt),
            output: estimate_tokens(&reply.text),
            ..Usage::default()
        };
        Ok(ChatResponse {
            usage: reply.counts.usage(estimate),
            format: Some(AnswerFormat::Prompt),
            ..ChatResponse::plain(reply.text, &request.model)
        })
    }

    fn argv(&self, model: &str, switches: &[&str]) -> Vec<String> {
        let mut argv = self.program.argv.clone();
        let mut more: Vec<String> = switches.iter().map(|&word| word.to_owned()).collect();
        if let Some(flag) = &self.program.model_flag
            && model != OWN_CHOICE
        {
            more.extend([flag.clone(), model.to_owned()]);
        }
        // Before a final `-`, which means standard input.
        let at = argv.len() - usize::from(argv.last().is_some_and(|word| word == "-"));
        argv.splice(at..at, more);
        argv
    }

    fn not_run(&self, failed: ProcessFailure) -> CallFailure {
        use FailureKind::{Protocol, Refused, TooLarge};
        let (kind, retryable, what) = match failed {
            ProcessFailure::Start(error) => {
                (Refused, false, format!("it cannot be started: {error}"))
            }
            ProcessFailure::Io(error) => {
                let what = format!("its output cannot be read: {error}");
                (Protocol, true, what)
            }
            ProcessFailure::Asks => {
                let what = "it asks for something on the terminal, where nobody answers it";
                (Refused, false, what.to_owned())
            }
            ProcessFailure::TooLarge(most) => {
                let what = format!("it printed more than {most} bytes");
                (TooLarge, false, what)
            }
        };
        self.failure(kind, retryable, &what)
    }

    fn ended_badly(&self, ended: &ProcessOutput) -> CallFailure {
        let mut said = self.output_tail(&ended.stderr);
        if said.is_empty() {
            said = self.output_tail(&ended.stdout);
        }
        // `exit status: 3`, or the signal that killed it.
        let what = format!("it ended with {}{said}", ended.status);
        self.failure(FailureKind::Server, true, &what)
    }

    /// The end of its output, where programs report errors.
    fn output_tail(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let tail = text.char_indices().rev().nth(LAST).map_or(0, |(at, _)| at);
        let words = self.failures.clean(&text[tail..]);
        if words.is_empty() {
            return words;
        }
        format!(": {words}")
    }

    fn failure(&self, kind: FailureKind, retryable: bool, what: &str) -> CallFailure {
        let program = self.program.argv.first().map_or("", String::as_str);
        let what = self.failures.clean(what);
        let told = |what: &str| format!("`{}`, the program `{program}`: {what}", self.provider);
        CallFailure {
            kind,
            recorded: Some(told(&without_addresses(&what, ""))),
            detail: told(&what),
            retryable,
            retry_after: None,
        }
    }
}

impl ChatModel for CommandModel {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        Box::pin(async move {
            let limit = self.timeouts.call;
            match timeout(limit, self.ask(request)).await {
                Ok(result) => result,
                Err(_) => Err(self.failure(
                    FailureKind::Timeout,
                    true,
                    &format!("it did not end within {} s", limit.as_secs_f64()),
                )),
            }
        })
    }
}

/// The whole prompt as one text, with the schema in words, and what the program may read, or change
/// if it has a copy.
fn prompt(request: &ChatRequest, tree: Option<&str>, copy: Option<&OwnCopy>) -> String {
    let turns = in_words(request);
    let mut texts: Vec<String> = turns
        .iter()
        .map(|turn| match turn.role {
            ChatRole::System | ChatRole::User => turn.text().into_owned(),
            ChatRole::Assistant => {
                format!(
                    "----- your earlier answer -----\n{}\n----- end of it -----",
                    turn.text()
                )
            }
        })
        .collect();
    if let Some(OwnCopy { tree, .. }) = copy {
        texts.push(format!(
            "The folder {tree} is a copy of the repository that is yours alone. Read it, change it, and run \
             commands in it with tools of your own as far as you need it for the answer: without network, and \
             with nothing else that can be written. Name its files by their paths from its top. It is gone once \
             you have answered, and what ran there is on no record: what a claim of yours rests on, have run by \
             a look of the kind `try` as well, if you may, and cite that. Nobody answers a request for \
             permission. Your last message is the answer alone: the JSON object."
        ));
    } else if let Some(tree) = tree {
        texts.push(format!(
            "The repository is the folder {tree}. Read and search it with tools of your own as far as you \
             need it for the answer. You can change nothing, and nobody answers a request for permission. \
             Your last message is the answer alone: the JSON object."
        ));
    }
    texts.join("\n\n") + "\n"
}
