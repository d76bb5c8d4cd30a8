//! `aitc chat`: a prompt for messages and for all commands.
//!
//! It has no state of its own. A line is a command line without `aitc`, parsed in the same way;
//! other words open a party, and later ones continue it. During a run its screen reads what is
//! typed; a line is read here only between runs.

mod line;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Args, FromArgMatches as _};

use self::line::ChatLine;
use super::interrupt::{run_until_interrupted, unless_signalled};
use super::launch::{run_and_report, save};
use super::order::{self, RunTask};
use super::run_flags::RunFlags;
use super::{Cli, Command, Context, Exit, Fault, dispatch, help, not_understood, usage_error};
use super::{hints, outcome, report, requirement, versions, watcher};
use crate::driver::Outcome;
use crate::edge::assets;
use crate::fault::line::{CHAT_EMPTY, CHAT_NOTHING_SAID, COMMAND_UNKNOWN, RECORD_BATCH, TERMINAL};
use crate::fault::{texts, values};
use crate::machine::{Format, Version, party};
use crate::ui::console::{Console, PromptResult};
use crate::ui::screen;
use crate::ui::view::{self, live::Completions};

const PROMPT: &str = "› ";

texts! {
    GREETING: "say something, or type a command; `/help` shows which, `quit` leaves", "直接说话，或输入命令；`/help` 列出命令，`quit` 退出";
    NOTHING_RUNS: "nothing runs; `quit` leaves", "没有正在进行的讨论；`quit` 退出";
    NOT_SAVED: "the conversation is not saved: `/save` keeps it, `quit` leaves without it", "这次交谈尚未保存：`/save` 保存，再次 `quit` 则不保存并退出";
    PUT_AWAY: "what was said was not saved, and is gone; `/save` keeps it next time", "交谈内容没有保存，已移除；下次可用 `/save` 保存";
    FORGOTTEN: "what you say next begins a new conversation", "接下来的话将开始新的交谈";
    HELP: "Two or three members, whom the coach chooses, answer what you say. Whatever you say next continues the conversation.\n\
     \n\
     \x20 /save                  save the conversation as a version; otherwise it is lost when you leave\n\
     \x20 /new                   start another conversation\n\
     \x20 /plan [TEXT]           a planning workshop; without a text about this conversation\n\
     \x20 @team TASK             a task in phases: `@team[SD,RP] …` chooses members\n\
     \x20 @board TOPIC           everybody at once, then minutes\n\
     \x20 /status /list /show /diff /why /questions /check /export …\n\
     \x20                        every command of aitc; `/help COMMAND` explains one\n\
     \x20 /resume                continue a run that waits or was interrupted\n\
     \x20 quit, exit             leave; Ctrl-D too\n\
     \n\
     During a run:\n\
     \x20 TEXT                   the next speaker hears it\n\
     \x20 /debate TOPIC          a debate before the next round; /skip leaves one out\n\
     \x20 /answer Q-1 TEXT       answer a waiting question\n\
     \x20 /status                its progress\n\
     \x20 /stop, or `quit`       end the discussion; what was said is summed up\n\
     \x20 Ctrl-C                 interrupt the run, not the chat\n\
     \n\
     A line that ends with a backslash continues on the next; Tab completes commands, members and versions.", "您说的话由主持人请两三位成员回答；接着说，交谈就继续下去。\n\
     \n\
     \x20 /save                  把交谈保存为一个版本；否则退出时不保留\n\
     \x20 /new                   开始另一次交谈\n\
     \x20 /plan [文字]           规划研讨；不写文字则以本次交谈为需求\n\
     \x20 @team 任务             分阶段完成任务：`@team[SD,RP] ……` 可指定成员\n\
     \x20 @board 题目            所有成员同时发言，最后出纪要\n\
     \x20 /status /list /show /diff /why /questions /check /export ……\n\
     \x20                        aitc 的每个命令；`/help 命令` 说明其中一个\n\
     \x20 /resume                继续等待回答或被中断的运行\n\
     \x20 quit、exit             退出；Ctrl-D 也可以\n\
     \n\
     运行期间：\n\
     \x20 文字                   下一位发言者会听到\n\
     \x20 /debate 题目           在下一轮之前辩论；/skip 跳过一场辩论\n\
     \x20 /answer Q-1 文字       回答等待中的提问\n\
     \x20 /status                进展如何\n\
     \x20 /stop 或 `quit`        结束讨论；已说的内容会汇总\n\
     \x20 Ctrl-C                 中断运行，不退出交谈\n\
     \n\
     行末的反斜杠表示下一行继续；Tab 补全命令、成员和版本。";
}

