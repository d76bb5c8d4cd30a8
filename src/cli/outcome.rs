//! Reports how a process left a run, and returns the exit code.

use schemars::JsonSchema;
use serde::Serialize;

use super::order::Order;
use super::{Context, Exit, Fault, by_hand, check, hints, key, versions};
use crate::driver::Outcome;
use crate::fault::models::{CALL_REFUSED, MODEL_MISSING, PROVIDER_UNAVAILABLE, REPLY_UNUSABLE};
use crate::fault::plans::USER_NEEDED;
use crate::fault::recorded::{self, ProviderRefusal};
use crate::fault::{Message, texts, values};
use crate::machine::{Lang, State, StopReason, Version};
use crate::ui::view::{self, Next, StatusDocument};

texts! {
    FLAWED: "errors in its documents: {n}; what they are and what helps: aitc check {v}", "文档中的错误：{n} 处；详情和办法：aitc check {v}";
    LIST: ", ", "、";
    INTERRUPTED: "interrupted; `aitc resume` goes on", "已中断；`aitc resume` 继续";
}

/// A version was published; of a chat, it is complete and still a draft.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishedDocument {
    /// Number of the version: `N` of `vN`.
    version: u32,
    /// Its folder, from the workspace's root.
    path: String,
    /// Whether no blocking issue is open.
    agreed: bool,
    /// Whether a member was passed over for want of a usable answer.
    degraded: bool,
    /// As `aitc status` says it.
    status: StatusDocument,
    /// Exit code of the command: 0 if the team agreed, else 7.
    exit_code: u8,
}

/// A run was interrupted.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterruptedDocument {
    /// Always true: the run was interrupted.
    interrupted: bool,
    /// The command that goes on.
    next: String,
    /// Exit code of the command: 128 plus the signal, such as 130 after Ctrl-C.
    exit_code: u8,
}

/// Reports how the process left the run of `version`, and returns the exit code.
pub fn report_outcome(
    outcome: Outcome,
    version: Version,
    order: &Order,
    context: &Context,
    lang: Lang,
) -> Result<Exit, Fault> {
    report_end(outcome, version, order, context, lang)
        .map_err(|fault| fault.put(|text| hints::at_address(text, &order.config)))
        .map_err(|fault| fault.put(|text| hints::for_run(text, version, context)))
}

/// Returns 0 for agreement, 7 for any other end.
pub fn exit_of(stop: StopReason) -> Exit {
    match stop {
        StopReason::Consensus => Exit::Done,
        _ => Exit::Unresolved,
    }
}

/// Prints the path of a complete version; for people only if it `is_published`.
pub fn print(
    state: &State,
    path: &str,
    exit: Exit,
    is_published: bool,
    context: &Context,
) -> Result<(), Fault> {
    let document = PublishedDocument {
        version: state.inputs.version,
        path: path.to_owned(),
        agreed: state.ending.is_agreed(),
        degraded: !state.discussion.passed_over.is_empty(),
        status: view::status_document(state, path, &[]),
        exit_code: exit.code(),
    };
    context.print(if is_published { path } else { "" }, &document)
}

fn report_end(
    outcome: Outcome,
    run: Version,
    order: &Order,
    context: &Context,
    lang: Lang,
) -> Result<Exit, Fault> {
    match outcome {
        Outcome::Published { path, stop, state } => {
            let shown = versions::display_path(&path, context);
            let is_unsaved = context.saves_later(run);
            if is_unsaved {
                context.kept().unsaved.push(run);
            }
            if !context.global.quiet && !context.format().is_json() {
                let next = match order.play {
                    _ if is_unsaved => Next::Save,
                    // A demonstration prints the next command itself.
                    Some(_) => Next::Nothing,
                    None => Next::Review,
                };
                let closing = view::closing(&state, &shown, next, &context.style(lang));
                context.show(&context.hinted(closing));
            }
            let exit = exit_of(stop);
            // An agreed plan may be incomplete: a model may leave a criterion without a test.
            if exit == Exit::Done && state.inputs.format.is_workshop() && !context.global.quiet {
                let errors = check::errors(&state, context);
                if errors > 0 {
                    context.notice(&FLAWED.fill(values![n = errors, v = run]));
                }
            }
            print(&state, &shown, exit, !is_unsaved, context)?;
            Ok(exit)
        }
        Outcome::NeedsUser { file, questions } => {
            let names: Vec<_> = questions.iter().map(ToString::to_string).collect();
            Err(USER_NEEDED.with(values![
                questions = LIST.join(&names.iter().map(String::as_str).collect::<Vec<_>>()),
                file = versions::display_path(&file, context),
                first = names[0]
            ]))
        }
        Outcome::NeedsReplies {
            draft,
            calls,
            roles,
        } => {
            let draft = versions::display_path(&draft, context);
            if context.format().is_json() {
                let document = by_hand::document(&draft, &calls, run, context);
                context.print("", &document)?;
                return Ok(Exit::UserNeeded);
            }
            Err(by_hand::needed(&draft, &roles, &calls))
        }
        Outcome::ProviderUnavailable {
            call,
            model,
            detail,
        } => {
            let kind = match recorded::refusal(&detail) {
                Some(ProviderRefusal::Key) => CALL_REFUSED,
                Some(ProviderRefusal::Model) => MODEL_MISSING,
                None => PROVIDER_UNAVAILABLE,
            };
            Err(kind.with(values![
                call,
                detail = recorded::message(&detail),
                model = model.model,
                variables = key::variables(&model.provider, &order.config, context)
            ]))
        }
        Outcome::UnusableReply { call, detail } => {
            Err(REPLY_UNUSABLE.with(values![call, detail = recorded::message(&detail)]))
        }
        Outcome::Interrupted { signal } => {
            let named = |text: &str| {
                let text = hints::at_address(text, &order.config);
                hints::for_run(&text, run, context)
            };
            context.notice(&Message::from(INTERRUPTED).put(named));
            let exit = Exit::of_signal(signal);
            let document = InterruptedDocument {
                interrupted: true,
                next: named("aitc resume"),
                exit_code: exit.code(),
            };
            context.print("", &document)?;
            Ok(exit)
        }
    }
}
