//! GitHub's description of its API, to validate requests.

use std::sync::OnceLock;

use serde_json::Value;

/// Fails if the API would not accept the body of a request. `GITHUB_OPENAPI` is the path of
/// `api.github.com.json` of npm's `@octokit/openapi`; without it nothing is checked.
pub fn takes(method: &str, path: &str, body: &Value) {
    static API: OnceLock<Option<Value>> = OnceLock::new();
    let api = API.get_or_init(|| match std::env::var_os("GITHUB_OPENAPI") {
        Some(file) => Some(serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()),
        None => {
            eprintln!("skipped: GITHUB_OPENAPI names no description (npm pack @octokit/openapi)");
            None
        }
    });
    let Some(api) = api else { return };
    let is_at = |template: &str| {
        let parts = template.split('/').zip(path.split('/'));
        template.split('/').count() == path.split('/').count()
            && parts
                .into_iter()
                .all(|(of, one)| of == one || of.starts_with('{'))
    };
    let paths = api["paths"].as_object().unwrap();
    let method = method.to_lowercase();
    let mut known = paths
        .iter()
        .filter(|(template, at)| is_at(template) && !at[&method].is_null());
    let (_, at) = known.next().unwrap_or_else(|| panic!("no {method} {path}"));
    let schema = &at[&method]["requestBody"]["content"]["application/json"]["schema"];
    let validator = jsonschema::validator_for(schema).unwrap();
    let faults: Vec<_> = validator
        .iter_errors(body)
        .map(|one| one.to_string())
        .collect();
    assert_eq!(faults, Vec::<String>::new(), "{method} {path}: {body}");
}
