//! `aitc roles`: lists, shows, creates and checks roles.

use std::collections::BTreeSet;

use clap::{Args, Subcommand};
use schemars::JsonSchema;
use serde::Serialize;

use super::scaffold::{self, Fate};
use super::{Context, Exit, Fault};
use crate::config::Layer;
use crate::edge::assets::{self, ROLES_DIR};
use crate::fault::line::OUT_EXISTS;
use crate::fault::settings::{ROLE_NAME, ROLE_TAKEN, ROLE_UNKNOWN};
use crate::fault::{Text, nearest, texts, values};
use crate::machine::Lang;
use crate::role::{self, RoleSet, RoleSpec};

texts! {
    OTHER_NAME: "choose another name, or edit that file", "请另选名称，或编辑该文件";
    MADE: "{path} made; describe the member in it, then: aitc roles check", "已创建 {path}；请在其中描述该成员，然后运行：aitc roles check";
}

/// List, show, create and check roles
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "Examples:\n  aitc roles list\n  aitc roles show TP\n  aitc roles new DataSteward"
)]
pub struct RolesArgs {
    #[command(subcommand)]
    command: RolesCommand,
}

#[derive(Debug, Subcommand)]
enum RolesCommand {
    /// List the roles that would take part in a run
    List,
    Show(ShowArgs),
    New(NewArgs),
    Check(CheckArgs),
}

/// Print a role's file, frontmatter and persona
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc roles show TestPlanner\n  \
    aitc roles show TP > .ai-tools-chain/roles/test_planner.md")]
struct ShowArgs {
    /// Its name or code
    role: String,
}

/// Create the file of a new role, to be filled in
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc roles new DataSteward\n  \
    aitc roles new Lawyer --code LAW --order 9")]
struct NewArgs {
    /// Full name: a letter, then letters, digits, `_` or `-`
    name: String,
    /// Short code; default: the capitals of the name
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
    /// Place in the speaking order; default: last
    #[arg(long, value_name = "N")]
    order: Option<u32>,
}

/// Check every role file of the workspace, in both languages
#[derive(Debug, Args)]
struct CheckArgs {}

/// What `roles list` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RolesDocument {
    /// Language of the roles.
    pub language: Lang,
    /// The coach, then everybody in speaking order, personas included.
    pub roles: Vec<RoleSpec>,
}

/// What `roles show` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleDocument {
    /// The role as it is in effect.
    pub role: RoleSpec,
    /// The text of its file.
    pub text: String,
}

/// What `roles new` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRoleDocument {
    /// The file that was made, from the workspace's root.
    pub path: String,
    /// Full role name, such as `ProductPlanner`.
    pub id: String,
    /// Code of the role, such as `PP`.
    pub code: String,
}

/// What `roles check` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleFaultsDocument {
    /// Whether every run would start.
    pub sound: bool,
    /// What is wrong, each with file and line where it has one.
    pub faults: Vec<String>,
}

/// Executes the subcommand.
pub fn run(args: &RolesArgs, context: &Context) -> Result<Exit, Fault> {
    match &args.command {
        RolesCommand::List => list(context),
        RolesCommand::Show(args) => show(args, context),
        RolesCommand::New(args) => new(args, context),
        RolesCommand::Check(_) => check(context),
    }
}

/// Returns the language of roles: the configured one, else that of messages.
fn doc_lang(context: &Context) -> Result<Lang, Fault> {
    let config = context.config(Layer::default())?;
    Ok(config.doc_lang.unwrap_or(context.lang(Some(&config))))
}

fn list(context: &Context) -> Result<Exit, Fault> {
    let language = doc_lang(context)?;
    let set = assets::load(&context.root, language, None)?.roles;
    let roles: Vec<RoleSpec> = std::iter::once(set.coach).chain(set.members).collect();
    let document = RolesDocument { language, roles };
    context.list("roles", &document, &document)?;
    Ok(Exit::Done)
}

