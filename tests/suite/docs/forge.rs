//! A forge, as far as the workflow of `aitc init --ci github` calls its API for `team/shop`.
//!
//! `~/forge` keeps the comments as `comment-N.md`, and the pull requests and check runs as lines of
//! `pulls` and `checks`. Alice may write; #7 is a pull request of the branch `feature`, #8 one of
//! another repository. Somebody else has commented in the words of the workflow.

use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::binary::json_lines;
use crate::support::fake::{Reply, Seen};
use crate::support::openapi;

/// The answer to a request; `kept` is the folder.
pub fn reply(kept: &Path, seen: &Seen) -> Reply {
    if seen.headers.get("authorization").map(String::as_str) != Some("Bearer token") {
        return Reply::error(401, "Bad credentials");
    }
    let (path, query) = seen.path.split_once('?').unwrap_or((&seen.path, ""));
    let mut body = seen.body.clone();
    if !body.is_null() {
        openapi::takes(&seen.key, path, &body);
    }
    std::fs::create_dir_all(kept).unwrap();
    let path = path.strip_prefix("/repos/team/shop/").unwrap();
    let answer = match (&*seen.key, path) {
        ("GET", "collaborators/alice/permission") => json!({"permission": "write"}),
        ("GET", "collaborators/mallory/permission") => json!({"permission": "read"}),
        ("GET", "pulls/7") => {
            json!({"head": {"ref": "feature", "repo": {"full_name": "team/shop"}}})
        }
        ("GET", "pulls/8") => {
            json!({"head": {"ref": "main", "repo": {"full_name": "mallory/shop"}}})
        }
        ("GET", "pulls") => {
            let query = query.to_lowercase().replace("%3a", ":").replace("%2f", "/");
            let head = query.strip_prefix("head=team:").unwrap();
            let pulls = lines(kept, "pulls").into_iter();
            pulls.filter(|pull| pull["head"] == head).collect()
        }
        ("POST", "pulls") => {
            body["number"] = (41 + lines(kept, "pulls").len()).into();
            adds(kept, "pulls", body)
        }
        ("POST", "check-runs") => adds(kept, "checks", body),
        ("GET", _) if !query.ends_with("page=1") => json!([]),
        ("GET", _) => {
            let theirs = json!({"id": 1, "body": "<!-- aitc -->", "user": {"login": "mallory"}});
            let ours = (2..).map_while(|id| {
                let body = std::fs::read_to_string(comment(kept, id)).ok()?;
                Some(json!({"id": id, "body": body, "user": {"login": "github-actions[bot]"}}))
            });
            std::iter::once(theirs).chain(ours).collect()
        }
        (method, path) => {
            let id = match method {
                "PATCH" => path.rsplit('/').next().unwrap().parse().unwrap(),
                _ => (2..).find(|id| !comment(kept, *id).exists()).unwrap(),
            };
            std::fs::write(comment(kept, id), body["body"].as_str().unwrap()).unwrap();
            body
        }
    };
    Reply::status(200, vec![], &answer.to_string())
}

fn comment(kept: &Path, id: u64) -> std::path::PathBuf {
    kept.join(format!("comment-{id}.md"))
}

fn lines(kept: &Path, name: &str) -> Vec<Value> {
    json_lines(&std::fs::read_to_string(kept.join(name)).unwrap_or_default())
}

fn adds(kept: &Path, name: &str, object: Value) -> Value {
    let file = std::fs::File::options()
        .append(true)
        .create(true)
        .open(kept.join(name));
    writeln!(file.unwrap(), "{object}").unwrap();
    object
}
