//! The dependency graph: what is ready, what may run in parallel, what is wrong with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// Nodes with their dependencies, in the given order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dag<K> {
    nodes: Vec<(K, Vec<K>)>,
}

/// Why a graph has no order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DagError {
    /// Two nodes have the same name.
    #[error("`{0}` appears twice")]
    Twice(String),
    /// A dependency that is not a node.
    #[error("`{node}` depends on `{missing}`, which is not there")]
    Unknown {
        /// The node with the dependency.
        node: String,
        /// The missing node.
        missing: String,
    },
    /// Nodes that depend on each other in a cycle.
    #[error("a circle: {}", .0.join(" -> "))]
    Cycle(
        /// The cycle: each node depends on the next, and the first is repeated at the end.
        Vec<String>,
    ),
}

impl<K: Clone + Ord + Display> Dag<K> {
    /// Builds a graph from nodes and their dependencies, without checks.
    pub fn new(nodes: impl IntoIterator<Item = (K, Vec<K>)>) -> Self {
        Self {
            nodes: nodes.into_iter().collect(),
        }
    }

    /// Builds a graph of `keys` only: dependencies on anything else are left out.
    pub fn among(keys: &[K], depends_on: impl Fn(&K) -> Vec<K>) -> Self {
        Self::new(keys.iter().map(|key| {
            let needed = depends_on(key).into_iter().filter(|n| keys.contains(n));
            (key.clone(), needed.collect())
        }))
    }

    /// Returns the nodes that are not done and whose dependencies all are, in the given order.
    pub fn ready(&self, is_done: impl Fn(&K) -> bool) -> Vec<K> {
        let waiting = self.nodes.iter().filter(|(key, _)| !is_done(key));
        waiting
            .filter(|(_, needed)| needed.iter().all(&is_done))
            .map(|(key, _)| key.clone())
            .collect()
    }

    /// Returns whether `later` depends on `earlier`, directly or not.
    pub fn rests_on(&self, later: &K, earlier: &K) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![later];
        while let Some(key) = open.pop() {
            for needed in self.needed(key) {
                if needed == earlier {
                    return true;
                }
                if seen.insert(needed) {
                    open.push(needed);
                }
            }
        }
        false
    }

    /// Returns the layers in topological order: the nodes of a layer depend on earlier layers only,
    /// and on at least one node of the layer directly before.
    ///
    /// # Errors
    /// A duplicate name, a missing dependency, or a cycle.
    pub fn layers(&self) -> Result<Vec<Vec<K>>, DagError> {
        self.check_names()?;
        let mut layers: Vec<Vec<K>> = Vec::new();
        let mut done = BTreeSet::new();
        while done.len() < self.nodes.len() {
            let layer = self.ready(|key| done.contains(key));
            if layer.is_empty() {
                return Err(DagError::Cycle(self.circle(&done)));
            }
            done.extend(layer.iter().cloned());
            layers.push(layer);
        }
        Ok(layers)
    }

    fn needed(&self, key: &K) -> &[K] {
        let node = self.nodes.iter().find(|(k, _)| k == key);
        node.map_or(&[], |(_, needed)| needed.as_slice())
    }

    fn check_names(&self) -> Result<(), DagError> {
        let mut names = BTreeSet::new();
        for (key, _) in &self.nodes {
            if !names.insert(key) {
                return Err(DagError::Twice(key.to_string()));
            }
        }
        for (key, needed) in &self.nodes {
            if let Some(missing) = needed.iter().find(|n| !names.contains(n)) {
                return Err(DagError::Unknown {
                    node: key.to_string(),
                    missing: missing.to_string(),
                });
            }
        }
        Ok(())
    }

    /// Returns a cycle among the remaining nodes, each of which depends on another remaining one.
    fn circle(&self, done: &BTreeSet<K>) -> Vec<String> {
        let mut walked: Vec<&K> = Vec::new();
        let mut places: BTreeMap<&K, usize> = BTreeMap::new();
        let mut at = self
            .nodes
            .iter()
            .map(|(k, _)| k)
            .find(|k| !done.contains(k));
        while let Some(key) = at {
            if let Some(from) = places.get(key) {
                let circle = walked[*from..].iter().chain([&key]);
                return circle.map(|key| key.to_string()).collect();
            }
            places.insert(key, walked.len());
            walked.push(key);
            at = self
                .needed(key)
                .iter()
                .find(|needed| !done.contains(needed));
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reply::DocumentKind;

    #[test]
    fn the_documents_are_a_graph() {
        let dag = Dag::among(&DocumentKind::ALL, |kind| kind.depends_on().to_vec());
        let layers = dag.layers().unwrap();
        let sizes: Vec<usize> = layers.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 1, 3]);
        // A document between two others may have no writer.
        let outer = [DocumentKind::ProductPlan, DocumentKind::TestPlan];
        let dag = Dag::among(&outer, |kind| kind.depends_on().to_vec());
        assert_eq!(dag.ready(|_| false), outer[..1]);
        // A missing role is left out together with its edges.
        let fewer = [DocumentKind::DevPlan, DocumentKind::TestPlan];
        let dag = Dag::among(&fewer, |kind| kind.depends_on().to_vec());
        assert_eq!(dag.ready(|_| false), fewer);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn layers_and_what_is_ready_agree(edges in proptest::collection::vec((0u8..12, 0u8..12), 0..30)) {
            let nodes = (0u8..12).map(|n| {
                let needed = edges.iter().filter(|(from, _)| *from == n).map(|(_, to)| *to);
                (n, needed.collect::<Vec<_>>())
            });
            let dag = Dag::new(nodes);
            let mut done: Vec<u8> = Vec::new();
            match dag.layers() {
                Ok(layers) => {
                    for layer in layers {
                        prop_assert_eq!(&dag.ready(|n| done.contains(n)), &layer);
                        done.extend(layer);
                    }
                    prop_assert_eq!(done.len(), 12);
                }
                Err(DagError::Cycle(names)) => {
                    prop_assert_eq!(names.first(), names.last());
                    for pair in names.windows(2) {
                        let ends: Vec<u8> = pair.iter().map(|n| n.parse().unwrap()).collect();
                        prop_assert!(edges.contains(&(ends[0], ends[1])), "{names:?}");
                    }
                }
                Err(other) => prop_assert!(false, "{other}"),
            }
        }
    }
}
