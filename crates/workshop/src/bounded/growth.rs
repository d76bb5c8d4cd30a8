//! What a template could let grow, told from its source: a text or list that is put
//! together may be shown, and never be part of another one, so that nothing doubles from step
//! to step. Steps alone bound nothing: sixty of them double a word sixty times.
//!
//! *Put together* is what `~` and `+` make, and a list of two things or more. What filters,
//! macros and blocks make is counted while it is made, and may be used as anything else.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::machinery::ast::{BinOpKind, Call, CallArg, Expr, Stmt};
use minijinja::machinery::parse;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Error, ErrorKind};

/// Most things that one expression, or all `set` of a template, may put together.
const MOST_JOINED: usize = 64;
/// Filters that make a number of whatever they are given.
const NUMBERS: [&str; 6] = ["length", "count", "int", "float", "abs", "round"];

/// Looks through templates, by their names.
///
/// # Errors
/// The name of one that is malformed, or could let something grow, and why.
pub(super) fn check<'a>(
    templates: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    syntax: &SyntaxConfig,
) -> Result<(), (String, Error)> {
    let mut parsed = Vec::new();
    for (name, source) in templates {
        let tree = parse(source, name, syntax.clone()).map_err(|e| (name.to_owned(), e))?;
        parsed.push((name, tree));
    }
    let mut names = Names::default();
    for (name, tree) in &parsed {
        names.collect(name, tree, false);
    }
    for (name, tree) in &parsed {
        let fault = names.refused(tree).err();
        if let Some(what) = fault {
            return Err((
                name.to_string(),
                Error::new(ErrorKind::InvalidOperation, what),
            ));
        }
    }
    Ok(())
}

