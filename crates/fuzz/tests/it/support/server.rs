//! A NATS server on a free local port, which ends with the test.

use std::hash::{BuildHasher, RandomState};
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
    /// Starts a server with these further options that stores its streams in `folder`. `None` where there is no `nats-server`.
    pub fn start(folder: &Path, options: &[&str]) -> Option<Server> {
        let options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
        for _ in 0..50 {
            let port = port();
            match spawn(port, folder, &options) {
                Ok(Some(running)) => return Some(Server { running, port, folder: folder.to_path_buf(), options }),
                Ok(None) => {}
                Err(_) => return testing::require("nats-server", None),
            }
        }
        panic!("nats-server ends at once, whatever its port");
    }

    /// Restarts it after it was killed, with its streams.
    pub fn again(&mut self) {
        let running = spawn(self.port, &self.folder, &self.options).expect("it was there before");
        self.running = running.expect("nobody took its port meanwhile");
    }

    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

/// Returns a port that may be free: below those that the system gives to clients (32768 and up on Linux), so none takes the port of a
/// server that is down for a moment.
fn port() -> u16 {
    let drawn = RandomState::new().hash_one(std::process::id());
    10_240 + (drawn % 22_000) as u16
}

/// Returns `None` if the port is taken. Whether the server listens is read from its ports file: another test's server could answer on the
/// port, and once did.
fn spawn(port: u16, folder: &Path, options: &[String]) -> std::io::Result<Option<Running>> {
    std::fs::create_dir_all(folder)?;
    let mut server = Command::new("nats-server");
    server.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder);
    server.arg("--ports_file_dir").arg(folder).args(options);
    let mut running = Running(server.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    let ports = folder.join(format!("nats-server_{}.ports", running.0.id()));
    let deadline = Instant::now() + Duration::from_secs(60);
    while !ports.exists() {
        if running.0.try_wait()?.is_some() {
            return Ok(None);
        }
        assert!(Instant::now() < deadline, "nats-server does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(Some(running))
}
