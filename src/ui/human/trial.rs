//! Asks whether a command that a member wants may be run.

use super::{Respondent, WaitEnd, withdrawn};
use crate::edge::ports::TrialAnswer;
use crate::fault::{texts, values};
use crate::machine::{State, TrialJob};
use crate::ui::view;

texts! {
    QUESTION: "{who} wants to run `{command}`{files}, in a copy of the repository, in a sandbox without network. May members have commands run there?\n[y]es in this run, [a]lways (kept in your own configuration), or [n]o: ", "{who} 想在没有网络的沙箱里、在仓库的副本中运行 `{command}`{files}。是否允许成员在那里运行命令？\n请输入 y（本次允许）、a（始终允许，写入您自己的配置）或 n（不允许）：";
    FILES: " after writing {names}", "（先写入 {names}）";
}

/// Maximum columns shown of a command and of the names of its files.
const MOST: usize = 300;

/// The answer in a line; `None` if the line is no answer to this question.
fn parse_trial_answer(line: &str) -> Option<TrialAnswer> {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" | "是" => Some(TrialAnswer::Yes),
        "a" | "always" | "总是" | "始终" => Some(TrialAnswer::Always),
        "" | "n" | "no" | "否" => Some(TrialAnswer::No),
        _ => None,
    }
}

impl Respondent {
    /// Asks the question until a line answers it or nobody is there.
    pub(super) async fn put_trial(
        &mut self,
        state: &State,
        who: &str,
        job: &TrialJob,
    ) -> Result<TrialAnswer, String> {
        if self.access.terminal.is_none() {
            return Ok(TrialAnswer::Nobody);
        }
        let style = self.style();
        let cut = |whole: &str| view::fit(&view::clean(whole), MOST, &style);
        let names: Vec<_> = job
            .files
            .iter()
            .map(|file| format!("`{}`", file.path))
            .collect();
        let files = match names.is_empty() {
            true => String::new(),
            false => FILES.with(style.lang, values![names = cut(&names.join(", "))]),
        };
        let command = cut(&job.command.join(" "));
        let who = view::clean(who);
        let question = QUESTION.with(style.lang, values![who, command, files]);
        let shown = view::hung(&question, &style);
        loop {
            match self.put_question(state, None, &shown).await? {
                WaitEnd::Mail(_) => {
                    self.withdraw(&withdrawn::CAME_FIRST.into())?;
                    return Ok(TrialAnswer::Elsewhere);
                }
                WaitEnd::Line(Some(line)) => {
                    if let Some(answer) = parse_trial_answer(&line) {
                        return Ok(answer);
                    }
                }
                WaitEnd::Line(None) => {
                    if self.silent {
                        self.withdraw(&withdrawn::NOBODY.into())?;
                    }
                    return Ok(TrialAnswer::Nobody);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_for_yes_is_yes() {
        for (line, answer) in [
            ("y", Some(TrialAnswer::Yes)),
            (" YES ", Some(TrialAnswer::Yes)),
            ("a", Some(TrialAnswer::Always)),
            ("always", Some(TrialAnswer::Always)),
            ("", Some(TrialAnswer::No)),
            ("n", Some(TrialAnswer::No)),
            ("否", Some(TrialAnswer::No)),
            ("yes, but not that one", None),
            ("maybe", None),
        ] {
            assert_eq!(parse_trial_answer(line), answer, "{line}");
        }
    }
}