/// Talk with the members interactively; other commands work there too
#[derive(Debug, Args)]
#[command(
    after_help = "Flags apply to every run started there. Without a terminal, lines are read from\n\
    standard input and run one after the other.\n\n\
    Examples:\n  \
    aitc chat\n  \
    printf '%s\\n' \"Photos or text for receipts?\" /plan | aitc chat --questions assume"
)]
pub struct ChatArgs {
    #[command(flatten)]
    run: RunFlags,
}

/// Reads and executes lines, until one ends the chat.
pub fn run(args: &ChatArgs, context: &Context) -> Result<Exit, Fault> {
    if args.run.record.is_some() {
        return Err(RECORD_BATCH.with(&[]));
    }
    let mut context = context.clone();
    context.standing = args.run.layer()?;
    let flags = args.run.clone().besides_settings();
    // Errors of the flags are reported before anything is typed.
    let work = RunTask::New {
        requirement: String::new(),
        format: Format::Party,
    };
    let order = order::order(work, &flags, &context)?;
    let lang = context.lang(Some(&order.config));
    let roles = order.config.roles.as_deref();
    let roles = assets::load(&context.root, order.config.doc_lang.unwrap_or(lang), roles)?.roles;
    let members = roles.members.into_iter().map(|role| role.code).collect();
    let is_there = context.somebody_there() && context.env.stdout_terminal;
    let is_edited = is_there && watcher::draws(&context, context.style(lang));
    context.global.in_chat = Some(hints::in_chat);
    // On a terminal whose lines cannot be edited, runs are shown as plain lines.
    context.global.plain |= !is_edited && context.env.stdin_terminal;
    let chat = ChatSession {
        flags,
        exit_words: order.config.rules.ending.exit_triggers,
        is_watched: context.env.stdin_terminal,
        known: known(members, &context),
        party: None,
        unsaved: Vec::new(),
        was_warned: false,
        failed: Exit::Done,
        context,
    };
    let console = match is_edited {
        true => Console::edited().map_err(|error| unreadable(&error))?,
        false => Console::plain(),
    };
    chat.hold(console)
}

fn unreadable(error: &std::io::Error) -> Fault {
    TERMINAL.with(values![
        what = format!("the terminal cannot be read: {error}")
    ])
}

/// Returns the error with its hints in the chat's own commands.
fn in_chat(error: Fault) -> Fault {
    error.put(hints::in_chat)
}

/// Returns the possible completions, without versions.
fn known(members: Vec<String>, context: &Context) -> Completions {
    let all = help::full_command(context.lang(None));
    let commands = all
        .get_subcommands()
        .map(|command| command.get_name().to_owned());
    let own = ["new", "save", "help", "quit"].map(str::to_owned);
    let mut commands: Vec<String> = commands.chain(own).collect();
    commands.sort();
    commands.dedup();
    commands.retain(|name| name != "chat");
    let formats = Format::ALL
        .into_iter()
        .filter(|format| !format.is_workshop());
    Completions {
        commands,
        formats: formats.map(|format| format.name().to_owned()).collect(),
        members,
        versions: Vec::new(),
    }
}

struct ChatSession {
    context: Context,
    /// Flags of every run.
    flags: RunFlags,
    exit_words: Vec<String>,
    /// Whether somebody types, and so sees errors.
    is_watched: bool,
    known: Completions,
    /// The party that words continue.
    party: Option<Version>,
    /// Unsaved versions, in order.
    unsaved: Vec<Version>,
    /// Whether the user was warned that unsaved talk is lost; leaving again then discards it.
    was_warned: bool,
    /// The first code that was not 0.
    failed: Exit,
}

