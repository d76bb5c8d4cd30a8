//! `AITC_*` variables: one for every key, whichever files may contain it.
//!
//! A key's own variable is `AITC_` and its name; the variable of a key under `providers.<name>` is
//! `AITC_PROVIDERS_<NAME>_<KEY>`. Both the name and the key may contain underscores, so the
//! boundary between them is found with the list of known names.

use super::keys::{KEYS, Key, PRICE_KEYS, PROVIDER_KEYS, SECRETS, variable};
use super::kind::ValueType;
use super::layer::{names, unknown, wrong_value};
use super::lookup::{key_at, parts};
use super::{Layer, Origin};
use crate::fault::settings::SECRET_SETTING;
use crate::fault::{Fault, Message, nearest, texts, values};

/// Prefix of provider variables.
pub const OF_PROVIDERS: &str = "AITC_PROVIDERS_";
/// Suffix of the variable with the prices of a provider's models.
pub const PRICES: &str = "PRICES";

/// Variables of `aitc` that are not settings.
const OTHER_VARIABLES: &[&str] = &["AITC_API_KEY", "AITC_CONFIG", "AITC_DISCOVER", "AITC_PAGER"];

/// Prefix of the variables of `scripts/local-model`, which stay set while its server is used.
const SCRIPTS: &str = "AITC_LOCAL_";

texts! {
    NEAR_VARIABLE: "the variable `{name}` means nothing to aitc; did you mean `{near}`?", "aitc 不认识环境变量 `{name}`；您是否想写 `{near}`？";
    NO_VARIABLE: "the variable `{name}` means nothing to aitc", "aitc 不认识环境变量 `{name}`";
    PAIRS: "pairs such as `RP=name`, separated by commas", "以逗号分隔、形如 `RP=name` 的组";
}

impl Layer {
    /// Reads the `AITC_*` variables, with a notice for each unknown one. `providers` are the known
    /// names: the built-in ones, those of the files, and those that settings use.
    ///
    /// # Errors
    /// A value is outside its key's range, a price lacks one of its parts, or a variable would
    /// contain a provider's API key.
    pub fn from_env<'a>(
        variables: impl IntoIterator<Item = (&'a str, &'a str)>,
        providers: &[&str],
    ) -> Result<(Self, Vec<Message>), Fault> {
        let (mut layer, mut notices) = (Self::default(), Vec::new());
        for (name, text) in variables {
            let is_other = OTHER_VARIABLES.contains(&name) || name.starts_with(SCRIPTS);
            if !name.starts_with("AITC_") || is_other {
                continue;
            }
            let Some(meant) = VariableMeaning::by(name, providers) else {
                notices.push(no_variable(name, providers));
                continue;
            };
            let origin = Origin::Env {
                name: name.to_owned(),
            };
            match meant {
                _ if text.is_empty() => {}
                VariableMeaning::Secret(provider) => {
                    let named = provider_variable(&provider, "api_key_env");
                    let fault = SECRET_SETTING.with(values![variable = name, named]);
                    return Err(origin.wrong(fault));
                }
                VariableMeaning::Prices(provider) => {
                    let kind = ValueType::named("prices");
                    let within = format!("providers.{provider}.prices");
                    layer.put_pairs(&within, &kind, &kind.wanted, text, &origin)?;
                }
                VariableMeaning::Key { full, key, .. } if key.kind.is_table() => {
                    layer.put_pairs(&full, &key.kind, &PAIRS.into(), text, &origin)?;
                }
                VariableMeaning::Key { full, key, is_own } => {
                    // If both are set, the key's own name has precedence over an alias.
                    if is_own || layer.value(&full).is_none() {
                        layer.put(full, key, text, origin)?;
                    }
                }
            }
        }
        layer.has_whole_prices()?;
        Ok((layer, notices))
    }

    /// Adds the entries of a table or of prices: `RP=m1,SD=m2`, or
    /// `MODEL.input=0.40,MODEL.output=1.60`.
    fn put_pairs(
        &mut self,
        within: &str,
        kind: &ValueType,
        wanted: &Message,
        text: &str,
        origin: &Origin,
    ) -> Result<(), Fault> {
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (entry, value) = pair.split_once('=').unwrap_or_default();
            let name = format!("{within}.{}", entry.trim());
            let path = parts(&name);
            let leaf = path.last().copied().unwrap_or_default();
            if leaf.is_empty() {
                return Err(wrong_value(origin, within, kind, &pair, wanted));
            }
            let Some((full, key)) = key_at(&path) else {
                return Err(unknown(origin, leaf, &names(&PRICE_KEYS)));
            };
            self.put(full, key, value, origin.clone())?;
        }
        Ok(())
    }
}

