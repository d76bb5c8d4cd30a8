//! Connections that can be ended with a TCP reset.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// If on, closing the connection resets it.
#[derive(Debug, Clone, Default)]
pub struct ResetSwitch(Arc<AtomicBool>);

impl ResetSwitch {
    pub fn turn_on(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Accepts and counts such connections.
pub struct Resettable {
    listener: TcpListener,
    accepted: Arc<AtomicUsize>,
}

impl Resettable {
    pub fn new(listener: TcpListener, accepted: Arc<AtomicUsize>) -> Self {
        Self { listener, accepted }
    }
}

impl Listener for Resettable {
    type Io = Connection;
    type Addr = ResetSwitch;

    async fn accept(&mut self) -> (Connection, ResetSwitch) {
        let (stream, _) = Listener::accept(&mut self.listener).await;
        self.accepted.fetch_add(1, Ordering::SeqCst);
        let _ = stream.set_nodelay(true);
        let switch = ResetSwitch::default();
        (Connection(stream, switch.clone()), switch)
    }

    fn local_addr(&self) -> io::Result<ResetSwitch> {
        Ok(ResetSwitch::default())
    }
}

impl Connected<IncomingStream<'_, Resettable>> for ResetSwitch {
    fn connect_info(stream: IncomingStream<'_, Resettable>) -> Self {
        stream.remote_addr().clone()
    }
}

pub struct Connection(TcpStream, ResetSwitch);

impl Drop for Connection {
    fn drop(&mut self) {
        if self.1.0.load(Ordering::SeqCst) {
            let _ = self.0.set_zero_linger();
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.1.0.load(Ordering::SeqCst) {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
