//! Servers whose certificate no machine vouches for, only `authority.pem` beside this file.
//!
//! The key beside it is as public as this file and protects nothing.

use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::copy_bidirectional;
use tokio_rustls::TlsAcceptor;

use super::Fake;

/// Connections that are waited for: a run asks for the list of models, then calls.
const CONNECTIONS: usize = 16;

/// Who vouches for them, in PEM form: what a `ca_file` holds.
pub const AUTHORITY: &str = include_str!("untrusted/authority.pem");

/// Waits on a thread of its own, which ends with the process; returns its base URL.
pub fn untrusted_base_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let config = config();
    std::thread::spawn(move || {
        for _ in 0..CONNECTIONS {
            let (mut socket, _) = listener.accept().unwrap();
            socket
                .set_read_timeout(Some(Duration::from_secs(10)))
                .unwrap();
            let mut tls = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            // Ends with the client's refusal, which is what the test is about.
            let _ = rustls::Stream::new(&mut tls, &mut socket).read(&mut [0; 64]);
        }
    });
    format!("https://{address}/v1")
}

/// The same fake behind TLS: what arrives is handed on to it. Its base URL; it ends with
/// the process.
pub fn untrusted_before(fake: &Fake) -> String {
    strange_at_first(fake, 0)
}

/// The same, and to so many connections a stranger answers, for whom nobody vouches at all.
pub fn strange_at_first(fake: &Fake, strange: usize) -> String {
    let behind = fake.addr;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let (own, stranger) = (
        TlsAcceptor::from(config()),
        TlsAcceptor::from(strange_config()),
    );
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let mut met = 0;
            while let Ok((socket, _)) = listener.accept().await {
                let acceptor = if met < strange { &stranger } else { &own }.clone();
                met += 1;
                tokio::spawn(async move {
                    // A client that does not trust it says so here, and is gone.
                    let Ok(mut tls) = acceptor.accept(socket).await else {
                        return;
                    };
                    if let Ok(mut plain) = tokio::net::TcpStream::connect(behind).await {
                        let _ = copy_bidirectional(&mut tls, &mut plain).await;
                    }
                });
            }
        });
    });
    format!("https://{address}/v1")
}

fn config() -> Arc<rustls::ServerConfig> {
    config_of(
        include_bytes!("untrusted/certificate.der"),
        include_bytes!("untrusted/key.der"),
    )
}

fn strange_config() -> Arc<rustls::ServerConfig> {
    config_of(
        include_bytes!("untrusted/stranger.der"),
        include_bytes!("untrusted/stranger-key.der"),
    )
}

fn config_of(certificate: &'static [u8], key: &'static [u8]) -> Arc<rustls::ServerConfig> {
    let certificate = CertificateDer::from(certificate);
    let key = PrivatePkcs8KeyDer::from(key);
    let ring = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(ring)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::from(key))
        .unwrap();
    Arc::new(config)
}
