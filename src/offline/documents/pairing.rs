//! Which item of the previous version an item continues, found by its words.

use super::super::board::Board;
use super::super::text::likeness;
use crate::reply::{Document, DocumentKind};

/// Texts this alike are one item told again.
const SAME: f64 = 0.6;

/// Items of one document of the previous version that are not continued yet.
pub struct Pairing {
    left: Vec<(String, String)>,
}

impl Pairing {
    /// The items that `pick` takes from the previous version's document: id and text.
    pub fn new(
        board: &Board,
        kind: DocumentKind,
        pick: impl Fn(&Document) -> Vec<(String, String)>,
    ) -> Self {
        let before = board
            .state
            .previous
            .as_ref()
            .and_then(|p| p.documents.get(&kind));
        Self {
            left: before.map(pick).unwrap_or_default(),
        }
    }

    /// The id of the item that `text` continues; each is given once.
    pub fn take(&mut self, text: &str) -> Option<String> {
        let (index, best) = self
            .left
            .iter()
            .map(|(_, known)| likeness(known, text))
            .enumerate()
            .max_by(|(i, a), (j, b)| a.total_cmp(b).then(j.cmp(i)))?;
        (best >= SAME).then(|| self.left.remove(index).0)
    }
}
