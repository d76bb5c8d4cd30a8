//! Inquiries of members: the files are searched at the edge, and the result is recorded as the
//! member's.

use super::Ports;
use super::session::Session;
use crate::edge::knowledge::InquiryResult;
use crate::fault::Fault;
use crate::machine::{Event, InquiryId, inquiry};

impl Session {
    /// Searches for what members raised and records what each found. Records nothing if the user
    /// interrupts: a resumed run searches again.
    pub(super) fn inquire(&mut self, ports: &mut Ports<'_>) -> Result<(), Fault> {
        // Searching a large repository takes long; replies that were paid for are on disk before
        // it.
        self.commit(ports)?;
        let asked: Vec<_> = inquiry::due(&self.state).collect();
        let stop = || ports.interrupt.borrow().is_some();
        let Some(found) = (ports.inquire)(&self.state, &asked, &stop) else {
            return Ok(());
        };
        let InquiryResult { files, mut looked } = found;
        for find in looked.iter_mut().flat_map(|one| &mut one.finds) {
            find.text = (ports.redact)(&find.text);
        }
        loop {
            let next = inquiry::next(&self.state).into_iter();
            let ids: Vec<InquiryId> = next.map(|raised| raised.id).collect();
            if ids.is_empty() {
                return Ok(());
            }
            let (own, rest) = looked.into_iter().partition(|one| ids.contains(&one.id));
            looked = rest;
            self.record(ports, Event::Inquiry { files, looked: own })?;
        }
    }
}
