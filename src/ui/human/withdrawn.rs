//! Withdraws questions while they are on the terminal: text typed for one must never answer
//! another.

use super::Respondent;
use super::input::not_taken;
use crate::fault::{Message, texts};
use crate::ui::view;

texts! {
    pub(super) ANSWERED: "{id} has been answered", "{id} 已回答";
    pub(super) NO_MORE: "{id} is not asked any more", "{id} 不再需要回答";
    pub(super) UNANSWERED: "nobody answered {id} in time", "{id} 在限定时间内没有人回答";
    pub(super) NOBODY: "nobody answered in time", "限定时间内没有人回答";
    pub(super) CAME_FIRST: "something was sent from elsewhere meanwhile", "此时从别处收到了消息";
    DROPPED: "a line that was begun for it and not sent is not taken", "为它输入但没有发送的内容不会采用";
}

impl Respondent {
    /// Withdraws the question on the screen and shows why.
    pub(super) fn withdraw(&self, why: &Message) -> Result<(), String> {
        let Some(terminal) = &self.access.terminal else {
            return Ok(());
        };
        let style = self.style();
        let [why, dropped] = [why.of(style.lang), DROPPED.of(style.lang)];
        let [why, dropped] = [why, dropped].map(|text| view::hung(text, &style));
        let fault = |error| format!("the terminal cannot be written: {error}");
        terminal.withdraw(&why, &dropped).map_err(fault)?;
        match self.input.as_ref().and_then(|input| input.answer()) {
            Some(line) => self.show(&format!("{}\n", not_taken(&line, &style))),
            None => Ok(()),
        }
    }
}
