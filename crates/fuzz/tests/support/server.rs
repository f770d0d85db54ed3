//! A NATS server on a free port of this machine, which ends with the test.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A process that ends with the test.
pub struct Running(pub Child);

impl Running {
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A server.
pub struct Server {
    pub running: Running,
    pub port: u16,
    folder: PathBuf,
    options: Vec<String>,
}

impl Server {
    /// One with these further options that keeps its streams in `folder`. None where there is no `nats-server`.
    pub fn start(folder: &Path, options: &[&str]) -> Option<Server> {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a free port").port();
        let options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
        let Some(running) = spawn(port, folder, &options) else {
            println!("skipped: no nats-server");
            return None;
        };
        Some(Server { running, port, folder: folder.to_path_buf(), options })
    }

    /// Starts it again after it was killed, with the streams that it had.
    pub fn again(&mut self) {
        self.running = spawn(self.port, &self.folder, &self.options).expect("it was there before");
    }

    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

fn spawn(port: u16, folder: &Path, options: &[String]) -> Option<Running> {
    let mut server = Command::new("nats-server");
    server.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder).args(options);
    let running = Running(server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?);
    let deadline = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < deadline, "nats-server does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
    Some(running)
}
