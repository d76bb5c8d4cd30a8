//! Model providers, tested over real TCP.

mod answers;
mod command;
mod dialects;
mod discovery;
mod faults;
mod forms;
mod scripted;
mod streaming;
mod workshops;

use std::time::Duration;

use aitc::chat::{ChatRequest, ChatResponse, ChatRole, Message};
use aitc::config::ProviderSettings;
use aitc::edge::model::{CallFailure, ChatModel, Dialect, Remote, RemoteConfig, Route, Timeouts};
use aitc::machine::FailureKind;
use aitc::reply::contribution_schema;

use crate::support::fake::{Fake, Reply};

const KEY: &str = "sk-test-0123456789abcdef";

fn request() -> ChatRequest {
    let message = |role, content: &str| Message {
        role,
        content: content.into(),
    };
    ChatRequest {
        call: "root/speech/ProductPlanner/r1/t1/a1".parse().unwrap(),
        model: "m-1".to_owned(),
        messages: vec![
            message(ChatRole::System, "rules"),
            message(ChatRole::User, "one"),
            message(ChatRole::User, "two"),
        ],
        schema: contribution_schema(),
        max_output_tokens: 77,
        temperature: Some(0.5),
        seed: Some(7),
        known: Default::default(),
    }
}

/// Long enough for a busy machine, short enough for a test that waits for it.
fn patient() -> Timeouts {
    Timeouts {
        connect: Duration::from_secs(5),
        idle: Duration::from_secs(10),
        call: Duration::from_secs(20),
    }
}

fn model_at(base_url: String, timeouts: Timeouts) -> Remote {
    speaking(Dialect::OpenAi, base_url, timeouts)
}

fn speaking(dialect: Dialect, base_url: String, timeouts: Timeouts) -> Remote {
    let config = config(dialect, &base_url);
    Remote::new(RemoteConfig { timeouts, ..config }).unwrap()
}

fn config(dialect: Dialect, base_url: &str) -> RemoteConfig {
    RemoteConfig {
        dialect,
        base_url: base_url.to_owned(),
        api_key: Some(KEY.to_owned()),
        timeouts: patient(),
        route: Route::default(),
        habits: ProviderSettings::default(),
        name: dialect.name().to_owned(),
    }
}

fn model(fake: &Fake) -> Remote {
    model_at(fake.base_url(), patient())
}

async fn answer(reply: Reply) -> Result<ChatResponse, CallFailure> {
    let fake = Fake::start(move |_| reply.clone());
    model(&fake).chat(&request()).await
}

/// Kind and retryability of the failure that a reply causes.
async fn failure(reply: Reply) -> (FailureKind, bool) {
    let failure = answer(reply).await.unwrap_err();
    (failure.kind, failure.retryable)
}