/// Names of what is put together, in any of the templates.
#[derive(Default)]
struct Names<'a> {
    /// Lists of which each member is as it was given.
    gathered: BTreeSet<&'a str>,
    /// Anything else.
    joined: BTreeSet<&'a str>,
    /// Templates that have such names outside of macros: every template that imports one has them,
    /// too.
    telling: BTreeSet<&'a str>,
    /// Things put together for a name, by template.
    count: BTreeMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn collect(&mut self, template: &'a str, statement: &Stmt<'a>, in_macro: bool) {
        let mut name = |target: &Expr<'a>, made: &Expr<'a>| {
            let joined = joins(made, true);
            if joined == 0 {
                return;
            }
            let into = match is_gathered(made) {
                true => &mut self.gathered,
                false => &mut self.joined,
            };
            targets(target, into);
            *self.count.entry(template).or_default() += joined;
            if !in_macro {
                self.telling.insert(template);
            }
        };
        match statement {
            Stmt::Set(set) => name(&set.target, &set.expr),
            Stmt::WithBlock(with) => {
                for (target, made) in &with.assignments {
                    name(target, made);
                }
            }
            _ => {}
        }
        let in_macro = in_macro || matches!(statement, Stmt::Macro(_) | Stmt::CallBlock(_));
        for body in bodies(statement) {
            for statement in body {
                self.collect(template, statement, in_macro);
            }
        }
    }

    fn refused(&self, statement: &Stmt<'a>) -> Result<(), String> {
        if let Some((template, _)) = self.count.iter().find(|(_, count)| **count > MOST_JOINED) {
            return Err(format!(
                "`set` puts more than {MOST_JOINED} things together in {template}"
            ));
        }
        match statement {
            Stmt::EmitExpr(it) => self.shown(&it.expr)?,
            Stmt::IfCond(it) => self.shown(&it.expr)?,
            Stmt::Set(it) => self.named(&it.expr)?,
            Stmt::WithBlock(it) => {
                for (_, made) in &it.assignments {
                    self.named(made)?;
                }
            }
            Stmt::ForLoop(it) => {
                if let Some(filter) = &it.filter_expr {
                    self.shown(filter)?;
                }
                self.shown(&it.iter)?;
                self.gone_through(&it.iter)?;
            }
            Stmt::SetBlock(it) => it.filter.iter().try_for_each(|filter| self.shown(filter))?,
            Stmt::FilterBlock(it) => self.shown(&it.filter)?,
            Stmt::AutoEscape(it) => self.shown(&it.enabled)?,
            Stmt::Macro(it) => it.defaults.iter().try_for_each(|value| self.kept(value))?,
            Stmt::CallBlock(it) => {
                self.call(&it.call)?;
                let defaults = &it.macro_decl.defaults;
                defaults.iter().try_for_each(|value| self.kept(value))?;
            }
            Stmt::Do(it) => self.call(&it.call)?,
            Stmt::Import(it) => self.imported(&it.expr)?,
            Stmt::FromImport(it) => self.imported(&it.expr)?,
            Stmt::Extends(it) => self.shown(&it.name)?,
            Stmt::Include(it) => self.shown(&it.name)?,
            Stmt::Template(_) | Stmt::EmitRaw(_) | Stmt::Block(_) => {}
        }
        for body in bodies(statement) {
            body.iter()
                .try_for_each(|statement| self.refused(statement))?;
        }
        Ok(())
    }

    /// What is only shown or asked about.
    fn shown(&self, expression: &Expr<'a>) -> Result<(), String> {
        if joins(expression, false) > MOST_JOINED {
            return Err(format!(
                "an expression puts more than {MOST_JOINED} things together"
            ));
        }
        self.operands(expression)
    }

    /// A name may be given to parts that were not joined before.
    fn named(&self, expression: &Expr<'a>) -> Result<(), String> {
        self.shown(expression)?;
        self.untouched(expression)
    }

    /// The parts passed on may not be joined at all.
    fn kept(&self, expression: &Expr<'a>) -> Result<(), String> {
        if joins(expression, true) > 0 {
            return Err(
                "what `~` and `+` make, and lists, cannot be passed on; use `{% set %}…{% endset %}`"
                    .to_owned(),
            );
        }
        self.untouched(expression)
    }

    /// Nothing in it has a name of what was put together.
    fn untouched(&self, expression: &Expr<'a>) -> Result<(), String> {
        let name = match expression {
            Expr::Var(it) => Some(it.id),
            Expr::GetAttr(it) => Some(it.name),
            Expr::Filter(it) if NUMBERS.contains(&it.name) => return Ok(()),
            _ => None,
        };
        match name.filter(|name| self.joined.contains(name) || self.gathered.contains(name)) {
            Some(name) => Err(format!(
                "`{name}` was put together, and can be shown but not become part of something else"
            )),
            None => parts(expression)
                .into_iter()
                .try_for_each(|part| self.untouched(part)),
        }
    }

    /// What a loop goes through may be gathered: its members are as they were given.
    fn gone_through(&self, expression: &Expr<'a>) -> Result<(), String> {
        match expression {
            Expr::BinOp(it) if matches!(it.op, BinOpKind::Add) => {
                self.gone_through(&it.left)?;
                self.gone_through(&it.right)
            }
            Expr::Var(it) if self.gathered.contains(it.id) && !self.joined.contains(it.id) => {
                Ok(())
            }
            Expr::List(it) => it.items.iter().try_for_each(|item| self.kept(item)),
            other => self.kept(other),
        }
    }

    /// Calls in an expression get nothing that is put together, and no text is multiplied.
    fn operands(&self, expression: &Expr<'a>) -> Result<(), String> {
        match expression {
            Expr::Call(call) => self.call(call)?,
            Expr::BinOp(it) if matches!(it.op, BinOpKind::Mul) => {
                let numbers = is_number(&it.left) && is_number(&it.right);
                numbers.then_some(()).ok_or("`*` is for numbers alone")?;
            }
            _ => {}
        }
        parts(expression)
            .into_iter()
            .try_for_each(|part| self.operands(part))
    }

    fn call(&self, call: &Call<'a>) -> Result<(), String> {
        call.args
            .iter()
            .map(argument)
            .try_for_each(|value| self.kept(value))?;
        call.args
            .iter()
            .map(argument)
            .try_for_each(|value| self.shown(value))?;
        self.operands(&call.expr)
    }

    fn imported(&self, name: &Expr<'a>) -> Result<(), String> {
        let known = match name {
            Expr::Const(it) => it.value.as_str().map(|name| !self.telling.contains(name)),
            _ => Some(self.telling.is_empty()),
        };
        match known {
            Some(true) => Ok(()),
            _ => Err(
                "a template that puts something together outside of macros is imported".to_owned(),
            ),
        }
    }
}

/// How many things an expression puts together; where `whole`, of a number not what it was
/// made from.
fn joins(expression: &Expr<'_>, whole: bool) -> usize {
    let own = match expression {
        Expr::Filter(it) if whole && NUMBERS.contains(&it.name) => return 0,
        Expr::BinOp(it) => match it.op {
            BinOpKind::Concat => 1,
            BinOpKind::Add if !is_number(&it.left) && !is_number(&it.right) => 1,
            _ => 0,
        },
        Expr::List(_) | Expr::Tuple(_) | Expr::Map(_) => {
            let items = parts(expression);
            let items = items.iter().filter(|item| !is_constant(item));
            items.count().saturating_sub(1)
        }
        _ => 0,
    };
    let parts = parts(expression).into_iter();
    parts.map(|part| joins(part, whole)).sum::<usize>() + own
}

