//! `aitc models`: what the endpoints of a run offer, and which model each role would use.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::run_flags::ModelFlags;
use super::run_models::{self, FoundModels, no_such_role};
use super::{Context, Exit, Fault, consent, key, requirement};
use crate::chat::{AnswerSchema, ChatRequest, ChatRole, EndpointRecord, Message, Schema, Usage};
use crate::config::{Config, Layer};
use crate::edge::assets;
use crate::edge::model::{FoundModel, Listing, Models};
use crate::edge::safe_open::FileUse;
use crate::fault::models::QUESTION_UNANSWERED;
use crate::fault::{recorded, values};
use crate::machine::{CallId, Lang, Purpose, Scope};
use crate::role::{RoleId, RoleSpec};

/// Show which models there are, and which one each role would use and why
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  aitc models\n  aitc models --provider anthropic --json\n  \
        aitc models --model TP=openai:gpt-5"
)]
pub struct ModelsArgs {
    #[command(flatten)]
    flags: ModelFlags,
    /// Ask the model once, what FILE says: JSON with `prompt` and `schema`
    #[arg(long, value_name = "FILE", hide = true)]
    ask: Option<PathBuf>,
}

/// Prints them on stdout. Ends with 4 if a key was refused and with 5 if an
/// endpoint does not answer.
pub fn run(args: &ModelsArgs, context: &Context) -> Result<Exit, Fault> {
    let mut flags = Layer::default();
    args.flags.lay(&mut flags)?;
    let config = context.config(flags)?;
    let members = members(context, config.roles.as_deref())?;
    let is_known = |name: &str| members.iter().any(|role| role.is_named(name));
    if let Some(name) = config.role_models.keys().find(|name| !is_known(name)) {
        return Err(no_such_role(name, &members, "role_models", &config));
    }
    let work = async {
        let chosen = run_models::find_models(&config, context).await?;
        run_models::recordings(&chosen, &config, context)?;
        if let Some(file) = &args.ask {
            return ask(file, &chosen, &config, context).await;
        }
        let lang = context.lang(Some(&config));
        let document = ModelsDocument {
            roles: roles(&chosen, &members, lang),
            providers: offers(&chosen, &config, context, lang).await?,
        };
        let mut facts = json!(document);
        facts["why"] = chosen.main.why.of(lang).into();
        context.list("models", &facts, &document)?;
        Ok(exit(&document.providers))
    };
    super::interrupt::run_until_signal(work)
}

fn members(context: &Context, only: Option<&[String]>) -> Result<Vec<RoleSpec>, Fault> {
    // Names and codes are the same in both languages.
    let assets = assets::load(&context.root, Lang::En, only)?;
    let coach = assets.roles.coach;
    Ok(assets.roles.members.into_iter().chain([coach]).collect())
}

fn roles(chosen: &FoundModels, members: &[RoleSpec], lang: Lang) -> Vec<ModelOfRole> {
    let of = |role: &RoleSpec| {
        let own = chosen.roles.iter().find(|(name, _)| role.is_named(name));
        let found = own.map_or(&chosen.main, |(_, found)| found);
        ModelOfRole {
            role: role.id.clone(),
            code: role.code.clone(),
            provider: found.provider.clone(),
            model: found.model.clone(),
            own: own.is_some(),
            why: found.why.of(lang).to_owned(),
        }
    };
    members.iter().map(of).collect()
}

/// Asks each endpoint once for its models.
async fn offers(
    chosen: &FoundModels,
    config: &Config,
    context: &Context,
    lang: Lang,
) -> Result<Vec<OfferedModels>, Fault> {
    let mut used: BTreeMap<&str, (&FoundModel, Vec<String>)> = BTreeMap::new();
    for found in chosen.all() {
        let entry = used.entry(&found.provider).or_insert((found, Vec::new()));
        if !entry.1.contains(&found.model) {
            entry.1.push(found.model.clone());
        }
    }
    let mut offers = Vec::new();
    for (provider, (found, used)) in used {
        let listing = run_models::list_models(found, config, context).await?;
        let (Some(endpoint), Some(listing)) = (&found.endpoint, listing) else {
            continue;
        };
        let why = listing.trouble(provider);
        let (answer, models) = match listing {
            Listing::Models(models) => (OfferAnswer::Models, models),
            Listing::Refused(_) => (OfferAnswer::Refused, Vec::new()),
            Listing::Unclear(_) => (OfferAnswer::Unclear, Vec::new()),
            Listing::Failing(_) => (OfferAnswer::Failing, Vec::new()),
            Listing::Untrusted(_) => (OfferAnswer::Untrusted, Vec::new()),
            Listing::Silent(_) => (OfferAnswer::Silent, Vec::new()),
        };
        offers.push(OfferedModels {
            provider: provider.to_owned(),
            dialect: endpoint.dialect.name().to_owned(),
            answer,
            why: why.map(|why| why.of(lang).to_owned()),
            models,
            used,
        });
    }
    Ok(offers)
}