/// The meaning of a variable.
enum VariableMeaning {
    /// A key, by its full name.
    Key {
        full: String,
        key: &'static Key,
        /// Whether it has the key's own name rather than an alias.
        is_own: bool,
    },
    /// Prices of this provider's models.
    Prices(String),
    /// It would contain a secret of this provider.
    Secret(String),
}

impl VariableMeaning {
    fn by(name: &str, providers: &[&str]) -> Option<Self> {
        // Otherwise `my_gw` would define a new provider that nobody chose, although `MY_GW` was
        // meant.
        if name.contains(|c: char| c.is_ascii_lowercase()) {
            return None;
        }
        if let Some(rest) = name.strip_prefix(OF_PROVIDERS) {
            return Self::of_provider(rest, providers);
        }
        let is_it = |spelling: &String| variable(spelling) == name;
        let key = KEYS.iter().find(|key| key.spellings.iter().any(is_it))?;
        Some(Self::Key {
            full: key.name.to_owned(),
            key,
            is_own: key.variable() == name,
        })
    }

    /// Splits `NAME_KEY`. If several splits are possible, the longest known name is used; if no
    /// name is known, the longest key.
    fn of_provider(rest: &str, providers: &[&str]) -> Option<Self> {
        let words = PROVIDER_KEYS
            .iter()
            .flat_map(|key| key.spellings.iter().map(String::as_str))
            .chain(SECRETS.iter().copied())
            .chain(["prices"]);
        let mut ways: Vec<(&str, &str)> = words
            .filter_map(|word| Some((before(rest, word)?, word)))
            .collect();
        ways.sort_by_key(|(name, _)| name.len());
        let is_known = |way: &&(&str, &str)| known(way.0, providers).is_some();
        let (name, word) = *ways.iter().rfind(is_known).or_else(|| ways.first())?;
        let provider = known(name, providers).map_or_else(|| name.to_lowercase(), str::to_owned);
        if word == "prices" {
            return Some(Self::Prices(provider));
        }
        let Some(key) = Key::called(&PROVIDER_KEYS, word) else {
            return Some(Self::Secret(provider));
        };
        Some(Self::Key {
            full: format!("providers.{provider}.{}", key.name),
            key,
            is_own: key.name == word,
        })
    }
}

/// The text before a final `_WORD`; `None` if it does not end so.
fn before<'a>(rest: &'a str, word: &str) -> Option<&'a str> {
    let name = rest.strip_suffix(&word.to_uppercase())?.strip_suffix('_')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

/// The provider whose name is written like this in a variable; if there are two, the one without
/// hyphens.
fn known<'a>(written: &str, providers: &[&'a str]) -> Option<&'a str> {
    let same = |name: &&&str| name.to_uppercase().replace('-', "_") == written;
    let mut found: Vec<&str> = providers.iter().filter(same).copied().collect();
    found.sort_by_key(|name| name.matches('-').count());
    found.first().copied()
}

