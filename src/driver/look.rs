//! Looks: what a member wants to see is looked up before its wish is recorded, so that
//! both stand in one line and nothing is ever looked up again.

use super::Ports;
use super::session::Session;
use crate::machine::{Event, look};

impl Session {
    /// The event with what was found, if it is a look; any other as it is.
    pub(super) fn with_found(&self, event: Event, ports: &Ports<'_>) -> Event {
        look::with_found(event, |looks| {
            let mut seen = (ports.look)(&self.state, looks);
            for find in seen.iter_mut().flat_map(|one| &mut one.found) {
                find.text = (ports.redact)(&find.text);
            }
            seen
        })
    }
}
