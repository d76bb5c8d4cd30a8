//! Checks by the tokens of templates whether a value could grow without limit. The results of `~`
//! and `+` and list literals may be printed but not become part of another value, so nothing
//! doubles from step to step. The step limit alone is not enough: sixty steps double a word sixty
//! times.
//!
//! `{{ … }}`, `if` and `elif` store nothing, so they may combine values freely, except in the
//! arguments of a call. `for` may iterate over joined lists, because their members are unchanged. A
//! macro may name two joined lists, and that name must not become part of anything else. The output
//! of filters, macros and blocks is counted while it is produced and may be used like any other
//! value.

use std::collections::BTreeSet;

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Error, ErrorKind};

/// Maximum number of values that one tag may join.
const MOST_JOINED: usize = 64;
/// Filters that return a number whatever their input is.
const NUMBERS: [&str; 6] = ["length", "count", "int", "float", "abs", "round"];

/// Checks templates, given with their names.
///
/// # Errors
/// A template is malformed or could let something grow: its name, and why.
pub(super) fn check<'a>(
    templates: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    syntax: &SyntaxConfig,
) -> Result<(), (String, Error)> {
    let mut all = Vec::new();
    let mut joined = BTreeSet::new();
    for (name, source) in templates {
        let tags = tags(source, syntax).map_err(|error| (name.to_owned(), error))?;
        joined.extend(
            tags.iter()
                .filter(|tag| tag.joins())
                .filter_map(Tag::target),
        );
        all.push((name, tags));
    }
    for (name, tags) in &all {
        let mut macros = 0_usize;
        for tag in tags {
            match tag.keyword() {
                Some("macro") => macros += 1,
                Some("endmacro") => macros = macros.saturating_sub(1),
                _ => {}
            }
            tag.refused(macros > 0, &joined).map_err(|what| {
                let error = Error::new(ErrorKind::InvalidOperation, what);
                (name.to_string(), error)
            })?;
        }
    }
    Ok(())
}

/// The tokens between `{{` and `}}`, or between `{%` and `%}`.
struct Tag<'a> {
    is_shown: bool,
    tokens: Vec<Token<'a>>,
}

fn tags<'a>(source: &'a str, syntax: &SyntaxConfig) -> Result<Vec<Tag<'a>>, Error> {
    let mut tags: Vec<Tag<'a>> = Vec::new();
    for token in tokenize(source, false, syntax.clone()) {
        match token?.0 {
            token @ (Token::VariableStart | Token::BlockStart) => tags.push(Tag {
                is_shown: matches!(token, Token::VariableStart),
                tokens: Vec::new(),
            }),
            Token::TemplateData(_) | Token::VariableEnd | Token::BlockEnd => {}
            token => {
                if let Some(tag) = tags.last_mut() {
                    tag.tokens.push(token);
                }
            }
        }
    }
    Ok(tags)
}

/// What a bracket opens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BracketKind {
    /// Arguments of a function or macro.
    Call,
    /// Arguments of a filter or test.
    Filter,
    /// A part of an expression.
    Group,
    /// An index or a slice.
    Index,
    /// A list or map.
    List,
}

