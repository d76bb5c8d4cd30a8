//! Trials of one run. Only the user decides whether members may run anything: by a flag, in their
//! own configuration, or on the terminal.

use super::order::Order;
use super::{Context, config_command};
use crate::config::Config;
use crate::edge::trial::{self, Consent, SAID_NO, Sandboxed, TrialTree};
use crate::fault::{said_by_system, texts, values};
use crate::machine::Depth;

texts! {
    NOT_KEPT: "`--trials` holds for this command only: your cache folder cannot be written ({why})", "`--trials` 仅对本次命令有效：无法写入您的缓存目录（{why}）";
    NOT_ON: "trials are not switched on (`--trials`, or `trials.enabled` in the user's own configuration)", "未启用试运行（`--trials`，或用户自己配置中的 `trials.enabled`）";
}

/// Returns the sandbox for the trials of a run, with the user's consent so far.
pub fn of(order: &Order, context: &Context) -> Sandboxed {
    let own = context.clone();
    Sandboxed::new(
        tree(&order.config, context),
        consent(order, context),
        Box::new(move || config_command::set_own("trials.enabled", "true", &own)),
    )
}

/// Saves the value of `--trials` for the rest of this run, on this machine.
pub fn save_choice(order: &Order, run_id: &str, context: &Context) {
    let setting = order.config.settings.get("trials.enabled");
    let by_flag = setting.is_some_and(|setting| setting.origin.is_flag());
    if let Some(on) = order.config.trials.filter(|_| by_flag) {
        let kept = trial::allow(on, run_id, context.env.user_cache().as_deref());
        if let Err(error) = kept {
            context.notice(&NOT_KEPT.fill(values![why = said_by_system(&error)]));
        }
    }
}

/// Returns the order of a resumed run, with the consent that its user gave before.
pub fn with_kept(order: &Order, run_id: &str, context: &Context) -> Order {
    save_choice(order, run_id, context);
    let cache = context.env.user_cache();
    let mut order = order.clone();
    let kept = || trial::is_allowed(run_id, cache.as_deref()).then_some(true);
    order.config.trials = order.config.trials.or_else(kept);
    order
}

/// Deletes the saved consent of a run that has ended.
pub fn forget(run_id: &str, context: &Context) {
    // If that fails, the file has no effect any more: its run is published.
    let _ = trial::allow(false, run_id, context.env.user_cache().as_deref());
}

/// Returns the tree that is copied for trials.
fn tree(config: &Config, context: &Context) -> TrialTree {
    let readable = config.trials_readable.iter();
    TrialTree {
        root: context.root.clone(),
        readable: readable
            .map(|folder| context.path(folder.as_ref()))
            .collect(),
        cache: context.env.user_cache(),
    }
}

/// Returns the tree that agents work in copies of, if the user has switched trials on beforehand.
pub fn of_agents(config: &Config, context: &Context) -> Option<TrialTree> {
    (config.trials == Some(true)).then(|| tree(config, context))
}

/// Returns the user's decision so far.
fn consent(order: &Order, context: &Context) -> Consent {
    match order.config.trials {
        _ if order.play.is_some() => Consent::No(NOT_ON.into()),
        Some(true) => Consent::Yes,
        Some(false) => Consent::No(SAID_NO.into()),
        None if context.somebody_there() => Consent::Ask,
        None => Consent::No(NOT_ON.into()),
    }
}

/// Returns whether members are told that they may have commands run. If the user asks for it and
/// this machine has no sandbox, a notice says so.
pub fn are_offered(order: &Order, context: &Context) -> bool {
    let looks = order.config.rules.grounding.depth == Depth::Looks;
    if !looks || matches!(consent(order, context), Consent::No(_)) {
        return false;
    }
    match trial::unavailable() {
        None => true,
        Some(why) => {
            if order.config.trials == Some(true) {
                context.notice(&why);
            }
            false
        }
    }
}
