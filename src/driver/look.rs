//! What is looked up in the files for an answer: what a member wants to see, before its wish
//! is recorded, so that both stand in one line and nothing is ever looked up again; and
//! whether what it claims stands there.

use super::Ports;
use super::session::Session;
use crate::fault::Fault;
use crate::machine::{Event, evidence, look};
use crate::reply::Evidence;

impl Session {
    /// The event an answer is made of, as the files have it: a look with what was found, or
    /// an answer that goes back since what it claims does not stand there.
    pub(super) fn grounded(&self, event: Event, text: &str, ports: &Ports<'_>) -> Event {
        let event = look::with_found(&self.state, event, |looks| {
            let mut seen = (ports.look)(&self.state, looks);
            for find in seen.iter_mut().flat_map(|one| &mut one.found) {
                find.text = (ports.redact)(&find.text);
            }
            seen
        });
        let verify = |claims: &[Evidence]| (ports.verify)(&self.state, claims);
        evidence::put_back(&self.state, event, text, verify)
    }

    /// Holds what was claimed against the files, and records what came of it.
    pub(super) fn verify(&mut self, ports: &Ports<'_>) -> Result<(), Fault> {
        let claims = evidence::due(&self.state).iter();
        let claims: Vec<Evidence> = claims.map(|claim| claim.evidence.clone()).collect();
        let held = (ports.verify)(&self.state, &claims);
        self.record(ports, evidence::checked(&self.state, held))
    }
}
