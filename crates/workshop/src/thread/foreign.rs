//! Parses review comments in the JSON of GitHub's and GitLab's APIs.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{ThreadReply, ThreadStatus};
use crate::fault::{Message, texts};
use crate::machine::shown;

texts! {
    NO_JSON: "it is not valid JSON ({why})", "它不是 JSON（{why}）";
    NO_LIST: "it is not a list of comments", "它不是评论列表";
    NO_COMMENT: "item {n} has neither `body` nor `notes`", "第 {n} 项既没有 `body` 也没有 `notes`";
}

/// A comment on a pull or merge request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestComment {
    /// The platform's prefix and its id, such as `gh-1204`, or a hash of the content if the comment
    /// has no number (`gh-x5d41402abc4b`). It is the same in every import.
    pub id: String,
    /// Name of the author.
    pub author: String,
    /// Creation time, RFC 3339.
    pub time: String,
    /// Text of the comment.
    pub text: String,
    /// The file that it is about; `None` if it is about the request as a whole.
    pub path: Option<String>,
    /// The one-based line in the request's version of the file; `None` if it is about a removed
    /// line or the whole file.
    pub line: Option<usize>,
    /// Whether it asks for changes before the request is merged.
    pub blocking: bool,
    /// The replies, oldest first.
    pub replies: Vec<ThreadReply>,
}

/// Parses a list of comments, reviews or discussions. Nested lists, which some programs write as
/// pages, are flattened.
///
/// # Errors
/// The text is none of these.
pub fn comments(json: &str) -> Result<Vec<RequestComment>, Message> {
    let json = json.trim_start_matches('\u{feff}');
    // `gh api --paginate` concatenates its pages.
    let pages = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let mut items = Vec::new();
    for page in pages {
        let page = page.map_err(|error| NO_JSON.fill(&[("why", &error)]))?;
        let Value::Array(page) = page else {
            return Err(NO_LIST.into());
        };
        for item in page {
            match item {
                Value::Array(inner) => items.extend(inner),
                item => items.push(item),
            }
        }
    }
    let mut found: Vec<RequestComment> = Vec::new();
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    let mut replies: Vec<(String, RequestComment)> = Vec::new();
    for (n, item) in items.iter().enumerate() {
        if let Some(notes) = item["notes"].as_array() {
            found.extend(discussion(notes));
            continue;
        }
        if !item["body"].is_string() {
            return Err(NO_COMMENT.fill(&[("n", &(n + 1))]));
        }
        if item["system"] == true {
            continue;
        }
        let comment = comment(item);
        match item["in_reply_to_id"].as_u64() {
            Some(_) if comment.text.is_empty() => {}
            Some(root) => replies.push((format!("gh-{root}"), comment)),
            // A review without text only groups its comments.
            None if comment.text.is_empty() => {}
            None => {
                at.insert(comment.id.clone(), found.len());
                found.push(comment);
            }
        }
    }
    for (root, reply) in replies {
        match at.get(&root).and_then(|at| found.get_mut(*at)) {
            Some(root) => root.replies.push(as_reply(reply)),
            // The comment that it replies to is not in the file and may have been deleted.
            None => found.push(reply),
        }
    }
    for comment in &mut found {
        comment
            .replies
            .sort_by(|one, other| one.time.cmp(&other.time));
    }
    Ok(found)
}

/// Parses a GitLab discussion: its first note, with the others as replies.
fn discussion(notes: &[Value]) -> Option<RequestComment> {
    let says = |note: &&Value| note["system"] != true && text(&note["body"]).is_some();
    let mut notes = notes.iter().filter(says);
    let first = notes.next()?;
    let mut root = comment(first);
    root.replies = notes.map(|note| as_reply(comment(note))).collect();
    if first["resolved"] == true {
        root.replies.push(ThreadReply {
            author: text(&first["resolved_by"]["username"]).unwrap_or_else(|| root.author.clone()),
            time: text(&first["resolved_at"]).unwrap_or_default(),
            state: Some(ThreadStatus::Taken),
            text: String::new(),
        });
    }
    Some(root)
}

