//! A plan held against the rules: traceability, dangling ids, budgets; and two plans against each other.
