//! Errors when no model was found.

use std::collections::BTreeMap;

use crate::config::ProviderSettings;
use crate::edge::model::providers::{self, LOCALS, Local, PROVIDERS};
use crate::fault::models::{MODEL_NONE, PROVIDER_UNKNOWN};
use crate::fault::{Fault, Message, Text, nearest, texts, values};

texts! {
    FOR_MODEL: "no provider was found for the model `{model}`", "没有找到提供模型 `{model}` 的服务商";
    FOUND_NONE: "no key is set in `{variables}`, and no server answers on 127.0.0.1 at port {ports}", "`{variables}` 中都没有设置密钥，127.0.0.1 的端口 {ports} 上也没有服务应答";
    NOT_LOOKED: "`AITC_DISCOVER` is off, so no key was looked for in `{variables}`, and no server on 127.0.0.1 at port {ports}", "`AITC_DISCOVER` 为 off，因此没有在 `{variables}` 中查找密钥，也没有在 127.0.0.1 的端口 {ports} 上查找服务";
    FOREIGN: "{looked}; {servers} does answer, but belongs to another user of this machine, and is used only if you name it: `--provider {name}`", "{looked}；{servers} 虽有应答，但属于本机的另一个用户，只有点名才会使用：`--provider {name}`";
}

/// What was searched when no provider was named, and which servers were skipped.
fn looked(searched: bool, foreign: &[(&Local, String)]) -> Message {
    let mut variables: Vec<&str> = Vec::new();
    for variable in PROVIDERS.iter().flat_map(|one| one.key_vars) {
        if !variables.contains(variable) {
            variables.push(variable);
        }
    }
    let ports = LOCALS
        .iter()
        .map(|one| format!("{} ({})", one.port, one.name));
    let ports: Vec<String> = ports.collect();
    let text = if searched { FOUND_NONE } else { NOT_LOOKED };
    let looked = text.fill(values![
        variables = Text("`, `", "`、`").join(&variables),
        ports = Text::COMMA.join(&ports)
    ]);
    let Some((first, _)) = foreign.first() else {
        return looked;
    };
    let servers = foreign
        .iter()
        .map(|(one, at)| format!("{} ({at})", one.name));
    let servers = Text::COMMA.join(&servers.collect::<Vec<_>>());
    FOREIGN.fill(values![looked, servers, name = first.name])
}

/// The error that no provider was named and none found. `searched`: whether one was searched;
/// `foreign`: local servers that were skipped because another user owns them.
pub(super) fn nobody(model: Option<&str>, searched: bool, foreign: &[(&Local, String)]) -> Fault {
    let fault = MODEL_NONE.with(values![looked = looked(searched, foreign)]);
    match model {
        Some(model) => fault.saying(FOR_MODEL.fill(values![model])),
        None => fault,
    }
}

/// The error for an unknown provider name. The known ones are those that the user described as an
/// address or a program, then the built-in ones.
pub(super) fn unknown(name: &str, described: &BTreeMap<String, ProviderSettings>) -> Fault {
    let own = described.iter().filter(|(name, own)| {
        let is_whole = own.base_url.is_some() || own.command.is_some();
        is_whole && providers::names().all(|usual| usual != *name)
    });
    let mut names: Vec<&str> = own.map(|(name, _)| name.as_str()).collect();
    for name in providers::names() {
        names.push(name);
    }
    let known: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    let fault = PROVIDER_UNKNOWN.with(values![name, known = Text::COMMA.join(&known)]);
    fault.meaning(nearest(name, names))
}
