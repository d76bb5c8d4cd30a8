//! A small server for one browser of this user: it listens on loopback, and lets nothing
//! pass the [`Gate`] but what that browser's own pages ask for.
//!
//! ```text
//! TCP ─▶ hyper: bounds of time and size ─▶ gate: who asks, and from where ─▶ the routes
//! ```

mod gate;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

pub use gate::Gate;

/// Bytes of the largest message a page may send.
const LARGEST_BODY: usize = 64 << 10;
/// Bytes of the largest head of a request.
const LARGEST_HEAD: usize = 16 << 10;
/// Most lines of a head.
const HEADERS: usize = 64;
/// How long a head may take to arrive, and a connection wait for the next one.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Connections at a time; more are closed at once.
const CONNECTIONS: usize = 128;

/// A place on loopback where nobody listens yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Takes the port, or any that is free for 0.
    ///
    /// # Errors
    /// Somebody else has it, or it may not be had.
    pub async fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves the routes to whoever passes the gate, until it is dropped.
    pub async fn serve(self, routes: Router, gate: Gate) {
        let routes = routes.layer(DefaultBodyLimit::max(LARGEST_BODY));
        let routes = gate::guarded(routes, Arc::new(gate));
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let accepted = self.listener.accept().await;
            let (Ok((stream, _)), Ok(place)) = (accepted, Arc::clone(&room).try_acquire_owned())
            else {
                // What the system has no room for now, it may have a moment later.
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let service = TowerToHyperService::new(routes.clone());
            tokio::spawn(async move {
                let mut http = hyper::server::conn::http1::Builder::new();
                http.timer(TokioTimer::new())
                    .header_read_timeout(HEAD_TIME)
                    .max_buf_size(LARGEST_HEAD)
                    .max_headers(HEADERS);
                // A browser that goes away in the middle is no error of ours.
                let _ = http.serve_connection(TokioIo::new(stream), service).await;
                drop(place);
            });
        }
    }
}
