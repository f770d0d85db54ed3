//! Being let in by a NATS server: passwords, tokens, TLS with certificates of both sides, and what is said when it is not so.

#![cfg(feature = "nats")]

use crate::support::nats::{Running, Server};
use crate::support::{ALWAYS, Stage, squall};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a worker says that reached a server on which nobody began a campaign.
const LET_IN: &str = "there is no campaign";

/// What `squall cluster worker` says with these arguments.
fn worker(arguments: &[&str]) -> String {
    let output = squall().args(["cluster", "worker"]).args(arguments).stdin(Stdio::null()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn check(arguments: &[&str], expect: &str) {
    let words = worker(arguments);
    assert!(words.contains(expect), "{arguments:?}: {words}");
    assert!(!words.contains("s3cret"), "a password is not for the screen: {words}");
}

#[test]
fn passwords_and_tokens_let_in_and_wrong_ones_are_said() {
    let stage = Stage::new(ALWAYS);
    let Some(server) = Server::start(&stage.path("nats"), &["--user", "me", "--pass", "s3cret@:"]) else { return };
    let port = server.port;
    check(&[&format!("nats://me:s3cret%40%3A@127.0.0.1:{port}")], LET_IN);
    check(&[&format!("nats://me:s3cret@127.0.0.1:{port}")], "does not let us in");
    check(&[&server.address()], "nats://USER:PASSWORD@HOST");
    let Some(server) = Server::start(&stage.path("nats2"), &["--auth", "s3cret-token"]) else { return };
    let port = server.port;
    check(&[&format!("nats://s3cret-token@127.0.0.1:{port}")], LET_IN);
    check(&[&format!("nats://s3cret@127.0.0.1:{port}")], "does not let us in");
    check(&[&server.address(), "--nats-creds", "nothing-here"], "there is no file 'nothing-here'");
}

/// Certificates of an authority, a server and a client. None where there is no `openssl`.
fn certificates(folder: &Path) -> Option<()> {
    let openssl = |arguments: &str| {
        let mut command = Command::new("openssl");
        command.args(arguments.split_whitespace()).current_dir(folder).stdin(Stdio::null());
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        status.success().then_some(())
    };
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n").expect("a file");
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    for name in ["ca", "other"] {
        openssl(&format!("req -x509 {key} -keyout {name}.key -out {name}.pem -subj /CN={name} -days 2"))?;
    }
    for name in ["server", "client"] {
        openssl(&format!("req {key} -keyout {name}.key -out {name}.csr -subj /CN={name}"))?;
        let signed = "-CA ca.pem -CAkey ca.key -CAcreateserial -extfile names -days 2";
        openssl(&format!("x509 -req -in {name}.csr {signed} -out {name}.pem"))?;
    }
    Some(())
}

#[test]
fn a_campaign_runs_over_tls_with_certificates_of_both_sides() {
    let stage = Stage::with_seeds(ALWAYS);
    let folder = stage.path("tls");
    if testing::require("openssl", certificates(&folder)).is_none() {
        return;
    }
    let file = |name: &str| folder.join(name).display().to_string();
    let (ca, other) = (file("ca.pem"), file("other.pem"));
    // Where nothing is said the server waits for two seconds for a handshake, which is too short on a busy machine.
    let (certificate, key) = (file("server.pem"), file("server.key"));
    let tls = format!(
        "tls {{ cert_file: {certificate:?}, key_file: {key:?}, ca_file: {ca:?}, verify: true, timeout: 60 }}\n"
    );
    std::fs::write(folder.join("server.conf"), tls).expect("a file");
    let Some(server) = Server::start(&stage.path("nats"), &["-c", &file("server.conf")]) else { return };
    let address = format!("tls://localhost:{}", server.port);
    let own = ["--nats-cert", &file("client.pem"), "--nats-key", &file("client.key")];
    let with = |more: &[&str]| {
        let all: Vec<String> = [&[address.as_str()][..], more].concat().iter().map(|word| word.to_string()).collect();
        all
    };
    let says = |more: &[&str], expect: &str| {
        let arguments = with(more);
        check(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), expect);
    };
    says(&[&["--nats-ca", &ca][..], &own].concat(), LET_IN);
    says(&[&["--nats-ca", &other][..], &own].concat(), "--nats-ca names the authority");
    says(&own, "--nats-ca names the authority");
    says(&["--nats-ca", &ca], "TLS");

    // A whole campaign.
    let mut lead = squall();
    lead.arg("fuzz").arg(stage.path("seeds")).args(["--solver", "builtin:sat", "--units", "6", "--format", "json"]);
    lead.args(["--coordinate", &address, "--nats-ca", &ca]).args(own).arg("--out").arg(stage.out());
    let mut lead = Running(lead.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("it runs"));
    let deadline = Instant::now() + Duration::from_secs(120);
    while lead.0.try_wait().expect("it is ours").is_none() {
        assert!(Instant::now() < deadline, "the campaign does not end");
        let mut command = squall();
        command.args(["cluster", "worker", &address, "--jobs", "1", "--for", "10s", "--nats-ca", &ca]).args(own);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("it runs");
    }
    assert_eq!(lead.0.wait().expect("it ended").code(), Some(0));
}
