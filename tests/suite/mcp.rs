//! `aitc mcp`: tested with a client of the official SDK that runs the program as a child process.

mod asked;
mod inspected;
mod runs;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, Implementation, ProgressNotificationParam, ProtocolVersion,
    ReadResourceRequestParams, ResourceContents, Tool,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt as _, NotificationContext, RequestContext, RoleClient,
    RunningService, ServiceError,
};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ErrorData, ServiceExt as _};
use serde_json::{Map, Value, json};

use crate::support::binary::Place;
use crate::support::fake::Fake;

/// The user's reaction to a form: the values entered, or `None` for cancelling.
type User = Option<Value>;

/// A client that records the forms and progress it receives.
#[derive(Clone, Default)]
struct Client {
    /// `None` if the client does not support forms.
    user: Option<User>,
    forms: Arc<Mutex<Vec<Value>>>,
    progress: Arc<Mutex<Vec<ProgressNotificationParam>>>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let capabilities = match self.user {
            Some(_) => ClientCapabilities::builder().enable_elicitation().build(),
            None => ClientCapabilities::default(),
        };
        ClientConfig::new(capabilities, Implementation::new("a-client", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let form = serde_json::to_value(&request).unwrap();
        self.forms.lock().unwrap().push(form);
        Ok(match self.user.clone().flatten() {
            Some(filled) => ElicitResult::new(ElicitationAction::Accept).with_content(filled),
            None => ElicitResult::new(ElicitationAction::Cancel),
        })
    }

    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.progress.lock().unwrap().push(progress);
    }
}

/// A connected client.
struct Connected {
    client: RunningService<RoleClient, Client>,
    tools: Vec<Tool>,
}

impl Connected {
    /// Connects to a server in `place` that uses `fake` as its model, or has no model.
    async fn to(place: &Place, fake: Option<&Fake>) -> Self {
        Self::by(Client::default(), None, place, fake).await
    }

    /// The same with this client and, if given, a newer protocol version.
    async fn by(
        client: Client,
        version: Option<ProtocolVersion>,
        place: &Place,
        fake: Option<&Fake>,
    ) -> Self {
        let command = match fake {
            Some(fake) => place.command_with(fake, &["mcp"]),
            None => place.command_without_model(&["mcp"]),
        };
        let child = TokioChildProcess::new(tokio::process::Command::from(command)).unwrap();
        let client = match version {
            None => client.serve(child).await.unwrap(),
            Some(version) => {
                let preferred_versions = vec![version];
                let lifecycle = ClientLifecycleMode::Discover { preferred_versions };
                client.serve_with_lifecycle(child, lifecycle).await.unwrap()
            }
        };
        let tools = client.list_all_tools().await.unwrap();
        Self { client, tools }
    }

    /// Calls a tool; returns the result or error.
    async fn try_call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else {
            panic!("{arguments}");
        };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.client.call_tool(request).await
    }

    /// The result of a tool, validated against its schema.
    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let result = self.try_call(tool, arguments).await.unwrap();
        assert_eq!(result.is_error, Some(false), "{tool}: {result:?}");
        let value = result.structured_content.unwrap();
        let tool = self.tools.iter().find(|one| one.name == *tool).unwrap();
        let schema = Value::Object(tool.output_schema.as_deref().unwrap().clone());
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<_> = validator
            .iter_errors(&value)
            .map(|one| one.to_string())
            .collect();
        assert_eq!(faults, Vec::<String>::new(), "{}: {value}", tool.name);
        // Clients without structured results get the same as text.
        let text = result.content[0].as_text().unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text.text).unwrap(), value);
        value
    }

    /// The error message of a tool.
    async fn refused(&self, tool: &str, arguments: Value) -> String {
        let result = self.try_call(tool, arguments).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{tool}: {result:?}");
        result.content[0].as_text().unwrap().text.clone()
    }

    /// Polls a run until the condition holds.
    async fn follow(&self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..60 {
            let asked = json!({"id": id, "wait_seconds": 2});
            let mut all = self.call("plan_status", asked).await;
            let run = all["runs"][0].take();
            if wanted(&run) {
                return run;
            }
        }
        panic!(
            "{id} never came so far: {}",
            self.call("plan_status", json!({"id": id})).await
        );
    }

    async fn resource(&self, uri: &str) -> Result<String, ServiceError> {
        let read = self
            .client
            .read_resource(ReadResourceRequestParams::new(uri));
        match &read.await?.contents[0] {
            ResourceContents::TextResourceContents { text, .. } => Ok(text.clone()),
            other => panic!("{other:?}"),
        }
    }

    /// Disconnects, like a client that is closed.
    async fn leaves(self) {
        tokio::time::timeout(Duration::from_secs(20), self.client.cancel())
            .await
            .unwrap()
            .unwrap();
    }
}

fn no_arguments() -> Value {
    Value::Object(Map::new())
}
