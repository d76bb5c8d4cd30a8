//! Similarity by vectors from an embeddings endpoint.

use std::collections::BTreeMap;

use super::{Score, Similarity};

/// Texts and their vectors, all from one model.
#[derive(Debug, Clone, PartialEq)]
pub struct TextEmbeddings {
    name: String,
    vectors: BTreeMap<String, Vec<f32>>,
}

impl TextEmbeddings {
    /// Starts without texts, for the named model.
    pub fn new(model: &str) -> Self {
        Self {
            name: format!("embeddings:{model}"),
            vectors: BTreeMap::new(),
        }
    }

    /// Adds vectors, one per text, in the same order.
    ///
    /// # Errors
    /// The vectors do not fit the texts or one another, in words; nothing is added then.
    pub fn extend(&mut self, texts: &[String], vectors: Vec<Vec<f32>>) -> Result<(), String> {
        let (sent, back) = (texts.len(), vectors.len());
        if sent != back {
            return Err(format!(
                "{sent} texts were sent and {back} vectors came back"
            ));
        }
        let known = self.vectors.values().next().or(vectors.first());
        let one = known.map_or(0, Vec::len);
        for vector in &vectors {
            let other = vector.len();
            if other != one || one == 0 {
                let differ = "the vectors have different numbers of dimensions";
                return Err(format!("{differ}: {one} and {other}"));
            }
            let length = norm(vector);
            if !length.is_finite() || length == 0.0 {
                let none =
                    "a vector has no direction: all its components are zero, or one is no number";
                return Err(none.to_owned());
            }
        }
        self.vectors.extend(texts.iter().cloned().zip(vectors));
        Ok(())
    }

    /// Returns whether the vector of this text is known.
    pub fn knows(&self, text: &str) -> bool {
        self.vectors.contains_key(text)
    }
}

impl Similarity for TextEmbeddings {
    fn name(&self) -> &str {
        &self.name
    }

    /// Cosine, with negative values counted as 0; a text without a vector scores 0 against any
    /// text.
    fn score(&self, earlier: &str, later: &str) -> Score {
        match (self.vectors.get(earlier), self.vectors.get(later)) {
            (Some(a), Some(b)) => Score::from_ratio(dot(a, b) / (norm(a) * norm(b))),
            _ => Score::ZERO,
        }
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| f64::from(*a) * f64::from(*b))
        .sum()
}

fn norm(vector: &[f32]) -> f64 {
    dot(vector, vector).sqrt()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn cosine_is_measured_whatever_the_length_of_vectors() {
        let mut all = TextEmbeddings::new("m");
        let vectors = vec![vec![1.0, 0.0], vec![3.0, 4.0], vec![-2.0, 0.0]];
        all.extend(&texts(&["a", "b", "c"]), vectors).unwrap();
        let score = |a, b| all.score(a, b).thousandths();
        assert_eq!(score("a", "a"), 1000);
        assert_eq!(score("a", "b"), 600);
        assert_eq!(score("a", "c"), 0);
        assert_eq!(score("a", "unknown"), 0);
        assert_eq!(all.name(), "embeddings:m");
    }

    #[test]
    fn vectors_that_cannot_be_compared_are_refused() {
        let mut all = TextEmbeddings::new("m");
        let two = texts(&["a", "b"]);
        let mut refused = |texts: &[String], vectors| {
            let why = all.extend(texts, vectors).unwrap_err();
            why.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(refused(&two, vec![vec![1.0]]), "2 texts were sent");
        for vectors in [vec![vec![1.0], vec![1.0, 2.0]], vec![vec![], vec![]]] {
            assert_eq!(refused(&two, vectors), "the vectors have different");
        }
        for bad in [0.0, f32::NAN, f32::INFINITY] {
            let why = refused(&two, vec![vec![1.0], vec![bad]]);
            assert_eq!(why, "a vector has no");
        }
        assert!(!all.knows("a"));
        all.extend(&two[..1], vec![vec![1.0]]).unwrap();
        let refused = all.extend(&two[1..], vec![vec![1.0, 2.0]]);
        assert!(refused.unwrap_err().contains(": 1 and 2"));
    }
}
