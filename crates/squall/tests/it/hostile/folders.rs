//! Folders of strangers in which, or above which, squall is run.

use super::{Place, Trap};

/// Python takes modules, and cargo and rustup take their configuration, from where they are started.
#[test]
fn helpers_read_nothing_of_the_current_folder() {
    let module = "open('{mark}', 'w')\n";
    let trap = Trap::with(&[
        ("pip.py", module),
        ("pip/__main__.py", module),
        ("hashlib.py", module),
        ("zipfile.py", module),
        ("sitecustomize.py", module),
        (".cargo/config.toml", "[build]\nrustc-wrapper = \"{canary}\"\n"),
        ("rust-toolchain.toml", "[toolchain]\npath = \"{hostile}\"\n"),
        ("python3", "#!/bin/sh\n: > '{mark}'\n"),
    ]);
    trap.program(
        "cargo",
        "#!/bin/sh\nif [ -e .cargo/config.toml ] || [ -e rust-toolchain.toml ]; then : > '{mark}'; fi\nexit 1\n",
    );
    if !trap.path("bin/python3").exists() {
        trap.program(
            "python3",
            "#!/bin/sh\ncase \"$*\" in -I*) ;; *) if [ -e pip.py ]; then : > '{mark}'; fi;; esac\nexit 1\n",
        );
    }
    for args in [
        &["doctor"][..],
        &["solver", "install", "z3@4.8.7"],
        &["solver", "list", "--remote", "z3"],
        &["solver", "install", "oxiz"],
        &["fuzz", "--solver", "z3@latest", "--units", "1", "--out", "{root}/out"],
    ] {
        let said = trap.run(args, Place::Inside, &["out"]);
        assert!(said.code.is_some(), "{args:?}: {}", said.stderr);
    }
}