impl ChatSession {
    fn hold(mut self, mut console: Console) -> Result<Exit, Fault> {
        let is_shown = self.is_watched && self.context.env.stderr_terminal;
        let prompt = if is_shown { PROMPT } else { "" };
        if is_shown {
            self.context.notice(&GREETING.into());
        }
        let mut said = false;
        loop {
            console.knows(self.known_now());
            screen::remember();
            let read = move || {
                let given = console.line(prompt);
                (console, given)
            };
            let given = match unless_signalled(read)? {
                Ok((back, given)) => {
                    console = back;
                    given
                }
                Err(signal) => {
                    screen::restore();
                    return Ok(signal);
                }
            };
            let given = match given {
                Ok(given) => given,
                Err(error) => {
                    let unusable = requirement::unusable_line(&error);
                    said = true;
                    self.done(Err(unusable.ok_or_else(|| unreadable(&error))?));
                    continue;
                }
            };
            match given {
                PromptResult::Line(line) => {
                    said |= !line.trim().is_empty();
                    if let Some(exit) = self.execute(&line) {
                        return Ok(exit);
                    }
                }
                PromptResult::Interrupted => self.context.notice(&NOTHING_RUNS.into()),
                // A script without input is an error.
                PromptResult::Ended if !said && !self.is_watched => {
                    return Err(CHAT_EMPTY.with(&[]));
                }
                PromptResult::Ended if self.holds_back() => {}
                PromptResult::Ended => return Ok(self.left()),
            }
        }
    }

    fn known_now(&self) -> Completions {
        // An unreadable workspace is reported by the command that needs it.
        let versions = versions::find_all(&self.context).unwrap_or_default();
        let versions = versions.iter().rev().map(|found| found.version.to_string());
        Completions {
            versions: versions.collect(),
            ..self.known.clone()
        }
    }

    /// Executes a line; returns the exit code if the chat is over.
    fn execute(&mut self, line: &str) -> Option<Exit> {
        let done = match line::read(line, &self.exit_words) {
            ChatLine::Nothing => return None,
            ChatLine::Leave if self.holds_back() => return None,
            ChatLine::Leave => return Some(self.left()),
            ChatLine::Command("save", "") => self.save(),
            ChatLine::Words(words) => self.talk(words),
            ChatLine::Addressed(text) => self.command("plan", text),
            ChatLine::Misaddressed(name) => Err(order::unknown_format(name)),
            ChatLine::Command("new", "") => {
                self.party = None;
                self.context.notice(&FORGOTTEN.into());
                Ok(Exit::Done)
            }
            ChatLine::Command("help", "") => {
                let lang = self.context.lang(None);
                let style = self.context.style(lang);
                self.context.show(&view::columns(HELP.of(lang), &style));
                Ok(Exit::Done)
            }
            ChatLine::Command(name, rest) => self.command(name, rest),
        };
        let exit = self.done(done);
        let said = std::mem::take(&mut self.context.kept().unsaved);
        self.party = said.last().copied().or(self.party);
        self.was_warned &= said.is_empty();
        self.unsaved.extend(said);
        // Ending the program ends the chat as well.
        (exit == Exit::Terminated).then_some(exit)
    }

    /// Reports an error of a line and returns the line's code; the first that is not 0 is kept.
    fn done(&mut self, done: Result<Exit, Fault>) -> Exit {
        let exit = done.unwrap_or_else(|error| {
            let is_json = self.context.format().is_json();
            report(&in_chat(error), is_json, self.context.lang(None))
        });
        if self.failed == Exit::Done {
            self.failed = exit;
        }
        exit
    }

    /// Returns whether the user leaves with unsaved talk and without a warning so far; prints the
    /// warning.
    fn holds_back(&mut self) -> bool {
        let holds = self.is_watched && !self.unsaved.is_empty() && !self.was_warned;
        if holds {
            self.was_warned = true;
            self.context.notice(&NOT_SAVED.into());
        }
        holds
    }

    /// Returns the exit code of the chat: 0 at a keyboard, where the user has seen errors; for a
    /// script the first failure.
    fn left(&mut self) -> Exit {
        self.put_away();
        match self.is_watched {
            true => Exit::Done,
            false => self.failed,
        }
    }