impl<'a> Tag<'a> {
    /// Returns the keyword that a block begins with.
    fn keyword(&self) -> Option<&'a str> {
        match self.tokens.first() {
            Some(Token::Ident(word)) if !self.is_shown => Some(word),
            _ => None,
        }
    }

    /// Returns the name that a `set` assigns, if it is a single one.
    fn target(&self) -> Option<&'a str> {
        match (self.keyword(), self.tokens.get(1..3)) {
            (Some("set"), Some([Token::Ident(name), Token::Assign])) => Some(name),
            _ => None,
        }
    }

    fn joins(&self) -> bool {
        let mut places = 0..self.tokens.len();
        places.any(|at| matches!(self.tokens[at], Token::Plus) && !self.adds(at))
    }

    /// Returns whether a number comes before the operator at a position, and whether one comes
    /// after it.
    fn numbers(&self, at: usize) -> (bool, bool) {
        let before = match &self.tokens[..at] {
            [.., Token::Pipe, Token::Ident(filter)] => NUMBERS.contains(filter),
            [.., Token::Int(_) | Token::Float(_)] => true,
            _ => false,
        };
        let after = &self.tokens[at + 1..];
        let is_piped = matches!(after.get(1), Some(Token::Pipe));
        let after = matches!(after.first(), Some(Token::Int(_))) && !is_piped;
        (before, after)
    }

    /// Returns whether the `+` at a position adds numbers. One number is enough: the other must be
    /// one too.
    fn adds(&self, at: usize) -> bool {
        self.numbers(at) != (false, false)
    }

    fn opened(&self, at: usize) -> BracketKind {
        const WORDS: [&str; 7] = ["in", "if", "elif", "else", "and", "or", "not"];
        let is_filter = matches!(
            self.tokens[..at],
            [
                ..,
                Token::Pipe | Token::Ident("is" | "not"),
                Token::Ident(_)
            ]
        );
        let follows_value = match &self.tokens[..at] {
            [.., Token::Ident(word)] => !WORDS.contains(word),
            [.., last] => matches!(
                last,
                Token::ParenClose | Token::BracketClose | Token::Str(_) | Token::String(_)
            ),
            [] => false,
        };
        match (&self.tokens[at], follows_value) {
            (Token::ParenOpen, _) if is_filter => BracketKind::Filter,
            (Token::ParenOpen, true) => BracketKind::Call,
            (Token::ParenOpen, false) => BracketKind::Group,
            (Token::BracketOpen, true) => BracketKind::Index,
            _ => BracketKind::List,
        }
    }

    /// Returns an error if the tag could let something grow.
    fn refused(&self, in_macro: bool, joined: &BTreeSet<&str>) -> Result<(), String> {
        let keyword = self.keyword();
        let keeps_nothing = self.is_shown || matches!(keyword, Some("if" | "elif"));
        let (mut open, mut together) = (Vec::new(), 0);
        for (at, token) in self.tokens.iter().enumerate() {
            together += usize::from(matches!(token, Token::Tilde | Token::Plus));
            match token {
                Token::ParenOpen | Token::BracketOpen | Token::BraceOpen => {
                    open.push(self.opened(at));
                }
                Token::ParenClose | Token::BracketClose | Token::BraceClose => {
                    open.pop();
                }
                Token::Mul if self.numbers(at) != (true, true) => {
                    return Err("`*` is for numbers alone".to_owned());
                }
                _ => {}
            }
            if keeps_nothing && !open.contains(&BracketKind::Call) {
                continue;
            }
            let goes_through = keyword == Some("for") && open.is_empty();
            let names_lists = in_macro && self.target().is_some() && open.is_empty();
            let grows = match token {
                Token::Tilde => true,
                Token::Plus => !self.adds(at) && !goes_through && !names_lists,
                Token::Comma if open.is_empty() => keyword == Some("set"),
                Token::Comma => open.ends_with(&[BracketKind::Group]),
                Token::Ident(word) if open.contains(&BracketKind::List) => {
                    let is_literal = matches!(word, &"true" | &"false" | &"none")
                        || matches!(self.tokens[..at], [.., Token::Pipe]);
                    let is_member = keyword == Some("for") && open == [BracketKind::List];
                    !is_literal && !is_member
                }
                _ => false,
            };
            if grows {
                return Err(
                    "what `~` and `+` make, and lists, cannot become part of something else; \
                     use `{% set %}…{% endset %}`"
                        .to_owned(),
                );
            }
            let name = match token {
                Token::Ident(name) | Token::Str(name) => Some(*name),
                Token::String(name) => Some(&**name),
                _ => None,
            };
            let is_target = keyword == Some("set") && at == 1;
            if let Some(name) = name.filter(|name| joined.contains(name))
                && !is_target
                && !goes_through
            {
                return Err(format!(
                    "`{name}` was put together, and can be shown but not become part of something \
                     else"
                ));
            }
        }
        match together > MOST_JOINED {
            true => Err(format!(
                "a tag puts more than {MOST_JOINED} things together"
            )),
            false => Ok(()),
        }
    }
}
