//! How a meeting begins: what it is, and who is asked to speak.

use super::event::View;
use super::layout::{Mark, fit, marked, wrap};
use super::{clean, gist, text};
use crate::fault::values;
use crate::machine::party::Invitation;
use crate::machine::{Inputs, shown};

impl View<'_> {
    /// What kind of meeting it is, who takes part, and what it is about.
    pub(super) fn opening(&self, inputs: &Inputs, requirement: &str, taken: u32) -> String {
        let model = if inputs.is_scripted() {
            text::SCRIPT.of(self.style.lang).to_owned()
        } else {
            clean(&inputs.model.model)
        };
        let members = inputs.roles.members.len();
        let members = text::counted(members, text::ONE_MEMBER, text::MEMBERS, self.style.lang);
        let values = values![
            n = inputs.run().within_format(),
            members = members.unwrap_or_default(),
            model
        ];
        let title = text::name_of("meeting", &inputs.format);
        let title = self.say(title, values);
        let about = fit(&gist(&shown(requirement)), self.style.width - 2, self.style);
        let taken = text::counted(
            taken as usize,
            text::SECRET_TAKEN,
            text::SECRETS_TAKEN,
            self.style.lang,
        );
        let taken = taken.map(|told| format!("\n{}", marked(Mark::Note, &told, self.style)));
        let taken = taken.unwrap_or_default();
        format!("{}\n  {about}{taken}", wrap(&title, "", self.style))
    }

    /// Who is asked to speak, and about what.
    pub(super) fn invited(&self, invited: &[Invitation]) -> Vec<String> {
        let shown = invited.iter().map(|one| {
            let values = values![who = self.code(&one.member), text = clean(&one.asked)];
            let template = match one.asked.is_empty() {
                true => text::INVITED,
                false => text::INVITED_TO,
            };
            self.told(Mark::Note, template, values)
        });
        shown.collect()
    }

    /// Members given another model when the run was resumed in this round.
    pub(super) fn other_models(&self) -> impl Iterator<Item = String> {
        let changes = self.state.run.model_changes.iter();
        let now = changes.filter(|change| change.round == self.state.round);
        now.map(|change| {
            let members: Vec<_> = change.members.iter().map(|one| self.code(one)).collect();
            let values = values![
                members = members.join(", "),
                from = clean(&change.from.0),
                to = clean(&change.to.0),
                provider = clean(&change.to.1)
            ];
            self.told(Mark::Warning, text::OTHER_MODEL, values)
        })
    }
}