    /// Starts a party with these words, or continues the current one.
    fn talk(&mut self, words: &str) -> Result<Exit, Fault> {
        let work = match self.party {
            Some(from) => RunTask::Revision {
                from: Some(from),
                feedback: words.to_owned(),
                decided: Vec::new(),
                requirement: None,
            },
            None => RunTask::New {
                requirement: words.to_owned(),
                format: Format::Party,
            },
        };
        let order = order::order(work, &self.flags, &self.context)?;
        run_until_interrupted(|interrupt| run_and_report(order, &self.context, interrupt))
    }

    /// Publishes unsaved versions; prints the path of the last one, which continues the others.
    fn save(&mut self) -> Result<Exit, Fault> {
        let mut saved = None;
        while let Some(version) = self.unsaved.first().copied() {
            saved = Some(save(version, &self.context)?);
            self.unsaved.remove(0);
        }
        let Some(Outcome::Published { path, stop, state }) = saved else {
            return Err(CHAT_NOTHING_SAID.with(&[]));
        };
        let (path, exit) = (
            versions::display_path(&path, &self.context),
            outcome::exit_of(stop),
        );
        outcome::print(&state, &path, exit, true, &self.context)?;
        Ok(Exit::Done)
    }

    /// Removes unsaved versions.
    fn put_away(&mut self) {
        if self.unsaved.is_empty() {
            return;
        }
        for version in std::mem::take(&mut self.unsaved) {
            let outputs = versions::outputs(version, &self.context);
            if let Err(error) = versions::discard(&outputs.draft_dir(version.number)) {
                self.context.notice(error.what());
            }
        }
        self.context.notice(&PUT_AWAY.into());
    }

    /// Executes a command of `aitc`, given as a line without `aitc`.
    fn command(&mut self, name: &str, rest: &str) -> Result<Exit, Fault> {
        let all = help::everyday(self.context.lang(None));
        if name == "chat" {
            return Err(COMMAND_UNKNOWN.with(values![command = name]));
        }
        let mut words = line::arguments(&all, name, rest);
        if name == "plan"
            && let Some(requirement) = self.of_party(&words)?
        {
            let flags = words.iter().take_while(|word| *word != "--").count();
            words.truncate(flags);
            words.extend(["--".to_owned(), requirement]);
        }
        let line = ["aitc", name].map(str::to_owned).into_iter().chain(words);
        let line: Vec<OsString> = line.map(OsString::from).collect();
        let matches = all.try_get_matches_from(&line);
        let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
            Ok(cli) => cli,
            Err(error) if error.kind() == ErrorKind::DisplayHelp => {
                return Ok(not_understood(&error, &line, self.context.lang(None)));
            }
            Err(error) => return Err(usage_error::fault(&error, &line)),
        };
        let global = cli.global.or(&self.context.global);
        let context = self.context.for_line(global)?;
        let done = dispatch(&with_flags(cli.command, &self.flags), &context);
        // The line may have its own output format or language.
        Ok(done.unwrap_or_else(|error| {
            report(
                &in_chat(error),
                context.format().is_json(),
                context.lang(None),
            )
        }))
    }

    /// Returns the conversation as a requirement for `/plan`: the party that it names, or the
    /// current one if it names no requirement.
    fn of_party(&self, words: &[String]) -> Result<Option<String>, Fault> {
        let is_elsewhere = |word: &String| ["-f", "--file", "--from"].contains(&&**word);
        let version = match words {
            [.., separator, text] if separator == "--" => versions::parse_name(text),
            words if words.iter().any(is_elsewhere) => None,
            _ => self.party,
        };
        let Some(version) = version else {
            return Ok(None);
        };
        let opened = versions::open(Some(version), &self.context)?;
        let is_party = opened.state.inputs.format == Format::Party;
        Ok(is_party.then(|| party::as_requirement(&opened.state)))
    }
}

/// Returns the command with missing flags taken from the chat.
fn with_flags(mut command: Command, flags: &RunFlags) -> Command {
    match &mut command {
        Command::Plan(args) => args.run.fill(flags),
        Command::Revise(args) => args.run.fill(flags),
        Command::Team(args) => args.run.fill(flags),
        Command::Board(args) => args.run.fill(flags),
        Command::Batch(args) => args.run.fill(flags),
        Command::Resume(args) => args.questions.fill(&flags.questions),
        _ => {}
    }
    command
}
