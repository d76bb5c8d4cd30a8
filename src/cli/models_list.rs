//! `aitc models`: what the endpoints of a run offer, and which model each role would use.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::models::no_such_role;
use super::models::{self, Chosen};
use super::run_flags::ModelFlags;
use super::text::{Message, texts};
use super::{CliError, Context, Exit, asked};
use crate::config::{Config, Layer};
use crate::edge::assets;
use crate::edge::model::{Found, Listing};
use crate::machine::Lang;
use crate::role::{RoleId, RoleSpec};

texts! {
    SHARED: "{model} of {provider}", "{model}（{provider}）";
    OWN: "{model} of {provider} (its own)", "{model}（{provider}，专用）";
    MORE: "and {n} more: see --json", "另有 {n} 个：见 --json";
    OFFERS: "{provider} offers {n} models", "{provider} 提供 {n} 个模型";
    LACKS: "{provider} offers {n} models; not among them: {names}", "{provider} 提供 {n} 个模型；其中没有：{names}";
    REFUSES: "{provider} refuses the key ({status})", "{provider} 拒绝了密钥（{status}）";
    LISTS_NONE: "{provider} answers, and lists no models ({status})", "{provider} 有应答，但没有列出模型（{status}）";
}

/// Models that are listed for people; `--json` has all.
const SHOWN: usize = 40;

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
pub fn run(args: &ModelsArgs, context: &Context) -> Result<Exit, CliError> {
    let mut flags = Layer::default();
    args.flags.lay(&mut flags)?;
    let config = context.config(flags)?;
    let members = members(context, config.roles.as_deref())?;
    let is_known = |name: &str| members.iter().any(|role| role.is_named(name));
    if let Some(name) = config.role_models.keys().find(|name| !is_known(name)) {
        return Err(no_such_role(name, &members, "role_models", &config));
    }
    let work = async {
        let chosen = models::chosen(&config, context).await?;
        models::recordings(&chosen, &config, context)?;
        if let Some(file) = &args.ask {
            return asked::ask(file, &chosen, &config, context).await;
        }
        let offers = offers(&chosen, &config, context).await?;
        let uses = uses(&chosen, &members);
        let lang = context.lang(Some(&config));
        let text = text(&chosen, &uses, &offers, lang);
        context.print(
            &context.columned(&text, lang),
            &document(&uses, &offers, lang),
        )?;
        Ok(exit(&offers))
    };
    super::interrupt::run_until_signal(work)
}

/// Everybody who would be asked, the coach last.
fn members(context: &Context, only: Option<&[String]>) -> Result<Vec<RoleSpec>, CliError> {
    // Names and codes are the same in both languages.
    let assets = assets::load(&context.root, Lang::En, only)?;
    let coach = assets.roles.coach;
    Ok(assets.roles.members.into_iter().chain([coach]).collect())
}

/// What one role would use.
struct Use<'a> {
    role: &'a RoleSpec,
    found: &'a Found,
    own: bool,
}

fn uses<'a>(chosen: &'a Chosen, members: &'a [RoleSpec]) -> Vec<Use<'a>> {
    let own = |role: &RoleSpec| {
        let mut named = chosen.roles.iter();
        named.find(|(name, _)| role.is_named(name))
    };
    members
        .iter()
        .map(|role| match own(role) {
            Some((_, found)) => Use {
                role,
                found,
                own: true,
            },
            None => Use {
                role,
                found: &chosen.main,
                own: false,
            },
        })
        .collect()
}

/// What one provider offers.
struct Offer<'a> {
    provider: &'a str,
    dialect: &'static str,
    listing: Listing,
    used: Vec<&'a str>,
}

/// Asks each endpoint once.
async fn offers<'a>(
    chosen: &'a Chosen,
    config: &Config,
    context: &Context,
) -> Result<Vec<Offer<'a>>, CliError> {
    let mut used: BTreeMap<&str, (&Found, Vec<&str>)> = BTreeMap::new();
    for found in chosen.all() {
        let entry = used.entry(&found.provider).or_insert((found, Vec::new()));
        if !entry.1.contains(&found.model.as_str()) {
            entry.1.push(&found.model);
        }
    }
    let mut offers = Vec::new();
    for (provider, (found, used)) in used {
        let listing = models::listed(found, config, context).await?;
        if let (Some(endpoint), Some(listing)) = (&found.endpoint, listing) {
            offers.push(Offer {
                provider,
                dialect: endpoint.dialect.name(),
                listing,
                used,
            });
        }
    }
    Ok(offers)
}

