//! `aitc mcp`: offers workshops as tools to a coding agent, over standard input and output.

mod ask;
mod resources;
mod runs;
mod tools;

use std::time::Duration;

use clap::Args;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientResult, ContentBlock,
    ElicitRequest, ElicitRequestParams, ElicitResult, Implementation, InputRequest,
    InputRequiredResult, InputResponses, JsonObject, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig, ServerRequest,
};
use rmcp::service::{
    PeerRequestOptions, RequestContext, RoleServer, ServerInitializeError, serve_server,
};
use rmcp::{ErrorData, ServerHandler};
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::runs::{LOOK, LOOKS, RunSnapshot, Workspace};
use super::answer::GivenAnswer;
use super::interrupt::serve_until_signal;
use super::{Context, Exit, Fault, internal};
use crate::fault::{texts, values};
use crate::machine::{Lang, QuestionId, Version};

texts! {
    WAITS: "this is for a coding agent, which starts it by itself: claude mcp add aitc -- aitc mcp", "此命令供编程智能体使用，由它自行启动：claude mcp add aitc -- aitc mcp";
    BAD_ARGUMENTS: "the arguments of {tool} do not fit: {why}", "{tool} 的参数不正确：{why}";
    TWO_ANSWERS: "give one of `answer`, `recommended` and `decline`", "`answer`、`recommended` 与 `decline` 只能给出其一";
    NO_FORM: "this client cannot ask its user: put the question to them yourself, and give their `answer`", "此客户端不能直接询问用户：请自行向用户提问，并给出其 `answer`";
}

/// Threads: one for the connection, one for reading files meanwhile.
const THREADS: usize = 2;
/// Maximum seconds that `plan_status` waits.
const MOST_SECONDS: u32 = 10;
/// Time a user has for a form while a call is open.
const FORM: Duration = Duration::from_secs(45);

/// Offer workshops to a coding agent as tools (MCP, over standard input and output)
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    claude mcp add aitc -- aitc mcp\n  \
    codex mcp add aitc -- aitc mcp\n  \
    aitc -C ../shop mcp")]
pub struct McpArgs {}

/// Serves until the client disconnects; runs that were started continue.
pub fn run(_: &McpArgs, context: &Context) -> Result<Exit, Fault> {
    if context.env.stdin_terminal {
        context.notice(&WAITS.into());
    }
    let server = Server {
        lang: context.lang(None),
        workspace: Workspace::of(context),
    };
    serve_until_signal(THREADS, async {
        let ended = match serve_server(server, (tokio::io::stdin(), tokio::io::stdout())).await {
            Ok(serving) => serving.waiting().await.map(drop).map_err(Into::into),
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error.into()),
        };
        ended.map(|()| Exit::Done).map_err(|error| internal(&error))
    })
}

struct Server {
    workspace: Workspace,
    lang: Lang,
}

/// The result of a tool, or the error in words.
type ToolResult<T = CallToolResponse> = Result<T, String>;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder();
        let capabilities = capabilities.enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("aitc", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools::INSTRUCTIONS.of(self.lang))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let all = tools::all(self.lang).map_err(|why| ErrorData::internal_error(why, None))?;
        Ok(ListToolsResult::with_all_items(all))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        match self.called(request, Caller::of(context)).await {
            Some(Ok(response)) => Ok(response),
            // The client's model sees no protocol errors.
            Some(Err(why)) => Ok(CallToolResult::error(vec![ContentBlock::text(why)]).into()),
            None => Err(ErrorData::invalid_params(format!("no tool `{name}`"), None)),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let all = self
            .apart(|workspace| resources::all(workspace.context()))
            .await;
        let all = all.map_err(|why| ErrorData::internal_error(why, None))?;
        Ok(ListResourcesResult::with_all_items(all))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(
            resources::templates(),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let address = request.uri.clone();
        let read = self.apart(move |workspace| resources::read(&request.uri, workspace.context()));
        match read.await {
            Ok(Some(contents)) => Ok(ReadResourceResult::new(vec![contents]).into()),
            Ok(None) => Err(ErrorData::resource_not_found(
                format!("nothing is at `{address}`"),
                None,
            )),
            Err(why) => Err(ErrorData::resource_not_found(why, None)),
        }
    }
}

