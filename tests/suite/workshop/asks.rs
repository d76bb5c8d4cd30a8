//! Questions of members to their own models count towards the limits, also if they are concurrent.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aitc::chat::{ChatRequest, ChatResponse, Usage};
use aitc::edge::fs::RealFs;
use aitc::edge::model::{Answering, ChatModel};
use aitc::machine::*;
use aitc::reply::{Contribution, LookKind};

use crate::support::meeting::text;
use crate::support::run;
use crate::support::search::reading;
use crate::support::team::Team;

/// Five concurrent members, each of whom first asks its model a question.
struct Asking {
    team: Team,
    put: AtomicUsize,
}

/// The output limit in tokens; far more than a prompt, so that a question may cost about as much as
/// a speech.
const ANSWER: u64 = 200_000;

fn responding(text: String) -> ChatResponse {
    ChatResponse {
        usage: Usage {
            output: 10,
            ..Usage::default()
        },
        ..ChatResponse::plain(text, "team-1")
    }
}

impl ChatModel for Asking {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        let call = &request.call;
        if call.ask > 0 {
            self.put.fetch_add(1, Ordering::Relaxed);
            return Box::pin(async {
                // Wait until all members have asked.
                for _ in 0..100 {
                    tokio::task::yield_now().await;
                }
                let answer = serde_json::json!({"answer": "Only for old programs."});
                Ok(responding(answer.to_string()))
            });
        }
        if call.purpose == Purpose::Speech && call.round == 1 && call.look == 0 {
            let mut look = reading("Does CSV need a byte order mark?", 1);
            look.kind = LookKind::Ask;
            let wish = text(&Contribution {
                looks: vec![look],
                ..Contribution::default()
            });
            return Box::pin(async move { Ok(responding(wish)) });
        }
        self.team.chat(request)
    }
}

/// With a limit of `cap` tokens: how many of the five questions are asked, and the transcript.
fn put_below(cap: u64) -> (usize, String) {
    let workspace = tempfile::tempdir().unwrap();
    let mut inputs = run::inputs(workspace.path());
    inputs.rules.first_round = FirstRound::Blind;
    inputs.rules.limits.max_tokens = Some(cap);
    inputs.rules.limits.concurrency = 5;
    inputs.rules.limits.max_output_tokens = ANSWER;
    let model = Arc::new(Asking {
        team: Team::blind(),
        put: AtomicUsize::new(0),
    });
    run::hold(Arc::new(RealFs), workspace.path(), &inputs, &model).unwrap();
    let version = workspace.path().join(".ai-tools-chain/planning_outputs/v1");
    let transcript = std::fs::read_to_string(version.join("planning_transcript.jsonl")).unwrap();
    (model.put.load(Ordering::Relaxed), transcript)
}

/// Whether all five questions were started before the first answer.
fn all_at_once(transcript: &str) -> bool {
    let lines = transcript
        .lines()
        .take_while(|line| !line.contains("\"phase\":\"look\""));
    lines
        .filter(|line| line.contains("\"call\":\"root/speech/") && !line.contains("/q1/a1"))
        .count()
        == 5
}

#[test]
fn questions_side_by_side_pass_no_cap_that_each_of_them_would_not_pass_alone() {
    let (mut too_low, mut cap) = (ANSWER, 20 * ANSWER);
    while cap - too_low > ANSWER / 4 {
        let between = too_low.midpoint(cap);
        match all_at_once(&put_below(between).1) {
            true => cap = between,
            false => too_low = between,
        }
    }
    let left_out = "not asked: the budget has no room for it";
    // Room for two or three questions in addition to the speeches.
    let (put, transcript) = put_below(cap + ANSWER * 5 / 2);
    assert!((1..5).contains(&put), "{put} below {cap}");
    assert_eq!(transcript.matches(left_out).count(), 5 - put);
    assert!(!transcript.contains("the model gave no answer"));
    let (put, transcript) = put_below(cap * 2);
    assert_eq!(put, 5);
    let on_record = |line: &&str| line.contains("\"call_started\"") && line.contains("/q1/a1");
    assert_eq!(transcript.lines().filter(on_record).count(), 5);
    assert!(!transcript.contains(left_out));
}
