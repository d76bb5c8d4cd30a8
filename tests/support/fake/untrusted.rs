//! Servers with certificates that are trusted only with `authority.pem` beside this file.
//!
//! The private key beside it is public and protects nothing.

use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::copy_bidirectional;
use tokio_rustls::TlsAcceptor;

use super::Fake;

/// Number of connections to accept: a run requests the list of models, then makes calls.
const CONNECTIONS: usize = 16;

/// Their authority in PEM form, for a `ca_file`.
pub const AUTHORITY: &str = include_str!("untrusted/authority.pem");

/// Listens on a thread that ends with the process; returns its base URL.
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
            // Fails when the client rejects the certificate, as tested.
            let _ = rustls::Stream::new(&mut tls, &mut socket).read(&mut [0; 64]);
        }
    });
    format!("https://{address}/v1")
}

/// Puts TLS in front of the fake server; returns the base URL. It runs until the process ends.
pub fn untrusted_before(fake: &Fake) -> String {
    strange_at_first(fake, 0)
}

/// The same, but the first `strange` connections get a certificate that is never trusted.
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
                    // The handshake fails if the client does not trust the certificate.
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
