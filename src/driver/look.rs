//! File access for an answer. The files a member asks to see are read before its request is
//! recorded, so that request and result are one line and nothing is read again on replay; claims
//! about files are compared with the files.

use super::Ports;
use super::session::Session;
use crate::fault::Fault;
use crate::machine::{Event, evidence, look};
use crate::reply::Evidence;

impl Session {
    /// The event for an answer after reading the files: a request with the content found, or an
    /// answer that goes back because a claim in it does not match the files.
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

    /// Compares open claims with the files and records the results.
    pub(super) fn verify(&mut self, ports: &Ports<'_>) -> Result<(), Fault> {
        let claims = evidence::due(&self.state).iter();
        let claims: Vec<Evidence> = claims.map(|claim| claim.evidence.clone()).collect();
        let held = (ports.verify)(&self.state, &claims);
        self.record(ports, evidence::checked(&self.state, held))
    }
}