/// Parses a comment, note or review.
fn comment(item: &Value) -> RequestComment {
    let gitlab = item.get("author").is_some() || item.get("noteable_type").is_some();
    let position = &item["position"];
    let author = ["user", "author"]
        .iter()
        .find_map(|key| text(&item[*key]["login"]).or_else(|| text(&item[*key]["username"])));
    let time = ["created_at", "submitted_at"]
        .iter()
        .find_map(|key| text(&item[*key]));
    let path = text(&item["path"]).or_else(|| text(&position["new_path"]));
    let lines = [&item["line"], &position["new_line"]];
    let line = lines.iter().find_map(|line| line.as_u64());
    let is_old = item["side"] == "LEFT";
    let mark = if gitlab { "gl" } else { "gh" };
    let author = author.unwrap_or_else(|| mark.to_owned());
    let (time, body) = (time.unwrap_or_default(), text(&item["body"]));
    let said = [&item["id"], &item["path"], &item["line"], &item["body"]];
    let id = match item["id"].as_u64() {
        Some(id) => id.to_string(),
        None => drawn(&serde_json::json!([author, time, said, position])),
    };
    RequestComment {
        id: format!("{mark}-{id}"),
        author,
        time,
        text: body.unwrap_or_default(),
        path,
        line: line
            .and_then(|line| usize::try_from(line).ok())
            .filter(|_| !is_old),
        blocking: item["state"] == "CHANGES_REQUESTED",
        replies: Vec::new(),
    }
}

/// Makes an id from the content of a comment without a number.
fn drawn(said: &Value) -> String {
    let digest = Sha256::digest(said.to_string());
    let signs = digest.iter().take(6).map(|byte| format!("{byte:02x}"));
    format!("x{}", signs.collect::<String>())
}

fn as_reply(comment: RequestComment) -> ThreadReply {
    ThreadReply {
        author: comment.author,
        time: comment.time,
        state: None,
        text: comment.text,
    }
}

/// A text; `None` if a reader would see nothing.
fn text(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    (!shown(text).trim().is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn comments_of_github_are_read_with_their_replies() {
        let json = r#"[
            {"id": 11, "user": {"login": "ann"}, "body": "Which?", "path": "a/v1/planning_report.md",
             "line": 7, "side": "RIGHT", "created_at": "2026-01-01T00:00:00Z"},
            {"id": 13, "user": {"login": "cy"}, "body": "Both.", "in_reply_to_id": 11,
             "created_at": "2026-01-03T00:00:00Z"},
            {"id": 12, "user": {"login": "bob"}, "body": "The first.", "in_reply_to_id": 11,
             "created_at": "2026-01-02T00:00:00Z"}]
            [[{"id": 14, "user": {"login": "dee"}, "body": "Not yet.", "state": "CHANGES_REQUESTED",
              "submitted_at": "2026-01-04T00:00:00Z"},
             {"id": 15, "user": {"login": "dee"}, "body": "", "state": "COMMENTED"}]]"#;
        let comments = comments(json).unwrap();
        assert_eq!(comments.len(), 2);
        assert_eq!(comments[0].id, "gh-11");
        assert_eq!(comments[0].line, Some(7));
        let replies = comments[0].replies.iter();
        assert_eq!(
            replies.map(|it| &*it.author).collect::<Vec<_>>(),
            ["bob", "cy"]
        );
        assert!(comments[1].blocking && comments[1].path.is_none());
    }

    #[test]
    fn comments_without_a_number_have_an_id_of_their_own_in_every_import() {
        let json = r#"[{"user": {"login": "ann"}, "body": "Which?"},
            {"user": {"login": "ann"}, "body": "Why?"},
            {"id": "PRRC_kwDO", "user": {"login": "ann"}, "body": "Why?"}]"#;
        let ids = || comments(json).unwrap().into_iter().map(|one| one.id);
        assert!(ids().eq(ids()));
        let known: std::collections::BTreeSet<String> = ids().collect();
        assert_eq!(known.len(), 3, "{known:?}");
    }

    #[test]
    fn discussions_of_gitlab_are_threads() {
        let json = r#"[{"id": "d1", "notes": [
            {"id": 1, "author": {"username": "ann"}, "body": "Which?", "system": false,
             "created_at": "2026-01-01T00:00:00Z", "resolved": true,
             "resolved_by": {"username": "bob"},
             "position": {"new_path": "v1/planning_report.md", "new_line": 3}},
            {"id": 2, "author": {"username": "bob"}, "body": "The first.",
             "created_at": "2026-01-02T00:00:00Z"}]},
            {"id": "d2", "notes": [{"id": 3, "system": true, "body": "assigned to @bob"}]}]"#;
        let comments = comments(json).unwrap();
        assert_eq!(comments.len(), 1);
        assert_eq!((&*comments[0].id, comments[0].line), ("gl-1", Some(3)));
        assert_eq!(comments[0].replies.len(), 2);
        assert!(
            comments[0]
                .replies
                .iter()
                .any(|it| it.state == Some(ThreadStatus::Taken))
        );
    }

    #[test]
    fn anything_else_is_told() {
        for (json, said) in [
            ("", ""),
            ("nothing", "not valid JSON"),
            ("{\"message\": \"Not Found\"}", "not a list"),
            ("[{\"id\": 1}]", "item 1"),
        ] {
            match comments(json) {
                Ok(comments) => assert!(comments.is_empty() && said.is_empty()),
                Err(told) => assert!(told.en.contains(said), "{told:?}"),
            }
        }
    }
}