fn exit(offers: &[Offer<'_>]) -> Exit {
    let any = |wanted: fn(&Listing) -> bool| offers.iter().any(|offer| wanted(&offer.listing));
    if any(|listing| matches!(listing, Listing::Refused(_))) {
        Exit::Credentials
    } else if any(|listing| {
        matches!(
            listing,
            Listing::Failing(_) | Listing::Untrusted(_) | Listing::Silent(_)
        )
    }) {
        Exit::Provider
    } else {
        Exit::Done
    }
}

fn text(chosen: &Chosen, uses: &[Use<'_>], offers: &[Offer<'_>], lang: Lang) -> String {
    let mut text = format!("{}\n\n", chosen.main.why.of(lang));
    for one in uses {
        let line = if one.own { OWN } else { SHARED };
        let places = [
            ("model", one.found.model.as_str()),
            ("provider", &one.found.provider),
        ];
        let line = line.with(lang, &places);
        let _ = writeln!(text, "{:<6} {line}", one.role.code);
    }
    for offer in offers {
        let _ = writeln!(text, "\n{}", said(offer).of(lang));
        if let Listing::Models(models) = &offer.listing {
            for model in models.iter().take(SHOWN) {
                let mark = if offer.used.contains(&model.as_str()) {
                    '*'
                } else {
                    ' '
                };
                let _ = writeln!(text, "{mark} {model}");
            }
            if models.len() > SHOWN {
                let more = (models.len() - SHOWN).to_string();
                let _ = writeln!(text, "  {}", MORE.with(lang, &[("n", &more)]));
            }
        }
    }
    crate::ui::view::clean_page(&text)
}

/// What came of asking.
fn said(offer: &Offer<'_>) -> Message {
    let provider = offer.provider;
    match &offer.listing {
        Listing::Models(models) => {
            let missing: Vec<_> = unlisted(offer, models);
            let text = if missing.is_empty() { OFFERS } else { LACKS };
            text.fill(&[
                ("provider", &provider),
                ("n", &models.len()),
                ("names", &missing.join(", ")),
            ])
        }
        Listing::Refused(status) => REFUSES.fill(&[("provider", &provider), ("status", status)]),
        Listing::Unclear(status) => LISTS_NONE.fill(&[("provider", &provider), ("status", status)]),
        Listing::Failing(why) | Listing::Untrusted(why) | Listing::Silent(why) => why.clone(),
    }
}

fn unlisted<'a>(offer: &Offer<'a>, models: &[String]) -> Vec<&'a str> {
    let listed = |model: &str| models.iter().any(|one| one == model);
    let used = offer.used.iter().copied();
    used.filter(|model| !listed(model)).collect()
}

fn document(uses: &[Use<'_>], offers: &[Offer<'_>], lang: Lang) -> ModelsDocument {
    let roles = uses.iter().map(|one| ModelOfRole {
        role: one.role.id.clone(),
        code: one.role.code.clone(),
        provider: one.found.provider.clone(),
        model: one.found.model.clone(),
        own: one.own,
        why: one.found.why.of(lang).to_owned(),
    });
    let providers = offers.iter().map(|offer| {
        let (answer, models) = match &offer.listing {
            Listing::Models(models) => (OfferAnswer::Models, models.clone()),
            Listing::Refused(_) => (OfferAnswer::Refused, Vec::new()),
            Listing::Unclear(_) => (OfferAnswer::Unclear, Vec::new()),
            Listing::Failing(_) => (OfferAnswer::Failing, Vec::new()),
            Listing::Untrusted(_) => (OfferAnswer::Untrusted, Vec::new()),
            Listing::Silent(_) => (OfferAnswer::Silent, Vec::new()),
        };
        let why = (answer != OfferAnswer::Models).then(|| said(offer).of(lang).to_owned());
        OfferedModels {
            provider: offer.provider.to_owned(),
            dialect: offer.dialect.to_string(),
            answer,
            why,
            models,
            used: offer.used.iter().map(|&model| model.to_owned()).collect(),
        }
    });
    ModelsDocument {
        roles: roles.collect(),
        providers: providers.collect(),
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
    /// Full name.
    role: RoleId,
    /// Short code.
    code: String,
    /// Who answers.
    provider: String,
    /// Name of the model there.
    model: String,
    /// Was it named for this role alone?
    own: bool,
    /// How it was found, one line for people.
    why: String,
}

/// What a provider offers.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfferedModels {
    /// Which.
    provider: String,
    /// How it is spoken to, such as `openai`.
    dialect: String,
    /// What came of asking it for its models.
    answer: OfferAnswer,
    /// What is wrong, in words; none if it listed its models.
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
    /// It listed them.
    Models,
    /// It refused the key.
    Refused,
    /// It answered something else.
    Unclear,
    /// It cannot answer now, or sends elsewhere.
    Failing,
    /// Its certificate is not trusted; nothing was sent.
    Untrusted,
    /// It did not answer.
    Silent,
}