impl Server {
    /// Calls the tool of that name; `None` if there is no such tool.
    async fn called(&self, request: CallToolRequestParams, caller: Caller) -> Option<ToolResult> {
        let name = request.name.clone();
        let arguments = Arguments {
            tool: &name,
            given: request.arguments.unwrap_or_default(),
            lang: self.lang,
        };
        let responses = request.input_responses;
        Some(match &*name {
            "plan_start" => self.once(arguments, Workspace::start).await,
            "plan_revise" => self.once(arguments, Workspace::revise).await,
            "plan_status" => self.status(arguments, caller).await,
            "plan_questions" => self.once(arguments, Workspace::questions).await,
            "plan_answer" => self.answer(arguments, responses, caller).await,
            "plan_next" => self.next(arguments, caller).await,
            "plan_reply" => self.reply(arguments, caller).await,
            "plan_result" => self.once(arguments, Workspace::result).await,
            "plan_why" => self.once(arguments, Workspace::why).await,
            "plan_check" => self.once(arguments, Workspace::check).await,
            "plan_comment" => {
                let client = caller.name();
                self.once(arguments, |workspace, asked| {
                    workspace.comment(asked, client)
                })
                .await
            }
            _ => return None,
        })
    }

    /// Runs blocking work on another thread.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Workspace) -> Result<T, Fault> + Send + 'static,
    ) -> ToolResult<T> {
        let (workspace, lang) = (self.workspace.clone(), self.lang);
        let done = tokio::task::spawn_blocking(move || work(&workspace)).await;
        let done = done.unwrap_or_else(|error| Err(internal(&error.into())));
        done.map_err(|fault| fault.text(lang))
    }

    /// Runs a tool that needs no waiting.
    async fn once<A: DeserializeOwned + Send + 'static, T: Serialize + Send + 'static>(
        &self,
        arguments: Arguments<'_>,
        work: impl FnOnce(&Workspace, A) -> Result<T, Fault> + Send + 'static,
    ) -> ToolResult {
        let asked = arguments.read()?;
        structured(&self.apart(|workspace| work(workspace, asked)).await?)
    }

    async fn status(&self, arguments: Arguments<'_>, mut caller: Caller) -> ToolResult {
        let asked: tools::Status = arguments.read()?;
        let Some(run) = asked.id else {
            return structured(&self.apart(|workspace| workspace.all()).await?);
        };
        let looks = asked.wait_seconds.min(MOST_SECONDS) * 1000 / LOOK.as_millis() as u32;
        let first = self.apart(move |workspace| workspace.look(run)).await?;
        let stood = first.done();
        let waits = first.runs() && !first.is_due();
        let look = match waits {
            true => {
                let moved =
                    |look: &RunSnapshot| !look.runs() || look.is_due() || look.done() != stood;
                self.until(run, looks, moved, &mut caller).await?
            }
            false => first,
        };
        structured(&tools::RunsDocument {
            runs: vec![look.told.run],
            versions: Vec::new(),
        })
    }

    async fn next(&self, arguments: Arguments<'_>, mut caller: Caller) -> ToolResult {
        let run = arguments.read::<tools::Run>()?.id;
        let look = self.apart(move |workspace| workspace.look(run)).await?;
        if look.is_due() {
            return structured(&look.told);
        }
        self.apart(move |workspace| workspace.take_up(run)).await?;
        self.gone_on(run, &mut caller).await
    }

    async fn reply(&self, arguments: Arguments<'_>, mut caller: Caller) -> ToolResult {
        let asked: tools::Reply = arguments.read()?;
        let (run, client) = (asked.id, caller.name());
        self.apart(move |workspace| workspace.reply(asked, client))
            .await?;
        self.gone_on(run, &mut caller).await
    }

    /// Waits a few seconds until a running run needs something.
    async fn gone_on(&self, run: Version, caller: &mut Caller) -> ToolResult {
        let due = |look: &RunSnapshot| look.is_due() || !look.runs();
        let look = self.until(run, LOOKS, due, caller).await?;
        structured(&look.told)
    }

    /// Reads a run until it is as wanted, the caller is gone, or the number of reads is used up;
    /// meanwhile the caller gets progress messages.
    async fn until(
        &self,
        run: Version,
        looks: u32,
        wanted: impl Fn(&RunSnapshot) -> bool,
        caller: &mut Caller,
    ) -> ToolResult<RunSnapshot> {
        let mut left = looks;
        loop {
            let look = self.apart(move |workspace| workspace.look(run)).await?;
            if wanted(&look) || left == 0 || caller.is_gone() {
                return Ok(look);
            }
            caller.report_progress(&look).await;
            left -= 1;
            tokio::select! {
                () = tokio::time::sleep(LOOK) => (),
                () = caller.context.ct.cancelled() => (),
            }
        }
    }

    async fn answer(
        &self,
        arguments: Arguments<'_>,
        responses: Option<InputResponses>,
        caller: Caller,
    ) -> ToolResult {
        let asked: tools::Answer = arguments.read()?;
        let run = asked.id;
        let said = match (asked.answer, asked.recommended, asked.decline) {
            (None, false, false) => None,
            (Some(text), false, false) => Some(GivenAnswer::Text(text)),
            (None, true, false) => Some(GivenAnswer::Recommended),
            (None, false, true) => Some(GivenAnswer::Declined),
            _ => return Err(TWO_ANSWERS.of(self.lang).to_owned()),
        };
        if said.is_some() {
            return self.handed_over(run, asked.question, said).await;
        }
        let question = asked.question;
        let (question, form) = self
            .apart(move |workspace| workspace.form(run, question))
            .await?;
        let filled = match (responses, caller.asks()) {
            (Some(responses), _) => responses
                .get(&question.to_string())
                .and_then(|filled| serde_json::from_value::<ElicitResult>(filled.clone()).ok()),
            (None, ElicitationMode::InResult) => {
                let request = InputRequest::Elicitation(ElicitRequest::new(form));
                let requests = [(question.to_string(), request)].into();
                return Ok(InputRequiredResult::from_input_requests(requests).into());
            }
            (None, ElicitationMode::ByRequest) => caller.elicited(form).await,
            (None, ElicitationMode::Never) => return Err(NO_FORM.of(self.lang).to_owned()),
        };
        let said = filled.as_ref().and_then(ask::parse_answer);
        self.handed_over(run, Some(question), said).await
    }

    /// Sends an answer, if there is one, and returns the status of the run.
    async fn handed_over(
        &self,
        run: Version,
        question: Option<QuestionId>,
        said: Option<GivenAnswer>,
    ) -> ToolResult {
        let answered = self.apart(move |workspace| match &said {
            Some(said) => workspace.answer(run, question, said),
            None => workspace.answered(run, false),
        });
        structured(&answered.await?)
    }
}

