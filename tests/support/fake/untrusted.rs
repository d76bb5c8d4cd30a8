//! An HTTPS server with a certificate that nobody vouches for.
//!
//! The key beside it is as public as this file and protects nothing.

use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// Waits on a thread of its own for one connection; returns its base URL.
pub fn untrusted_base_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let certificate = CertificateDer::from(&include_bytes!("untrusted/certificate.der")[..]);
    let key = PrivatePkcs8KeyDer::from(&include_bytes!("untrusted/key.der")[..]);
    let ring = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(ring)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::from(key))
        .unwrap();
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        socket
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        let mut tls = rustls::ServerConnection::new(Arc::new(config)).unwrap();
        // Ends with the client's refusal, which is what the test is about.
        let _ = rustls::Stream::new(&mut tls, &mut socket).read(&mut [0; 64]);
    });
    format!("https://{address}/v1")
}
