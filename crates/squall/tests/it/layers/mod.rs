//! The layers of the workspace: no large circle of modules in any crate, and imports that go down only, as `layers.toml` says.
//!
//! Imports are found in the syntax: `use` trees, paths in code and in the tokens of macros, `super::` and re-exported names, each followed to
//! the file with the definition. Tests are left out, because they may import anything. Method calls are not seen; a method is in a file
//! that the file of its type knows or need not know.

mod graph;
mod source;
mod table;

use graph::{Graph, circles};
use source::Crate;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use table::Table;

/// The most files that may need each other.
const LARGEST_CIRCLE: usize = 3;

/// Names with the same meaning in each file: every subcommand has its arguments.
const SAME_CONCEPT: [&str; 1] = ["Args"];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn table() -> Table {
    toml::from_str(include_str!("layers.toml")).expect("layers.toml is a table of layers")
}

/// The crates of the table. Reading them takes most of the time of these tests.
static CRATES: LazyLock<BTreeMap<String, Crate>> = LazyLock::new(|| {
    let load = |name: &str| {
        let src = crates().join(name).join("src");
        let root = if src.join("lib.rs").is_file() { "lib.rs" } else { "main.rs" };
        Crate::load(root, &|place| std::fs::read_to_string(src.join(place)).ok())
    };
    table().crates.iter().map(|layers| (layers.name.clone(), load(&layers.name))).collect()
});

fn graph_of(name: &str) -> Graph {
    graph::graph(&CRATES[name])
}

/// The graph of made-up files.
fn graph_of_sources(files: &[(&str, &str)]) -> Graph {
    let read = |place: &str| files.iter().find(|(name, _)| *name == place).map(|(_, text)| text.to_string());
    graph::graph(&Crate::load("lib.rs", &read))
}

/// The circles of a graph that are too large, with one import per edge.
fn too_large(name: &str, graph: &Graph) -> Vec<String> {
    let mut wrong = Vec::new();
    for circle in circles(graph, LARGEST_CIRCLE) {
        let files: Vec<&str> = circle.iter().copied().collect();
        wrong.push(format!("{name}: {} files import each other: {}", files.len(), files.join(" ")));
        for file in &circle {
            for (to, path) in graph[*file].iter().filter(|(to, _)| circle.contains(to.as_str())) {
                wrong.push(format!("    {file} -> {to} (`{path}`)"));
            }
        }
    }
    wrong
}

#[test]
fn no_crate_has_a_large_circle_of_modules() {
    let wrong: Vec<String> =
        table().crates.iter().flat_map(|layers| too_large(&layers.name, &graph_of(&layers.name))).collect();
    assert!(wrong.is_empty(), "move shared code into a file below all that need it:\n{}", wrong.join("\n"));
}

#[test]
fn imports_go_down() {
    let wrong: Vec<String> =
        table().crates.iter().flat_map(|layers| layers.violations(&graph_of(&layers.name))).collect();
    assert!(wrong.is_empty(), "move code or fix crates/squall/tests/it/layers/layers.toml:\n{}", wrong.join("\n"));
}

/// Type names that several files define, each with all its files.
fn shared_names<'c>(crates: impl IntoIterator<Item = (&'c str, &'c Crate)>) -> Vec<String> {
    let mut files: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (name, one) in crates {
        for module in &one.modules {
            for name_of_type in &module.types {
                files.entry(name_of_type).or_default().insert(format!("{name}/{}", module.file));
            }
        }
    }
    let shared = files.into_iter().filter(|(name, files)| files.len() > 1 && !SAME_CONCEPT.contains(name));
    shared.map(|(name, files)| format!("{name}: {}", Vec::from_iter(files).join(" "))).collect()
}

#[test]
fn a_name_of_a_type_is_for_one_concept() {
    let shared = shared_names(CRATES.iter().map(|(name, one)| (name.as_str(), one)));
    assert!(shared.is_empty(), "give each of these a name of its own:\n{}", shared.join("\n"));

    let made_up = |a: &str, b: &str| {
        let read = |text: &str| Crate::load("lib.rs", &|_| Some(text.to_string()));
        shared_names([("x", &read(a)), ("y", &read(b))])
    };
    assert_eq!(made_up("pub struct Row;", "mod tables { enum Row {} }"), ["Row: x/lib y/lib"]);
    assert_eq!(made_up("struct Args;", "struct Args;"), [""; 0], "one concept");
    assert_eq!(made_up("struct Row;", "#[cfg(test)] mod tests { struct Row; } fn row() {}"), [""; 0]);
}

