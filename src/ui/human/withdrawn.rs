//! Withdraws questions while they are on the terminal: text typed for one must never answer
//! another.

use super::Respondent;
use super::input::not_taken;
use crate::edge::ports::HumanAnswer;
use crate::fault::{Message, texts, values};
use crate::machine::{Action, QuestionId, QuestionStatus, State, next_actions};
use crate::ui::view;

texts! {
    ELSEWHERE: "{id} has been answered elsewhere", "{id} 已在别处回答";
    TYPED: "{id} is answered by what was typed for it", "{id} 已由您输入的内容回答";
    NO_MORE: "{id} is not asked any more", "{id} 不再需要回答";
    pub(super) UNANSWERED: "nobody answered {id} in time", "{id} 在限定时间内没有人回答";
    pub(super) NOBODY: "nobody answered in time", "限定时间内没有人回答";
    pub(super) CAME_FIRST: "something was sent from elsewhere meanwhile", "此时从别处收到了消息";
    DROPPED: "a line that was begun for it and not sent is not taken", "为它输入但没有发送的内容不会采用";
}

impl Respondent {
    /// Withdraws the question on the screen and shows why.
    pub(super) fn withdraw(&self, why: &Message) -> Result<(), String> {
        let Some(terminal) = &self.seat.terminal else {
            return Ok(());
        };
        let style = self.style();
        let [why, dropped] = [why.of(style.lang), DROPPED.of(style.lang)];
        let [why, dropped] = [why, dropped].map(|text| view::hung(text, &style));
        let fault = |error| format!("the terminal cannot be written: {error}");
        terminal.withdraw(&why, &dropped).map_err(fault)?;
        match self.input.as_ref().and_then(|input| input.take_back()) {
            Some(line) => self.show(&format!("{}\n", not_taken(&line, &style))),
            None => Ok(()),
        }
    }

    /// Called when messages arrive while a question is on the screen. If none of them answers the
    /// question, it is asked again, and the text typed so far is kept.
    pub(super) fn came_between(
        &mut self,
        stood: QuestionId,
        sent: &[HumanAnswer],
    ) -> Result<(), String> {
        if sent.iter().any(|answer| answer.question == stood) {
            return self.withdraw(&self.answered(stood));
        }
        self.cut_short = Some(stood);
        self.show("\n")
    }

    /// Called before a question is shown; withdraws the interrupted question if it is a different
    /// one.
    pub(super) fn put_instead(&mut self, state: &State, next: QuestionId) -> Result<(), String> {
        match self.cut_short.take().filter(|stood| *stood != next) {
            Some(stood) => self.withdraw(&self.gone(state, stood)),
            None => Ok(()),
        }
    }

    /// Whether the interrupted question is asked again at once. Until then typed lines are for it.
    pub(super) fn is_put_again(&self, state: &State) -> bool {
        match next_actions(state).first() {
            Some(Action::AskHuman(questions)) => {
                let stood = self.cut_short.as_ref();
                stood.is_some_and(|stood| questions.contains(stood))
            }
            // Recording a fact takes no time.
            Some(Action::Record(_)) => self.cut_short.is_some(),
            _ => false,
        }
    }

    /// Withdraws the interrupted question, because something else is done before it is asked again,
    /// if it is asked again at all.
    pub(super) fn leave_cut_short(&mut self, state: &State) {
        let Some(stood) = self.cut_short.take() else {
            return;
        };
        if let Err(what) = self.withdraw(&self.gone(state, stood)) {
            self.notices.push(what.into());
        }
    }
}

impl Respondent {
    fn gone(&self, state: &State, stood: QuestionId) -> Message {
        match state.questions.find(stood).map(|question| &question.status) {
            Some(QuestionStatus::Waiting { .. }) | None => NO_MORE.fill(values![id = stood]),
            Some(_) => self.answered(stood),
        }
    }

    /// The message that the question was answered, and from where.
    fn answered(&self, stood: QuestionId) -> Message {
        let why = match self.typed_for.contains(&stood) {
            true => TYPED,
            false => ELSEWHERE,
        };
        why.fill(values![id = stood])
    }
}
