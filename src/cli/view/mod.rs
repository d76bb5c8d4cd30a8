//! `aitc view`: shows a run in the browser, while it is in progress and afterwards.

mod buttons;
mod site;
mod watch;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::interrupt::serve_until_signal;
use super::versions::{self, FoundVersion};
use super::{Context, Exit, Fault};
use crate::edge::BoxFuture;
use crate::edge::web::{Gate, Server};
use crate::fault::line::PORT;
use crate::fault::{Message, said_by_system, texts, values};
use crate::machine::Version;
use crate::ui::browser;
use site::Site;

texts! {
    UNTIL: "the page is available until you press Ctrl-C; the address works once, in one browser", "按 Ctrl-C 之前页面一直可用；该地址只能用一次";
    SHOWN: "watch the run at {url} (the address works once)", "在 {url} 观看（地址只能用一次）";
    NO_BROWSER: "no browser could be opened; open the address yourself", "无法打开浏览器；请自行打开该地址";
}
/// Threads: one for connections, one for reading files meanwhile.
const THREADS: usize = 2;

/// Watch a run or read a version in the browser
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  aitc view\n  aitc view team/v1\n  aitc view v2 --no-open --port 4711"
)]
pub struct ViewArgs {
    /// Which run or version; default: the run in progress, else the latest version
    #[arg(value_name = "vN")]
    version: Option<Version>,
    /// Listen on this port of 127.0.0.1; default: any free port
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
}

/// `aitc view --json`, printed when the page can be opened.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewDocument {
    /// What is shown first, such as `team/v1`; left out for the list of all there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// Opens the page, in one browser and once.
    url: String,
}

/// Serves the page until Ctrl-C.
pub fn run(args: &ViewArgs, context: &Context) -> Result<Exit, Fault> {
    let found = meant(args.version, context)?;
    let site = Site::of(context);
    // An unreadable version is reported here, not by an empty page.
    if let Some(found) = &found {
        site.with(found.version, |_, _| Ok(()))?;
    }
    serve_until_signal(THREADS, serve(found, site, args, context))
}

async fn serve(
    found: Option<FoundVersion>,
    site: Site,
    args: &ViewArgs,
    context: &Context,
) -> Result<Exit, Fault> {
    let run = found.map(|found| (found.version, found.draft));
    let ready = BoundServer::at(args.port, run).await?;
    let url = ready.gate.url();
    let document = ViewDocument {
        run: run.map(|(version, _)| version.to_string()),
        url: url.clone(),
    };
    context.print(&url, &document)?;
    context.notice(&UNTIL.into());
    if !args.no_open && !context.env.is_ci() && !browser::open(&url) {
        context.notice(&NO_BROWSER.into());
    }
    ready
        .server
        .serve(site.routes(buttons::routes()), ready.gate)
        .await;
    Ok(Exit::Done)
}

/// Shows a run of this process in the browser for the lifetime of its runtime; returns a message
/// with the address.
///
/// # Errors
/// No port or no random bytes are available.
pub fn beside(version: Version, context: &Context) -> BoxFuture<'_, Result<Message, Fault>> {
    Box::pin(async move {
        let ready = BoundServer::at(0, Some((version, true))).await?;
        let url = ready.gate.url();
        if !context.env.is_ci() {
            // The address is printed in any case.
            browser::open(&url);
        }
        let routes = Site::of(context).routes(buttons::routes());
        tokio::spawn(ready.server.serve(routes, ready.gate));
        Ok(SHOWN.fill(values![url]))
    })
}

/// A server that does not serve yet.
struct BoundServer {
    server: Server,
    gate: Gate,
}

impl BoundServer {
    /// Binds that port; shown first is a version (with whether it is a draft), else the list of
    /// all.
    async fn at(port: u16, run: Option<(Version, bool)>) -> Result<Self, Fault> {
        let no_port =
            |error: std::io::Error| PORT.with(values![port, cause = said_by_system(&error)]);
        let server = Server::bind(port).await.map_err(no_port)?;
        let start = match run {
            Some((version, true)) => format!("/{version}/talk"),
            Some((version, false)) => format!("/{version}"),
            None => "/".to_owned(),
        };
        let gate = Gate::new(server.address(), &start).map_err(no_port)?;
        Ok(Self { server, gate })
    }
}

/// Returns the version that is named; else the latest running run, or the latest version; `None` if
/// there is none yet.
fn meant(version: Option<Version>, context: &Context) -> Result<Option<FoundVersion>, Fault> {
    if version.is_some() {
        return versions::find(version, context).map(Some);
    }
    let all = versions::recorded(versions::find_all(context)?, context)?;
    for found in all.iter().rev().filter(|found| found.draft) {
        if versions::is_running(found.version, context)? {
            return Ok(Some(found.clone()));
        }
    }
    Ok(versions::latest(&all).cloned())
}
