//! Unit tests of `src/build/compiler.rs`.

use super::*;

/// Makes a folder with scripts that stand for compilers.
fn machine(programs: &[(&str, &str)]) -> (tempfile::TempDir, SearchPath) {
    let folder = tempfile::tempdir().unwrap();
    for (name, body) in programs {
        testing::executable(&folder.path().join(name), &format!("#!/bin/sh\n{body}\n"));
    }
    let path = SearchPath::new(vec![folder.path().to_path_buf()]);
    (folder, path)
}

fn recipe() -> BuildRecipe {
    toml::from_str(
        "crate = 'toy'\ncompile = ['x']\nprogram = 'p'\n[compiler]\nheaders = ['format']\nwanted = 'g++ 13'\n",
    )
    .unwrap()
}

#[test]
fn the_first_compiler_that_passes_is_taken() {
    let check = |programs: &[(&str, &str)], expect: Result<(&str, Option<&str>), &[&str]>| {
        let (folder, path) = machine(programs);
        let found = CxxCompiler::find(&path, &recipe(), &[OsString::from("-O1")], folder.path(), "toy");
        match (found, expect) {
            (Ok(compiler), Ok((text, c))) => {
                assert_eq!(compiler.text(), text);
                let name = compiler.c().and_then(Path::file_name).and_then(OsStr::to_str);
                assert_eq!(name, c, "{text}");
            }
            (Err(error), Err(parts)) => {
                let error = error.to_string();
                assert!(parts.iter().all(|part| error.contains(part)), "{error}");
            }
            (found, expect) => panic!("{found:?}, not {expect:?}"),
        }
    };
    const OLD: &str = "echo 'trial.cpp:1:10: fatal error: format: No such file or directory' >&2; exit 1";
    const ONLY_LIBCXX: &str = "[ \"$1\" = -stdlib=libc++ ] || { echo no format >&2; exit 1; }";
    check(&[("c++", "exit 0"), ("cc", "exit 0"), ("g++", "exit 1")], Ok(("c++", Some("cc"))));
    check(&[("c++", OLD), ("g++-13", "exit 0"), ("g++-12", "exit 0"), ("gcc-13", "")], Ok(("g++-13", Some("gcc-13"))));
    check(&[("c++", OLD), ("clang++-19", ONLY_LIBCXX), ("clang++-14", OLD)], Ok(("clang++-19 -stdlib=libc++", None)));
    check(&[("c++", OLD)], Err(&["tried c++: format: No such file or directory", "install g++ 13, or name another"]));
    check(&[], Err(&["no C++ compiler here can compile toy; there is none on PATH"]));
}

#[test]
fn the_variable_names_the_only_one_that_is_tried() {
    let (folder, path) = machine(&[("c++", "exit 0"), ("my-cxx", "exit 0")]);
    let check = |named: Option<&str>, expect: &[&str]| {
        let texts: Vec<String> = candidates(&path, named).iter().map(|words| text(words)).collect();
        assert_eq!(texts, expect, "{named:?}");
    };
    check(None, &["c++"]);
    check(Some(" "), &["c++"]);
    check(Some("my-cxx -m32"), &["my-cxx -m32"]);
    check(Some("not-there"), &["not-there"]);
    assert_eq!(candidates(&path, Some("my-cxx"))[0][0], folder.path().join("my-cxx").into_os_string());
}
