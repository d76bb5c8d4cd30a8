//! Traces an item back to the requirement, and on to everything that depends on it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::graph::Graph;
use crate::artifact::one_line;
use crate::fault::plans::ID_UNKNOWN;
use crate::fault::{Fault, Text, did_you_mean, texts};
use crate::machine::{ConsensusId, Lang, State, canonical_id, parse_text_id, split_id};

/// Maximum number of steps of a trace in one direction.
const DEPTH: usize = 40;

/// One item with its way back and its way on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Trace {
    /// Id of the item, such as `W-2`.
    pub id: String,
    /// What it is, such as `criterion`.
    pub kind: &'static str,
    /// Text of the item, one line.
    pub text: String,
    /// Items that it rests on.
    pub from: Vec<TraceNode>,
    /// Items that rest on it.
    pub carries: Vec<TraceNode>,
}

/// A thing on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TraceNode {
    /// Its id, or its name where it has none: `PP r1` is what PP said in round 1.
    pub id: String,
    /// What it is, such as `position`; `missing` for an id that does not exist.
    pub kind: &'static str,
    /// Text of the item, one line.
    pub text: String,
    /// Whether it is shown in full further up, so that its own origin is not repeated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
    /// The next things on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<TraceNode>,
}

/// The error for an unknown id; `nearest` holds the most similar ids that exist, best first.
fn unknown(id: &str, nearest: &[String]) -> Fault {
    let fault = ID_UNKNOWN.with(&[("id", &one_line(id)), ("n", &"vN")]);
    if nearest.is_empty() {
        return fault.fixed_by(NO_IDS);
    }
    let nearest: Vec<String> = nearest.iter().map(|id| format!("aitc why {id}")).collect();
    let nearest: Vec<&str> = nearest.iter().map(String::as_str).collect();
    fault.fixed_by(did_you_mean(Text("` or `", "` 或 `").join(&nearest)))
}

texts! {
    NO_IDS: "nothing has an id yet; see how far the run is: aitc status", "目前还没有任何编号；查看运行进度：aitc status";
}

/// Traces an item of any kind: `AC`, `M`, `DEC`, `W`, `T`, `R`, `C`, `I`, `Q`, `A`, `F`, `D`, `E`,
/// `P`.
///
/// Case, hyphen and leading zeros do not matter: `ac1` is `AC-1`. `lang` is the language of the
/// program's own words; the plan's words stay as they are.
///
/// # Errors
/// No item has that id; the error names the nearest ids.
pub fn why(state: &State, id: &str, lang: Lang) -> Result<Trace, Fault> {
    let graph = Graph::of(state);
    let name = spelled(id);
    let Some(thing) = graph.find(&name) else {
        return Err(unknown(id, &nearest(&graph, &name)));
    };
    let mut back = GraphWalk::new(&name, |id| graph.rests_on(id), &graph, lang);
    let from = back.below(&name, DEPTH);
    let mut on = GraphWalk::new(&name, |id| graph.carries(id), &graph, lang);
    let carries = on.below(&name, DEPTH);
    Ok(Trace {
        kind: thing.kind,
        text: thing.text.of(lang).to_owned(),
        id: name,
        from,
        carries,
    })
}

/// Returns an id in canonical spelling, or the text unchanged if it is not an id.
fn spelled(id: &str) -> String {
    let text = || parse_text_id(id).map(|id| id.to_string());
    let phase = || {
        let number = id.trim().strip_prefix(['p', 'P'])?;
        let number: u32 = number.trim_start_matches('-').parse().ok()?;
        Some(format!("P-{number}"))
    };
    canonical_id(id)
        .or_else(text)
        .or_else(phase)
        .unwrap_or_else(|| id.trim().to_owned())
}

/// Returns the canonical spelling of an id that the plan holds, or `None` if it holds no such id.
pub fn known(state: &State, id: &str) -> Option<String> {
    let name = spelled(id);
    Graph::without_left_out(state).holds(&name).then_some(name)
}

/// Returns whether the plan has an item with that id that is still valid. A withdrawn agreed item
/// is not.
pub fn stands(state: &State, id: &str) -> bool {
    known(state, id).is_some_and(|name| {
        let agreed: Option<ConsensusId> = name.parse().ok();
        agreed.is_none_or(|id| !state.draft.is_withdrawn(id))
    })
}

/// The ids of everything in the plan that can have comments, sorted.
pub fn items(state: &State) -> Vec<String> {
    let graph = Graph::without_left_out(state);
    let is_item = |name: &&str| split_id(name).is_some();
    graph.names().filter(is_item).map(str::to_owned).collect()
}

struct GraphWalk<'g, F> {
    seen: BTreeSet<String>,
    edges: F,
    graph: &'g Graph,
    lang: Lang,
}

impl<'g, F: Fn(&str) -> &'g [String]> GraphWalk<'g, F> {
    fn new(start: &str, edges: F, graph: &'g Graph, lang: Lang) -> Self {
        Self {
            seen: BTreeSet::from([start.to_owned()]),
            edges,
            graph,
            lang,
        }
    }

    /// The neighbours of `id`. Each is expanded unless it was shown before.
    fn below(&mut self, id: &str, depth: usize) -> Vec<TraceNode> {
        let list = (self.edges)(id);
        list.iter()
            .map(|next| {
                let thing = self.graph.find(next);
                let has_more = !(self.edges)(next).is_empty();
                let fresh = self.seen.insert(next.clone());
                let goes_on = fresh && depth > 0;
                TraceNode {
                    id: next.clone(),
                    kind: thing.map_or("missing", |thing| thing.kind),
                    text: thing
                        .map(|thing| thing.text.of(self.lang).to_owned())
                        .unwrap_or_default(),
                    repeated: has_more && !goes_on,
                    next: if goes_on {
                        self.below(next, depth - 1)
                    } else {
                        Vec::new()
                    },
                }
            })
            .collect()
    }
}

/// The three best matches for `name`: ids with the same prefix by the nearest number, then others
/// by the fewest edits.
fn nearest(graph: &Graph, name: &str) -> Vec<String> {
    let wanted = split_id(name);
    let mut known: Vec<(usize, bool, u32, &str)> = graph
        .names()
        .filter_map(|id| {
            let (prefix, number) = split_id(id)?;
            let apart = strsim::osa_distance(&name.to_uppercase(), id);
            let other = wanted.is_none_or(|(wanted, _)| wanted != prefix);
            let far = wanted.map_or(number, |(_, wanted)| wanted.abs_diff(number));
            // Ids with the same prefix come first, whatever their edit distance.
            Some((if other { apart } else { 0 }, other, far, id))
        })
        .collect();
    known.sort_unstable();
    known
        .into_iter()
        .take(3)
        .map(|(.., id)| id.to_owned())
        .collect()
}