#[test]
fn crates_depend_on_lower_crates() {
    let mut dependencies = BTreeMap::new();
    for entry in std::fs::read_dir(crates()).expect("the crates are there") {
        let Ok(manifest) = std::fs::read_to_string(entry.expect("the folder is readable").path().join("Cargo.toml"))
        else {
            continue;
        };
        let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
        let name = manifest["package"]["name"].as_str().expect("a package has a name").to_string();
        // Tests may use any crate, so dev-dependencies do not count.
        let tables = ["dependencies", "build-dependencies"].into_iter().filter_map(|key| manifest.get(key)?.as_table());
        let needed: Vec<String> = tables.flat_map(toml::Table::keys).cloned().collect();
        dependencies.insert(name, needed);
    }
    let own: Vec<String> = dependencies.keys().cloned().collect();
    for needed in dependencies.values_mut() {
        needed.retain(|name| own.contains(name));
    }
    let wrong = table().upward_dependencies(&dependencies);
    assert!(wrong.is_empty(), "fix the manifests or crates/squall/tests/it/layers/layers.toml:\n{}", wrong.join("\n"));
}

/// A circle of four files, each edge of another kind, is found. A circle of three, or one that only tests close, is not.
#[test]
fn circles_are_found_however_they_are_written() {
    let check = |last: &str, found: bool| {
        let files = [
            ("lib.rs", "pub mod a; mod b; mod c; mod d; pub use d::Deep; pub use a::*;"),
            // An inline path.
            ("a.rs", "pub struct A(crate::b::B);"),
            // A re-export through the root, by another name.
            ("b.rs", "use crate::c::Renamed as R; pub struct B(R);"),
            ("c/mod.rs", "mod inner; pub use inner::C as Renamed;"),
            // `super` twice, into a re-export of the root.
            ("c/inner.rs", "use super::super::{Deep as D, d}; pub struct C(D, fn() -> d::Deep);"),
            ("d.rs", last),
        ];
        let graph = graph_of_sources(&files);
        let circle: Vec<Vec<&str>> = circles(&graph, LARGEST_CIRCLE).into_iter().map(Vec::from_iter).collect();
        let expect: Vec<Vec<&str>> = if found { vec![vec!["a", "b", "c/inner", "d"]] } else { vec![] };
        assert_eq!(circle, expect, "{last}: {graph:?}");
    };
    check("use crate::a::A; pub struct Deep;", true);
    check("pub struct Deep; fn f() -> crate::a::A { todo!() }", true);
    check("pub struct Deep; impl super::a::A {}", true);
    // Through the root's glob re-export, and through a glob import.
    check("pub struct Deep; fn f(_: crate::A) {}", true);
    check("use crate::*; pub struct Deep; fn f(_: A) {}", true);
    check("use super::a::{self, A as Other}; pub struct Deep(Option<Other>);", true);
    // In a function, in a nested module, and among a macro's tokens.
    check("pub struct Deep; fn f() { use crate::a; let _: a::A; }", true);
    check("pub struct Deep; mod nested { use super::super::a::A; }", true);
    check("pub struct Deep; fn f() { println!(\"{}\", vec![crate::a::A::new()].len()) }", true);
    // A definition by a macro is in the file of the module that the path names.
    check("pub struct Deep; fn f() { crate::a::made_by_a_macro() }", true);
    // These close no circle.
    check("pub struct Deep;", false);
    check("pub use crate::a::A; pub struct Deep;", false);
    check("pub struct Deep; #[cfg(test)] mod tests { use crate::a::A; }", false);
    check("pub struct Deep; #[cfg(test)] use crate::a::A; #[test] fn f() { crate::a::f() }", false);
    check("pub struct Deep; fn f() { \"crate::a::A\"; a::A() } // crate::a::A", false);
    check("pub struct Deep; fn f() { std::a::A(); ::a::A() }", false);
}

