//! An HTTPS server with a certificate that nobody vouches for.
//!
//! The key beside it is as public as this file and protects nothing.

use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// Connections that are waited for: a run asks for the list of models, then calls.
const CONNECTIONS: usize = 16;

/// Waits on a thread of its own, which ends with the process; returns its base URL.
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
        let config = Arc::new(config);
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
