//! A small server for one browser of this user: it listens on loopback, and the [`Gate`] admits
//! only requests from that browser's own pages.
//!
//! ```text
//! TCP ─▶ hyper: limits of time and size ─▶ gate: browser and origin ─▶ the routes
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

/// Maximum size of a message from a page, in bytes.
const LARGEST_BODY: usize = 64 << 10;
/// Maximum size of a request's head, in bytes.
const LARGEST_HEAD: usize = 16 << 10;
/// Maximum number of header lines.
const HEADERS: usize = 64;
/// Maximum time for a head to arrive, and for a connection to wait for the next one.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Maximum concurrent connections; further ones are closed at once.
const CONNECTIONS: usize = 128;

/// A loopback port that is reserved but not served yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Binds the port, or any free one for 0.
    ///
    /// # Errors
    /// The port is in use or not permitted.
    pub async fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves the routes behind the gate until dropped.
    pub async fn serve(self, routes: Router, gate: Gate) {
        let routes = routes.layer(DefaultBodyLimit::max(LARGEST_BODY));
        let routes = gate::guarded(routes, Arc::new(gate));
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let accepted = self.listener.accept().await;
            let (Ok((stream, _)), Ok(place)) = (accepted, Arc::clone(&room).try_acquire_owned())
            else {
                // The system may have resources again a moment later.
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
                // A browser that closes the connection early is not an error.
                let _ = http.serve_connection(TokioIo::new(stream), service).await;
                drop(place);
            });
        }
    }
}
