//! User stories: "As a storekeeper, I want to scan codes so that counting is faster".
//!
//! What is wanted is the need. Who wants it, and what for, is background: a worker who is
//! to be faster asks for no rules on jobs and none on speed.

/// A sentence in the form of a user story, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Story<'a> {
    /// Who wants it, with the words around it: "As a storekeeper".
    pub who: &'a str,
    /// What is wanted.
    pub wish: &'a str,
    /// What for, with the words before it: "so that counting is faster".
    pub benefit: Option<&'a str>,
}

/// Openings, the words before the wish, and those before the benefit.
type Form = (
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

const FORMS: [Form; 2] = [
    (
        &["as a ", "as an ", "as the "],
        &[
            " i want to be able to ",
            " i would like to ",
            " i'd like to ",
            " i want to ",
            " i need to ",
            " i should be able to ",
            " i must be able to ",
            " i want ",
            " i need ",
            " i can ",
            " we want to ",
            " we want ",
            " we need ",
        ],
        &[" so that ", " in order to ", " so i can "],
    ),
    (
        &["作为"],
        &[
            "我希望能够",
            "我希望",
            "我想要",
            "我想",
            "我需要",
            "我要",
            "我可以",
            "我能够",
            "我能",
            "希望能够",
            "希望",
            "想要",
        ],
        &["，以便", "，从而", "，好让", "，这样", "以便"],
    ),
];

impl<'a> Story<'a> {
    /// Takes a sentence apart; none where it is no user story.
    pub fn of(sentence: &'a str) -> Option<Self> {
        let sentence = sentence.trim();
        // Letters of the same length only: a place in one is a place in the other.
        let lower = sentence.to_ascii_lowercase();
        FORMS.iter().find_map(|(openings, wishes, benefits)| {
            openings
                .iter()
                .find(|opening| lower.starts_with(**opening))?;
            let (at, marker) = first_of(&lower, wishes)?;
            let who = sentence[..at].trim_end_matches([',', '，', ' ']);
            let rest = at + marker.len();
            let (wish, benefit) = match first_of(&lower[rest..], benefits) {
                Some((end, _)) => {
                    let (wish, benefit) = sentence[rest..].split_at(end);
                    (wish, Some(benefit.trim_start_matches([' ', '，'])))
                }
                None => (&sentence[rest..], None),
            };
            let wish = wish.trim().trim_end_matches([',', '，']);
            (!wish.is_empty() && !who.is_empty()).then_some(Self { who, wish, benefit })
        })
    }
}

/// The first place of any of the words; where several begin there, the first in the list.
fn first_of<'w>(text: &str, words: &[&'w str]) -> Option<(usize, &'w str)> {
    let places = words
        .iter()
        .filter_map(|word| Some((text.find(word)?, *word)));
    places.min_by_key(|(at, _)| *at)
}
