//! A minimal server for Prometheus: one thread that blocks on no connection; each is limited in time and size.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time limit of a connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// The maximum length of a request, in bytes.
const MAX_REQUEST: usize = 8 << 10;
/// The maximum number of connections without a whole request; the oldest is closed for a new one.
const MOST_WAITING: usize = 64;
/// How often the thread checks whether to stop.
const TICK: Duration = Duration::from_millis(20);

/// Serves a page until it is dropped.
pub struct Server {
    address: SocketAddr,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens at an address. Port 0 means any free port.
    /// Errors: the address is in use, or the system refuses it.
    pub fn start(address: SocketAddr, page: impl Fn() -> String + Send + 'static) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let over = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&over);
        let work = move || {
            let mut waiting: Vec<OpenRequest> = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                let mut is_idle = true;
                while let Ok((stream, _)) = listener.accept() {
                    is_idle = false;
                    if waiting.len() >= MOST_WAITING {
                        waiting.remove(0);
                    }
                    waiting.extend(OpenRequest::new(stream));
                }
                // Errors of a connection are ignored.
                waiting.retain_mut(|asking| match asking.head() {
                    Ok(None) => true,
                    Ok(Some(head)) => {
                        is_idle = false;
                        let _ = answer(&mut asking.stream, &head, &page);
                        false
                    }
                    Err(_) => false,
                });
                if is_idle {
                    std::thread::sleep(TICK);
                }
            }
        };
        let thread = std::thread::Builder::new().name("metrics".to_string()).spawn(work)?;
        Ok(Server { address, over, thread: Some(thread) })
    }

    /// Returns the address.
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

/// A connection with an incomplete request.
struct OpenRequest {
    stream: TcpStream,
    bytes: Vec<u8>,
    until: Instant,
}

impl OpenRequest {
    fn new(stream: TcpStream) -> Option<OpenRequest> {
        stream.set_nonblocking(true).ok()?;
        Some(OpenRequest { stream, bytes: Vec::new(), until: Instant::now() + PATIENCE })
    }

    /// The head of the request, once it is complete. It does not block, so that others are served meanwhile.
    fn head(&mut self) -> io::Result<Option<String>> {
        let mut piece = [0; 1024];
        loop {
            match self.stream.read(&mut piece) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => self.bytes.extend_from_slice(&piece[..n]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
            if self.bytes.len() > MAX_REQUEST {
                break;
            }
        }
        if self.bytes.windows(4).any(|four| four == b"\r\n\r\n") {
            return Ok(Some(String::from_utf8_lossy(&self.bytes).into_owned()));
        }
        match self.bytes.len() > MAX_REQUEST || Instant::now() >= self.until {
            true => Err(io::Error::new(io::ErrorKind::InvalidData, "no request")),
            false => Ok(None),
        }
    }
}

/// Whether a request names this machine. A foreign site whose name resolves to 127.0.0.1 uses that name.
fn is_for_this_machine(head: &str) -> bool {
    let host = head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("host"));
    let Some((_, host)) = host else { return true };
    let host = host.trim().to_ascii_lowercase();
    let port =
        |rest: &str| rest.is_empty() || rest.strip_prefix(':').is_some_and(|p| p.bytes().all(|b| b.is_ascii_digit()));
    ["localhost", "[::1]"].iter().any(|name| host.strip_prefix(name).is_some_and(port))
        || host.rsplit_once(':').map_or(&*host, |(name, _)| name).parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
}

fn answer(stream: &mut TcpStream, head: &str, page: &impl Fn() -> String) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut words = head.lines().next().unwrap_or_default().split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let path = path.split('?').next().unwrap_or_default();
    let plain = "text/plain; charset=utf-8";
    let (status, kind, body) = match (method, path) {
        _ if !is_for_this_machine(head) => {
            ("421 Misdirected Request", plain, "use the name localhost or the address 127.0.0.1\n".to_string())
        }
        ("GET" | "HEAD", "/metrics") => ("200 OK", "text/plain; version=0.0.4; charset=utf-8", page()),
        ("GET" | "HEAD", _) => ("404 Not Found", plain, "the metrics are under /metrics\n".to_string()),
        _ => ("405 Method Not Allowed", plain, "use GET\n".to_string()),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(server: &Server, request: &str) -> String {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        let mut answer = String::new();
        // A server that is sent too much closes the connection, and what was written may be lost.
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
        for host in ["localhost", "LocalHost:9464", "127.0.0.1", "127.0.0.1:9464", "[::1]:9464"] {
            let request = format!("GET /metrics HTTP/1.1\r\nA: b\r\nhost: {host}\r\n\r\n");
            check(&request, "HTTP/1.1 200 OK\r\n", "\r\n\r\nsquall_running 1\n");
        }
        for host in
            ["evil.example", "evil.example:9464", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", ""]
        {
            check(&format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n"), "HTTP/1.1 421 ", "127.0.0.1\n");
        }
        check("HEAD /metrics?a=b HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n", "\r\n\r\n");
        check("GET /etc/passwd HTTP/1.1\r\n\r\n", "HTTP/1.1 404 ", "under /metrics\n");
        check("POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 ", "GET\n");
        check(&"x".repeat(100_000), "", "");
        // None of these may block the thread.
        let idle: Vec<TcpStream> =
            (0..2 * MOST_WAITING).map(|_| TcpStream::connect(server.address()).expect("it listens")).collect();
        check("GET /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n", "squall_running 1\n");
        let open = |mut stream: &TcpStream| {
            let _ = stream.set_nonblocking(true);
            stream.read(&mut [0; 1]).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
        };
        assert!(open(&idle[2 * MOST_WAITING - 2]), "one that waits was not waited for");
        let address = server.address();
        drop(server);
        assert!(TcpStream::connect(address).is_err(), "it is gone");
    }
}
