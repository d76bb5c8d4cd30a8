//! A proxy between a program and a server: forwards all bytes, stores the server's, and counts the
//! pieces in which they came.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The server's bytes on each connection, in pieces.
type Said = Arc<Mutex<Vec<Vec<Vec<u8>>>>>;

/// Listens on loopback until the test process ends.
pub struct Tap {
    address: SocketAddr,
    said: Said,
}

impl Tap {
    /// A tap in front of the server at `upstream`, such as `127.0.0.1:8094`.
    pub fn before(upstream: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let said = Said::default();
        let (kept, upstream) = (Arc::clone(&said), upstream.to_owned());
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect(&upstream).unwrap();
                let connection = {
                    let mut kept = kept.lock().unwrap();
                    kept.push(Vec::new());
                    kept.len() - 1
                };
                let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || pass(from, to, |_| {}));
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || {
                    pass(server, client, |piece| {
                        kept.lock().unwrap()[connection].push(piece.to_vec());
                    });
                });
            }
        });
        Self { address, said }
    }

    /// Its base URL.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The bytes of every connection, with the number of pieces.
    pub fn heard(&self) -> Vec<(Vec<u8>, usize)> {
        let said = self.said.lock().unwrap();
        said.iter()
            .map(|pieces| (pieces.concat(), pieces.len()))
            .collect()
    }
}

/// Forwards bytes until one side closes, then closes the other.
fn pass(mut from: TcpStream, mut to: TcpStream, mut heard: impl FnMut(&[u8])) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        heard(&buffer[..n]);
        if to.write_all(&buffer[..n]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Write);
}
