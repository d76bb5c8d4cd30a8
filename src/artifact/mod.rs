//! Files as functions of the state: documents, report, plan, speeches, `state.md`, `questions.md`.