/// A notice that a variable is unknown, with the one that was probably meant.
fn no_variable(name: &str, providers: &[&str]) -> Message {
    let upper = name.to_ascii_uppercase();
    let is_meant = VariableMeaning::by(&upper, providers).is_some();
    if upper != name && (is_meant || OTHER_VARIABLES.contains(&upper.as_str())) {
        return NEAR_VARIABLE.fill(values![name, near = upper]);
    }
    let keys = KEYS.iter().flat_map(|key| &key.spellings);
    let keys = keys.map(|spelling| variable(spelling));
    let of_providers = providers.iter().flat_map(|name| {
        let keys = PROVIDER_KEYS.iter().map(|key| key.name);
        keys.chain(["prices"])
            .map(move |key| provider_variable(name, key))
    });
    let all: Vec<String> = keys.chain(of_providers).collect();
    match nearest(name, all.iter().map(String::as_str)) {
        Some(near) => NEAR_VARIABLE.fill(values![name, near]),
        None => NO_VARIABLE.fill(values![name]),
    }
}

/// The variable of a key under `providers.<name>`, such as
/// `AITC_PROVIDERS_OPENAI_BASE_URL`.
pub fn provider_variable(provider: &str, key: &str) -> String {
    let name = format!("{provider}_{key}").replace('-', "_");
    format!("{OF_PROVIDERS}{}", name.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const KNOWN: &[&str] = &["openai", "openai-responses", "my-gateway", "a", "a_idle"];

    fn read(variables: &[(&str, &str)]) -> Result<(Layer, Vec<Message>), Fault> {
        Layer::from_env(variables.iter().copied(), KNOWN)
    }

    /// Full name of the key that a variable sets, if the variable is valid.
    fn sets(name: &str, text: &str) -> String {
        let (layer, notices) = read(&[(name, text)]).expect(name);
        assert!(notices.is_empty(), "{name}: {notices:?}");
        let names: Vec<&str> = layer.iter().map(|(name, _)| name).collect();
        names.join(" ")
    }

    #[test]
    fn every_key_of_a_provider_has_a_variable() {
        for key in PROVIDER_KEYS.iter() {
            for spelled in &key.spellings {
                let full = format!("providers.my-gateway.{}", key.name);
                let name = provider_variable("my-gateway", spelled);
                assert_eq!(sets(&name, &key.kind.example), full, "{name}");
            }
        }
        let prices = PRICE_KEYS.iter().map(|key| format!("m.1.{}=2", key.name));
        let prices = prices.collect::<Vec<_>>().join(", ");
        let set = sets("AITC_PROVIDERS_OPENAI_PRICES", &prices);
        for key in PRICE_KEYS.iter() {
            let full = format!("providers.openai.prices.m.1.{}", key.name);
            assert!(set.contains(&full), "{set}");
        }
    }

    #[test]
    fn a_name_in_small_letters_sets_nothing_and_is_told_with_the_right_one() {
        for (name, right) in [
            (
                "AITC_PROVIDERS_my_gateway_BASE_URL",
                "AITC_PROVIDERS_MY_GATEWAY_BASE_URL",
            ),
            ("AITC_PROVIDERS_new_gw_model", "AITC_PROVIDERS_NEW_GW_MODEL"),
            ("AITC_max_rounds", "AITC_MAX_ROUNDS"),
            ("AITC_api_key", "AITC_API_KEY"),
        ] {
            let (layer, notices) = read(&[(name, "https://h/v1")]).unwrap();
            assert_eq!(layer.iter().count(), 0, "{name}");
            let told = notices[0].of(crate::machine::Lang::En).to_owned();
            assert!(told.contains(&format!("did you mean `{right}`?")), "{told}");
        }
    }

    #[test]
    fn known_names_tell_where_a_name_ends() {
        for (name, full) in [
            ("OPENAI_RESPONSES_MODEL", "openai-responses.model"),
            ("OPENAI_IDLE_TIMEOUT_MS", "openai.idle_timeout_ms"),
            // If two names are known, the longer one.
            ("A_IDLE_TIMEOUT_MS", "a_idle.timeout_ms"),
            ("A_IDLE_IDLE_TIMEOUT_MS", "a_idle.idle_timeout_ms"),
            // No name is known: the longest key, and the name in lower case.
            ("NEW_ONE_IDLE_TIMEOUT_MS", "new_one.idle_timeout_ms"),
            ("B_CONNECT_TIMEOUT_MS", "b.connect_timeout_ms"),
        ] {
            let set = sets(&format!("{OF_PROVIDERS}{name}"), "7");
            assert_eq!(set, format!("providers.{full}"), "{name}");
        }
        let two = ["my-gw", "my_gw"];
        let (layer, _) =
            Layer::from_env([("AITC_PROVIDERS_MY_GW_MODEL", "m")], &two).expect("valid");
        assert!(layer.value("providers.my_gw.model").is_some(), "{layer:?}");
    }

    #[test]
    fn a_providers_own_spelling_wins_and_an_empty_one_sets_nothing() {
        let own = ("AITC_PROVIDERS_OPENAI_MAX_CONCURRENT", "2");
        let other = ("AITC_PROVIDERS_OPENAI_CONCURRENCY", "9");
        for order in [[own, other], [other, own]] {
            let (layer, _) = read(&order).expect("valid");
            let held = layer.value("providers.openai.max_concurrent");
            assert_eq!(held, Some(&2.into()));
        }
        assert_eq!(sets("AITC_PROVIDERS_OPENAI_MODEL", ""), "");
        assert_eq!(sets("AITC_PROVIDERS_OPENAI_API_KEY", ""), "");
    }

    #[test]
    fn prices_are_whole_and_in_pairs() {
        let name = "AITC_PROVIDERS_OPENAI_PRICES";
        let text = "gpt-6.1.input=0.40, gpt-6.1.completion=1.60, o/m:x.input=1,o/m:x.output=2";
        let (layer, _) = read(&[(name, text)]).expect("valid");
        let config = Config::resolve(&[layer]);
        let prices = &config.providers["openai"].prices;
        assert_eq!(prices["gpt-6.1"].output.dollars(), 1.6);
        assert_eq!(prices["o/m:x"].input.dollars(), 1.0);
        let wrong = read(&[(name, "gpt=0.40")]).unwrap_err();
        let fix = wrong.fix().of(crate::machine::Lang::En).to_string();
        let given = fix.split('`').nth(1).and_then(|line| line.split_once('='));
        assert!(read(&[given.unwrap()]).is_ok(), "{fix}");
        for (text, said) in [
            ("gpt.input=0.40", "the price of `gpt` has no `output`"),
            ("gpt=0.40", "pairs such as `MODEL.input=0.40"),
            ("gpt.input", "pairs such as `MODEL.input=0.40"),
            ("gpt.inptu=0.40", "unknown key `inptu`"),
            ("gpt.input=cheap", "an amount of dollars"),
        ] {
            let error = read(&[(name, text)]).expect_err(text).to_string();
            assert!(error.starts_with(name) && error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_key_is_no_setting_and_is_not_repeated() {
        for word in SECRETS {
            let name = provider_variable("my-gateway", word);
            let error = read(&[(&name, "sk-1234567890")]).expect_err(word);
            let fix = &error.fix().en;
            let named = "AITC_PROVIDERS_MY_GATEWAY_API_KEY_ENV";
            assert!(fix.contains(named), "{fix}");
            assert!(!format!("{error:?}").contains("sk-1"), "{error:?}");
        }
    }

    #[test]
    fn what_means_nothing_is_told_with_what_is_meant() {
        for (name, near) in [
            (
                "AITC_PROVIDERS_OPENAI_BASE_ULR",
                Some("AITC_PROVIDERS_OPENAI_BASE_URL"),
            ),
            (
                "AITC_PROVIDER_MY_GATEWAY_PROXY",
                Some("AITC_PROVIDERS_MY_GATEWAY_PROXY"),
            ),
            ("AITC_PROVIDERS_MODEL", None),
            ("AITC_PROVIDERS_É_MODEL", None),
        ] {
            let (layer, notices) = read(&[(name, "x")]).expect("told, not refused");
            assert_eq!(layer, Layer::default(), "{name}");
            let [notice] = &notices[..] else {
                panic!("{name}: {notices:?}");
            };
            if let Some(near) = near {
                assert!(notice.en.ends_with(&format!("`{near}`?")), "{}", notice.en);
            }
        }
    }
}
