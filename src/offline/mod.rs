//! The built-in members: checklists and repository search, no language model.