/// A circle of three is small enough.
#[test]
fn small_circles_are_allowed() {
    let graph = graph_of_sources(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b.rs", "use crate::c::C; pub struct B;"),
        ("c.rs", "use crate::a::A; pub struct C;"),
    ]);
    assert_eq!(circles(&graph, 2).len(), 1);
    assert_eq!(too_large("made-up", &graph), Vec::<String>::new());
}

#[test]
fn the_table_forbids_imports_that_do_not_go_down() {
    let graph = graph_of_sources(&[
        ("lib.rs", "mod low; mod high; mod side; use high::High; pub struct Root(High);"),
        ("low.rs", "pub struct Low;"),
        ("high/mod.rs", "mod part; use part::Part; pub struct High(Part, crate::low::Low);"),
        ("high/part.rs", "pub struct Part(super::High);"),
        ("side.rs", "use crate::high::High;"),
    ]);
    let up = graph_of_sources(&[("lib.rs", "mod low; pub struct Root;"), ("low.rs", "use crate::Root;")]);
    let table = table::Layers { name: "made-up".to_string(), layers: vec!["low".to_string()] };
    assert_eq!(table.violations(&up), ["made-up: low imports lib, which is no layer below it (`crate::Root`)"]);
    let check = |layers: &[&str], expect: &[&str]| {
        let layers = layers.iter().map(|layer| layer.to_string()).collect();
        let table = table::Layers { name: "made-up".to_string(), layers };
        assert_eq!(table.violations(&graph), expect);
    };
    check(&["low", "high", "side"], &[]);
    check(&["low", "side", "high"], &["made-up: side imports high, which is no layer below it (`crate::high::High`)"]);
    check(&["low high", "side"], &["made-up: high imports low, which is no layer below it (`crate::low::Low`)"]);
    check(&["low+high", "side"], &[]);
    check(&["low", "high+side"], &[]);
    // Each entry of a folder is a unit, below the file that joins them.
    let up = "made-up: high/part imports high, which is no layer below it (`super::High`)";
    check(&["low", "high/*", "high", "side"], &[up]);
    check(&["low", "high/part+high high/*", "side"], &["made-up: there is no `high/*` any more"]);
    check(
        &["low gone", "high low"],
        &[
            "made-up: `low` stands twice in the table",
            "made-up: `side` is not in the table",
            "made-up: there is no `gone` any more",
            "made-up: high imports low, which is no layer below it (`crate::low::Low`)",
        ],
    );
}

#[test]
fn entries_of_a_folder_do_not_import_each_other() {
    let graph = graph_of_sources(&[
        ("lib.rs", "mod all;"),
        ("all/mod.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
        ("all/a/mod.rs", "mod part; pub struct A(part::Part);"),
        ("all/a/part.rs", "pub struct Part;"),
        ("all/b.rs", "pub struct B(crate::all::a::A);"),
    ]);
    let check = |layers: [&str; 2], expect: &[&str]| {
        let layers = layers.map(str::to_string).to_vec();
        assert_eq!(table::Layers { name: "made-up".to_string(), layers }.violations(&graph), expect);
    };
    check(["all/*", "all"], &["made-up: all/b imports all/a, which is no layer below it (`crate::all::a::A`)"]);
    check(["all/a", "all/* all"], &[]);
}

#[test]
fn the_table_forbids_dependencies_on_higher_crates() {
    let table: Table = toml::from_str(
        "[[crate]]\nname = \"low\"\nlayers = []\n[[crate]]\nname = \"high\"\nlayers = []\n\
         [[crate]]\nname = \"gone\"\nlayers = []\n",
    )
    .expect("the table is well-formed");
    let dependencies = [("low", "high"), ("high", "low"), ("new", "low")];
    let dependencies = dependencies.map(|(name, other)| (name.to_string(), vec![other.to_string()])).into();
    assert_eq!(
        table.upward_dependencies(&dependencies),
        [
            "the crate `low` depends on `high`, which does not stand before it",
            "the crate `new` is not in the table",
            "there is no crate `gone` any more",
        ]
    );
}
