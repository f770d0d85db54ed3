//! A solver that misbehaves on request: it obeys the lines of its input that begin with `;; `, one after another, and echoes the text of
//! `(echo "…")` on its own line.
//!
//! Arguments are ignored, except for `--never-read`, which makes it hang without reading, `--flood-first`, which makes it print a
//! megabyte before it reads, and `--linger`, which makes it hang instead of exiting. The tests find its processes by their arguments.

use std::io::{Read, Write};
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |wanted: &str| arguments.iter().any(|argument| argument == wanted);
    if has("--never-read") {
        hang();
    }
    if has("--flood-first") {
        print(&"; flood\n".repeat(1 << 17));
    }
    let mut input = String::new();
    if std::io::stdin().read_to_string(&mut input).is_err() {
        std::process::exit(99);
    }
    for line in input.lines() {
        if let Some(line) = line.strip_prefix(";; ") {
            let (order, text) = line.split_once(' ').unwrap_or((line, ""));
            obey(order, text);
        } else if let Some(text) = line.strip_prefix("(echo \"").and_then(|rest| rest.strip_suffix("\")")) {
            print(&format!("{text}\n"));
        }
    }
    if has("--linger") {
        hang();
    }
}

fn obey(order: &str, text: &str) {
    match order {
        "say" => print(&format!("{text}\n")),
        "crlf" => print(&format!("{text}\r\n")),
        "bare" => print(text),
        "complain" => eprintln!("{text}"),
        "exit" => std::process::exit(text.parse().unwrap_or(98)),
        // SAFETY: both take any number; Rust's own handler of SIGSEGV is put aside.
        "signal" => unsafe {
            let signal = text.parse().unwrap_or(0);
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        },
        "hang" => hang(),
        "sleep" => std::thread::sleep(Duration::from_millis(text.parse().unwrap_or(0))),
        "flood" => flood(if text.is_empty() { "flood" } else { text }),
        // SAFETY: as for "fork".
        "fork-leave-and-flood" => unsafe {
            if libc::fork() == 0 {
                libc::setsid();
                flood("outside");
            }
        },
        "flood-err" => loop {
            eprintln!("flood");
        },
        "spin" => loop {
            std::hint::spin_loop();
        },
        // SAFETY: ignoring a signal installs no handler of ours.
        "ignore-term" => unsafe {
            libc::signal(libc::SIGTERM, libc::SIG_IGN);
            libc::signal(libc::SIGINT, libc::SIG_IGN);
            libc::signal(libc::SIGHUP, libc::SIG_IGN);
        },
        // SAFETY: this program has one thread, so the child may go on as it is.
        "fork" => unsafe {
            if libc::fork() == 0 {
                hang();
            }
        },
        // SAFETY: as above; setsid takes the child out of its process group.
        "fork-and-leave" => unsafe {
            if libc::fork() == 0 {
                libc::setsid();
                hang();
            }
        },
        "allocate" => allocate(),
        "allocate-quietly" => {
            allocate_until_refused();
            std::process::abort();
        }
        _ => std::process::exit(97),
    }
}

fn flood(line: &str) -> ! {
    let lines = format!("{line}\n").repeat(512);
    loop {
        print(&lines);
    }
}

fn allocate() {
    allocate_until_refused();
    eprintln!("terminate called after throwing an instance of 'std::bad_alloc'");
    std::process::abort();
}

/// Touches memory, a MiB at a time, until it is refused.
fn allocate_until_refused() {
    const MIB: usize = 1 << 20;
    // SAFETY: the memory written is what malloc gave just now. It is never freed.
    unsafe {
        loop {
            let block = libc::malloc(MIB).cast::<u8>();
            if block.is_null() {
                return;
            }
            for page in (0..MIB).step_by(4096) {
                block.add(page).write_volatile(1);
            }
        }
    }
}

/// A broken pipe is ignored: some programs continue for hours after their reader is gone.
fn print(text: &str) {
    let mut stdout = std::io::stdout();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