struct Arguments<'a> {
    tool: &'a str,
    given: JsonObject,
    lang: Lang,
}

impl Arguments<'_> {
    fn read<T: DeserializeOwned>(self) -> ToolResult<T> {
        serde_json::from_value(serde_json::Value::Object(self.given))
            .map_err(|error| BAD_ARGUMENTS.with(self.lang, values![tool = self.tool, why = error]))
    }
}

enum ElicitationMode {
    /// By a result that requests input.
    InResult,
    /// By our request, while the call is open.
    ByRequest,
    /// Not at all.
    Never,
}

struct Caller {
    context: RequestContext<RoleServer>,
    /// The progress that was reported last.
    told: Option<u64>,
}

impl Caller {
    fn of(context: RequestContext<RoleServer>) -> Self {
        let told = None;
        Self { context, told }
    }

    /// Returns its name, as it is recorded with replies.
    fn name(&self) -> Option<String> {
        self.context.client_info().map(|client| client.name)
    }

    fn is_gone(&self) -> bool {
        self.context.ct.is_cancelled() || self.context.peer.is_transport_closed()
    }

    fn asks(&self) -> ElicitationMode {
        let capabilities = self.context.client_capabilities();
        let form = capabilities.and_then(|client| client.elicitation);
        // A client that names no mode supports forms only.
        let form = form.filter(|modes| modes.form.is_some() || modes.url.is_none());
        let version = self.context.protocol_version();
        match (form, version) {
            (None, _) => ElicitationMode::Never,
            (Some(_), Some(version)) if version >= ProtocolVersion::V_2026_07_28 => {
                ElicitationMode::InResult
            }
            (Some(_), _) => ElicitationMode::ByRequest,
        }
    }

    /// Asks the client to show a form to its user; `None` if there is no answer in time.
    async fn elicited(&self, form: ElicitRequestParams) -> Option<ElicitResult> {
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
        let options = PeerRequestOptions::with_timeout(FORM);
        let sent = self.context.peer.send_request_with_option(request, options);
        match sent.await.ok()?.await_response().await.ok()? {
            ClientResult::ElicitResult(filled) => Some(filled),
            _ => None,
        }
    }

    /// Reports progress, if the client asked for it and it is new.
    async fn report_progress(&mut self, look: &RunSnapshot) {
        let Some(token) = self.context.meta.get_progress_token() else {
            return;
        };
        let done = look.done();
        if self.told.is_none_or(|told| told < done) {
            self.told = Some(done);
            let progress = ProgressNotificationParam::new(token, done as f64);
            let progress = progress.with_message(&look.stage);
            // A disconnected client is noticed by the next read.
            let _ = self.context.peer.notify_progress(progress).await;
        }
    }
}

fn structured(document: &impl Serialize) -> ToolResult {
    let value = serde_json::to_value(document).map_err(|error| error.to_string())?;
    Ok(CallToolResult::structured(value).into())
}