/// Returns whether it is a list, or several joined, whose members are as they were given.
fn is_gathered(expression: &Expr<'_>) -> bool {
    match expression {
        Expr::BinOp(it) if matches!(it.op, BinOpKind::Add) => {
            is_gathered(&it.left) && is_gathered(&it.right)
        }
        Expr::List(it) => it.items.iter().all(|item| joins(item, true) == 0),
        Expr::Var(_) => true,
        other => joins(other, true) == 0,
    }
}

/// Returns whether it is written out, lists of lists and filters on them included. It is about as
/// long as its source.
fn is_constant(expression: &Expr<'_>) -> bool {
    match expression {
        Expr::Const(_) => true,
        Expr::List(_) | Expr::Tuple(_) | Expr::Map(_) | Expr::Filter(_) => {
            parts(expression).into_iter().all(is_constant)
        }
        _ => false,
    }
}

/// Returns whether it is a number, whatever it is computed from.
fn is_number(expression: &Expr<'_>) -> bool {
    match expression {
        Expr::Const(it) => it.value.is_number(),
        Expr::Filter(it) => NUMBERS.contains(&it.name),
        Expr::BinOp(it) => match it.op {
            BinOpKind::Sub
            | BinOpKind::Div
            | BinOpKind::FloorDiv
            | BinOpKind::Rem
            | BinOpKind::Pow => true,
            BinOpKind::Add | BinOpKind::Mul => is_number(&it.left) && is_number(&it.right),
            _ => false,
        },
        _ => false,
    }
}

fn targets<'a>(target: &Expr<'a>, into: &mut BTreeSet<&'a str>) {
    match target {
        Expr::Var(it) => {
            into.insert(it.id);
        }
        other => parts(other)
            .into_iter()
            .for_each(|part| targets(part, into)),
    }
}

fn argument<'e, 'a>(argument: &'e CallArg<'a>) -> &'e Expr<'a> {
    match argument {
        CallArg::Pos(it)
        | CallArg::Kwarg(_, it)
        | CallArg::PosSplat(it)
        | CallArg::KwargSplat(it) => it,
    }
}

/// The expressions right inside of one.
fn parts<'e, 'a>(expression: &'e Expr<'a>) -> Vec<&'e Expr<'a>> {
    match expression {
        Expr::Var(_) | Expr::Const(_) => Vec::new(),
        Expr::Slice(it) => {
            let bounds = [&it.start, &it.stop, &it.step];
            let bounds = bounds.into_iter().filter_map(Option::as_ref);
            std::iter::once(&it.expr).chain(bounds).collect()
        }
        Expr::UnaryOp(it) => vec![&it.expr],
        Expr::BinOp(it) => vec![&it.left, &it.right],
        Expr::Compare(it) => {
            let others = it.ops.iter().map(|op| &op.expr);
            std::iter::once(&it.expr).chain(others).collect()
        }
        Expr::IfExpr(it) => {
            let both = [&it.test_expr, &it.true_expr].into_iter();
            both.chain(it.false_expr.as_ref()).collect()
        }
        Expr::Filter(it) => it.expr.iter().chain(it.args.iter().map(argument)).collect(),
        Expr::Test(it) => {
            let others = it.args.iter().map(argument);
            std::iter::once(&it.expr).chain(others).collect()
        }
        Expr::GetAttr(it) => vec![&it.expr],
        Expr::GetItem(it) => vec![&it.expr, &it.subscript_expr],
        Expr::Call(it) => {
            let others = it.args.iter().map(argument);
            std::iter::once(&it.expr).chain(others).collect()
        }
        Expr::List(it) => it.items.iter().collect(),
        Expr::Tuple(it) => it.items.iter().collect(),
        Expr::Map(it) => it.keys.iter().chain(&it.values).collect(),
    }
}

/// The statements right inside of one.
fn bodies<'s, 'a>(statement: &'s Stmt<'a>) -> Vec<&'s [Stmt<'a>]> {
    match statement {
        Stmt::Template(it) => vec![&it.children],
        Stmt::ForLoop(it) => vec![&it.body, &it.else_body],
        Stmt::IfCond(it) => vec![&it.true_body, &it.false_body],
        Stmt::WithBlock(it) => vec![&it.body],
        Stmt::SetBlock(it) => vec![&it.body],
        Stmt::AutoEscape(it) => vec![&it.body],
        Stmt::FilterBlock(it) => vec![&it.body],
        Stmt::Block(it) => vec![&it.body],
        Stmt::Macro(it) => vec![&it.body],
        Stmt::CallBlock(it) => vec![&it.macro_decl.body],
        Stmt::EmitExpr(_)
        | Stmt::EmitRaw(_)
        | Stmt::Set(_)
        | Stmt::Import(_)
        | Stmt::FromImport(_)
        | Stmt::Extends(_)
        | Stmt::Include(_)
        | Stmt::Do(_) => Vec::new(),
    }
}