fn exit(offers: &[OfferedModels]) -> Exit {
    use OfferAnswer::{Failing, Refused, Silent, Untrusted};
    let any = |answers: &[OfferAnswer]| offers.iter().any(|one| answers.contains(&one.answer));
    if any(&[Refused]) {
        Exit::Credentials
    } else if any(&[Failing, Untrusted, Silent]) {
        Exit::Provider
    } else {
        Exit::Done
    }
}

/// `aitc models --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelsDocument {
    /// Which model each role would use, the coach last.
    roles: Vec<ModelOfRole>,
    /// What each provider in use offers; empty without an endpoint.
    providers: Vec<OfferedModels>,
}

/// Which model one role would use.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ModelOfRole {
    /// Full role name, such as `ProductPlanner`.
    role: RoleId,
    /// Code of the role, such as `PP`.
    code: String,
    /// Name of the provider, such as `openai`.
    provider: String,
    /// Name of the model there.
    model: String,
    /// Whether it was named for this role alone.
    own: bool,
    /// How it was found, one line for people.
    why: String,
}

/// What a provider offers.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfferedModels {
    /// Name of the provider, such as `openai`.
    provider: String,
    /// How it is spoken to, such as `openai`.
    dialect: String,
    /// What came of asking it for its models.
    answer: OfferAnswer,
    /// What is wrong, in words; absent if it listed its models.
    why: Option<String>,
    /// Names of its models; empty unless it listed them.
    models: Vec<String>,
    /// Names of those a run would use.
    used: Vec<String>,
}

/// What came of asking a provider for its models.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OfferAnswer {
    /// It listed its models.
    Models,
    /// It refused the key.
    Refused,
    /// Its answer was no list of models.
    Unclear,
    /// It cannot answer now, or sends elsewhere.
    Failing,
    /// Its certificate is not trusted; nothing was sent.
    Untrusted,
    /// It did not answer.
    Silent,
}

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    prompt: String,
    /// JSON Schema of the answer, an object.
    schema: Map<String, Value>,
}

/// The answer of a model to a question of the user.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedDocument {
    /// Name of the provider, such as `openai`.
    provider: String,
    /// Name of the model that was asked.
    model: String,
    /// The answer as it came, less secrets.
    text: String,
    /// Tokens sent and received.
    usage: Usage,
}

/// Asks the model of a new run the question in `file`, and prints the answer.
///
/// # Errors
/// The file contains no question, or the model does not answer.
pub async fn ask(
    file: &Path,
    chosen: &FoundModels,
    config: &Config,
    context: &Context,
) -> Result<Exit, Fault> {
    let question = read(file, context)?;
    let found = &chosen.main;
    let tree = consent::tree(config.rules.grounding.depth, context);
    let mut all = Models::new();
    run_models::connect(found, tree.as_deref(), config, context, &mut all).await?;
    let unanswered =
        |detail: &str| QUESTION_UNANSWERED.with(values![detail = recorded::message(detail)]);
    let model = all
        .remove(&found.provider)
        .ok_or_else(|| unanswered(&found.provider))?;
    // It lives as long as the process, which asks nothing else.
    let schema: &Schema = Box::leak(Box::new(Value::Object(question.schema).into()));
    let request = ChatRequest {
        call: CallId::new(Scope::Root, Purpose::Judgment, RoleId::coach(), 0, 1),
        model: found.model.clone(),
        messages: vec![Message {
            role: ChatRole::User,
            content: question.prompt.into(),
        }],
        schema: AnswerSchema::new("answer", schema),
        max_output_tokens: config.rules.limits.max_output_tokens,
        temperature: config.temperature,
        seed: None,
        known: EndpointRecord::default(),
    };
    let response = model.chat(&request).await;
    let response = response.map_err(|failure| unanswered(&failure.detail))?;
    let text = key::redactor(config, context).redact(&response.text);
    context.done(
        &text,
        &AskedDocument {
            provider: found.provider.clone(),
            model: found.model.clone(),
            text: text.clone(),
            usage: response.usage,
        },
    )
}

fn read(file: &Path, context: &Context) -> Result<Question, Fault> {
    let (name, bytes) = requirement::read(file, FileUse::Words, context)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| requirement::unreadable(&name, &error.to_string()))
}