fn show(args: &ShowArgs, context: &Context) -> Result<Exit, Fault> {
    let language = doc_lang(context)?;
    let set = assets::roles_to_copy(&context.root, language)?;
    let all = || std::iter::once(&set.coach).chain(&set.members);
    let wanted = args.role.to_lowercase();
    let named = |role: &&RoleSpec| {
        role.id.as_str().eq_ignore_ascii_case(&wanted) || role.code.eq_ignore_ascii_case(&wanted)
    };
    let Some(role) = all().find(named) else {
        let names: Vec<&str> = all()
            .flat_map(|role| [role.id.as_str(), role.code.as_str()])
            .collect();
        let mut known = names.clone();
        known.dedup();
        let known = Text::COMMA.join(&known);
        let fault = ROLE_UNKNOWN.with(values![name = args.role, names = known]);
        let fault = fault.ending(Exit::Usage);
        return Err(fault.meaning(nearest(&args.role, names)));
    };
    let text = assets::role_text(&context.root, role, language)?;
    let shown = context.page(&text);
    let document = RoleDocument {
        role: role.clone(),
        text,
    };
    context.done(&shown, &document)
}

fn new(args: &NewArgs, context: &Context) -> Result<Exit, Fault> {
    let language = doc_lang(context)?;
    let set = assets::load(&context.root, language, None)?.roles;
    let code = args.code.clone().unwrap_or_else(|| initials(&args.name));
    if let Some(taken) = set.find(&args.name).or_else(|| {
        set.members
            .iter()
            .find(|role| role.code.eq_ignore_ascii_case(&code))
    }) {
        let (free, free_code) = (numbered(&args.name, &set), numbered(&code, &set));
        return Err(ROLE_TAKEN.with(values![name = taken.id, code = taken.code, free, free_code]));
    }
    let order = args
        .order
        .unwrap_or_else(|| 1 + set.members.iter().map(|role| role.order).max().unwrap_or(0));
    let path = format!("{ROLES_DIR}/{}.md", file_name(&args.name));
    let skeleton = match language {
        Lang::En => include_str!("../../scaffold/en/role.md"),
        Lang::Zh => include_str!("../../scaffold/zh/role.md"),
    };
    let text = skeleton
        .replace("{id}", &args.name)
        .replace("{code}", &code)
        .replace("{order}", &order.to_string());
    // The parser decides which names are valid.
    role::parse("the new role", &text)
        .map_err(|error| ROLE_NAME.with(values![what = error.what]))?;
    if scaffold::fate(&path, &text, context)? != Fate::Created {
        let fault = OUT_EXISTS.with(values![path]);
        return Err(fault.fixed_by(OTHER_NAME));
    }
    scaffold::write(&path, &text, context)?;
    let said = MADE.with(context.lang(None), values![path]);
    let document = NewRoleDocument {
        path,
        id: args.name.clone(),
        code,
    };
    context.done(&said, &document)
}

/// Returns the name or code, with the first number appended that makes it unique.
fn numbered(name: &str, set: &RoleSet) -> String {
    let is_free = |name: &String| {
        let is_code = |role: &RoleSpec| role.code.eq_ignore_ascii_case(name);
        set.find(name).is_none() && !set.members.iter().any(is_code)
    };
    let all = std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}{n}")));
    all.into_iter().find(is_free).unwrap_or_default()
}

/// Returns the capitals of a name; of a name without two, its first three letters.
fn initials(name: &str) -> String {
    let capitals: String = name.chars().filter(char::is_ascii_uppercase).collect();
    if capitals.len() >= 2 {
        capitals
    } else {
        name.chars()
            .take(3)
            .collect::<String>()
            .to_ascii_uppercase()
    }
}

/// Returns `DataSteward` as `data_steward`.
fn file_name(name: &str) -> String {
    let mut file = String::new();
    for (at, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && at > 0 && !file.ends_with('_') {
            file.push('_');
        }
        file.push(c.to_ascii_lowercase());
    }
    file
}

fn check(context: &Context) -> Result<Exit, Fault> {
    let lang = context.lang(None);
    let mut faults = BTreeSet::new();
    for language in [Lang::En, Lang::Zh] {
        for fault in assets::role_faults(&context.root, language)? {
            faults.insert(fault.what().of(lang).to_owned());
        }
    }
    let document = RoleFaultsDocument {
        sound: faults.is_empty(),
        faults: faults.into_iter().collect(),
    };
    context.list("role_faults", &document, &document)?;
    Ok(if document.sound {
        Exit::Done
    } else {
        Exit::Config
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_codes_and_files() {
        for (name, code, file) in [
            ("DataSteward", "DS", "data_steward"),
            ("Lawyer", "LAW", "lawyer"),
            ("QA", "QA", "q_a"),
            ("ops", "OPS", "ops"),
        ] {
            assert_eq!(
                (initials(name), file_name(name)),
                (code.into(), file.into())
            );
        }
    }
}
