//! The smallest server that Prometheus can ask: one thread, one connection at a time, each bounded in time and size.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest request, in bytes.
const MAX_REQUEST: usize = 8 << 10;
/// How often the thread looks whether it is over.
const TICK: Duration = Duration::from_millis(20);

/// Serves a page until it is dropped.
pub struct Server {
    address: SocketAddr,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens at an address. Port 0 is any free one.
    ///
    /// # Errors
    /// It is in use, or the system refuses.
    pub fn start(address: SocketAddr, page: impl Fn() -> String + Send + 'static) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let over = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&over);
        let work = move || {
            while !is_over.load(Ordering::Relaxed) {
                match listener.accept() {
                    // What goes wrong with a connection is the other side's affair.
                    Ok((stream, _)) => drop(answer(stream, &page)),
                    Err(_) => std::thread::sleep(TICK),
                }
            }
        };
        let thread = std::thread::Builder::new().name("metrics".to_string()).spawn(work)?;
        Ok(Server { address, over, thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(mut stream: TcpStream, page: &impl Fn() -> String) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = head(&mut stream)?;
    let mut words = head.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let path = path.split('?').next().unwrap_or_default();
    let plain = "text/plain; charset=utf-8";
    let (status, kind, body) = match (method, path) {
        ("GET" | "HEAD", "/metrics") => ("200 OK", "text/plain; version=0.0.4; charset=utf-8", page()),
        ("GET" | "HEAD", _) => ("404 Not Found", plain, "the numbers are under /metrics\n".to_string()),
        _ => ("405 Method Not Allowed", plain, "ask by GET\n".to_string()),
    };
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}

/// The first line of a request, once all of its head is there.
fn head(stream: &mut TcpStream) -> io::Result<String> {
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut piece = [0; 1024];
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || bytes.len() > MAX_REQUEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no request"));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut piece)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => bytes.extend_from_slice(&piece[..n]),
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().next().unwrap_or_default().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(server: &Server, request: &str) -> String {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        let mut answer = String::new();
        // One that is sent too much closes the connection, and what was written may be lost.
        let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_string(&mut answer));
        answer
    }

    #[test]
    fn a_page_is_served_and_nothing_else() {
        let local = "127.0.0.1:0".parse().expect("an address");
        let server = Server::start(local, || "squall_running 1\n".to_string()).expect("it starts");
        let check = |request: &str, begins: &str, ends: &str| {
            let answer = ask(&server, request);
            assert!(answer.starts_with(begins) && answer.ends_with(ends), "{request:?}: {answer:?}");
        };
        check("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 OK\r\n", "\r\n\r\nsquall_running 1\n");
        check("HEAD /metrics?a=b HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n", "\r\n\r\n");
        check("GET /etc/passwd HTTP/1.1\r\n\r\n", "HTTP/1.1 404 ", "under /metrics\n");
        check("POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 ", "GET\n");
        check(&"x".repeat(100_000), "", "");
        check("GET /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n", "squall_running 1\n");
        let address = server.address();
        drop(server);
        assert!(TcpStream::connect(address).is_err(), "it is gone");
    }
}
