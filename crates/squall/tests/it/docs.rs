//! The pages of `docs`: links have targets, lists name every page, and tables name every key.

use mutate::exec::ENTRIES;
use mutate::{MutatorEntry, REGISTRY};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The names of the pages in `docs`, except that of the list itself.
fn pages() -> BTreeSet<String> {
    pages_of("docs")
}

fn pages_of(folder: &str) -> BTreeSet<String> {
    let names = fs::read_dir(root().join(folder)).expect("a folder").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect()
}

/// Returns the text without code, because brackets in code are not links.
fn prose(page: &str) -> String {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        let fence = line.trim_start().starts_with("```");
        is_code ^= fence;
        if !is_code && !fence && !line.starts_with("    ") {
            // Every other piece between backticks is code.
            lines.push(line.split('`').step_by(2).collect::<Vec<_>>().join("code"));
        }
    }
    lines.join("\n")
}

/// The targets of a page's links.
fn links(page: &str) -> Vec<String> {
    let prose = prose(page);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_string()).collect()
}

/// The anchors of a page's headings, as GitHub and mdBook name them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let headings = page.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code && line.starts_with('#')
    });
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// Returns the mistakes in the links of a page in a folder of the repository.
fn dead_links(folder: &str, page: &str) -> Vec<String> {
    let is_dead = |link: &String| {
        if link.contains("://") || link.starts_with("mailto:") {
            return false;
        }
        let (path, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
        // A site generated from `docs` has nothing above that folder.
        if folder == "docs" && path.starts_with("..") {
            return true;
        }
        let target = root().join(folder).join(path);
        let target_text = || match path {
            "" => page.to_string(),
            _ => fs::read_to_string(&target).unwrap_or_default(),
        };
        !(path.is_empty() || target.exists()) || !(anchor.is_empty() || anchors(&target_text()).contains(anchor))
    };
    links(page).into_iter().filter(is_dead).collect()
}

#[test]
fn every_link_has_a_target() {
    for page in pages() {
        let dead = dead_links("docs", &text(&format!("docs/{page}")));
        assert!(dead.is_empty(), "docs/{page}: {dead:?}");
    }
    for page in ["README.md", "CONTRIBUTING.md", "docs/SUMMARY.md"] {
        let (folder, _) = page.rsplit_once('/').unwrap_or(("", page));
        let dead = dead_links(folder, &text(page));
        assert!(dead.is_empty(), "{page}: {dead:?}");
    }
}

#[test]
fn dead_links_are_found_and_code_is_ignored() {
    let check = |page: &str, expect: &[&str]| assert_eq!(dead_links("docs", page), expect, "{page}");
    check("see [fuzz](fuzz.md) and [options](fuzz.md#options) and [below](#here)\n## Here", &[]);
    check("see [fuzz](fuz.md)", &["fuz.md"]);
    check("see [fuzz](fuzz.md#opinions)", &["fuzz.md#opinions"]);
    check("see [below](#there)\n# Here", &["#there"]);
    check("see [the front page](../README.md)", &["../README.md"]);
    check("`a[0](x.md)` and\n```\n[a](b.md)\n# c\n```\nand\n\n    [a](b.md)", &[]);
    check("[a](https://example.org/x) [b](schema/finding.json)", &[]);
}

#[test]
fn the_index_and_the_summary_name_every_page() {
    let named = |list: &str| -> BTreeSet<String> {
        let targets = links(&text(list)).into_iter().map(|link| link.split('#').next().unwrap_or_default().to_string());
        targets.filter(|target| target.ends_with(".md")).collect()
    };
    let below = |folder: &'static str| {
        pages_of(&format!("docs/{folder}")).into_iter().map(move |page| format!("{folder}/{page}"))
    };
    let all = pages().into_iter().chain(below("measurements")).chain(below("measurements/figures"));
    assert_eq!(named("docs/SUMMARY.md"), all.collect());
    let mut index = named("docs/README.md");
    index.insert("README.md".to_string());
    assert_eq!(index, pages());
}

#[test]
fn the_table_of_mutators_is_that_of_the_program() {
    let row = |entry: &MutatorEntry, place: &str| {
        let share = if entry.share == 0 { "" } else { &entry.share.to_string() };
        format!("| [`{}`]({place}) | {} | {} | {} | {share} |\n", entry.name, entry.parents, entry.about, entry.truth)
    };
    let mut table =
        "| Mutator | Seeds | What it does | Truth of its mutants | Drawn |\n|---|---|---|---|---|\n".to_string();
    let sections = anchors(&text("docs/mutators.md"));
    for entry in REGISTRY {
        assert!(sections.contains(entry.name), "docs/mutators.md has no section {}", entry.name);
        table += &row(entry, &format!("mutators.md#{}", entry.name));
    }
    ENTRIES.iter().for_each(|entry| table += &row(entry, "#custom-mutators"));
    testing::check_made_part(&root().join("docs/mutate.md"), "mutate/src/mutators", &table);
}

/// Commands wrote the pages of figures, and each page starts with its command.
#[test]
fn figures_name_their_command() {
    let naming = ["docs/experiment.md", "docs/cover.md", "docs/comparison.md"].map(text).concat();
    for name in pages_of("docs/measurements/figures") {
        let figures = text(&format!("docs/measurements/figures/{name}"));
        let command = figures.split('`').nth(1).unwrap_or_default();
        let starts = ["squall experiment ", "squall ", "cargo bench -p squall --bench "];
        let words = starts.iter().find_map(|start| command.strip_prefix(start)).unwrap_or_default();
        let command_of = words.split(' ').next().unwrap_or_default();
        assert!(name.starts_with(command_of) && !command_of.is_empty(), "{name}: {command}");
        assert!(figures.starts_with('`') && figures.contains("`, squall "), "{name}: {figures}");
        assert!(!figures.contains("dirty"), "{name} is of a build with changes that are in no commit");
        assert!(naming.contains(&format!("(measurements/figures/{name})")), "no page names {name}");
    }
}

/// The keys of the fields of a struct, as its profile spells them.
fn keys(items: &[syn::Item], name: &str) -> Vec<String> {
    let fields = items.iter().find_map(|item| match item {
        syn::Item::Struct(item) if item.ident == name => Some(&item.fields),
        _ => None,
    });
    let fields = fields.unwrap_or_else(|| panic!("no struct {name}"));
    fields.iter().filter_map(|field| Some(field.ident.as_ref()?.to_string().replace('_', "-"))).collect()
}

#[test]
fn the_page_of_profiles_names_every_key() {
    let files = ["crates/solver/src/profile.rs", "crates/solver/src/profile/patterns.rs"];
    let items: Vec<_> = files.iter().flat_map(|file| syn::parse_file(&text(file)).expect("Rust").items).collect();
    let page = text("docs/profile.md");
    let table: String = page.lines().filter(|line| line.starts_with('|')).collect();
    let tables = ["version", "options", "memory", "wheel", "variants", "dialect", "gate"];
    let lists = ["tactic", "crash", "self-check", "unsupported", "known", "choice"];
    let check =
        |key: &str| assert!(table.contains(&format!("`{key}`")), "docs/profile.md does not say what `{key}` is");
    for key in keys(&items, "Profile") {
        match key.as_str() {
            "variants" => check("[variants.NAME]"),
            "wheel" => check("[wheel]"),
            "mode" => check("[[mode]]"),
            "proof" => check("[proof]"),
            "build" => check("[build]"),
            // Its key is a keyword of Rust.
            "cargo" => check("[crate]"),
            "dialect" => check("[[dialect]]"),
            list if lists.contains(&list) => check(&format!("[[{list}]]")),
            key if !tables.contains(&key) => check(key),
            _ => {}
        }
    }
    let inner =
        [("VersionProbe", "version"), ("CommandOptions", "options"), ("MemoryLimit", "memory"), ("ScriptGate", "gate")];
    for (name, table) in inner {
        keys(&items, name).iter().for_each(|key| check(&format!("{table}.{key}")));
    }
    let dialect = keys(&items, "VersionDialect");
    dialect.iter().filter(|key| *key != "versions").for_each(|key| check(&format!("dialect.{key}")));
    for name in ["Variant", "Wheel", "CargoCrate", "SolverTactic", "OptionChoice", "CrashPattern", "KnownBug"] {
        keys(&items, name).iter().filter(|key| *key != "launcher").for_each(|key| check(key));
    }
}

#[test]
fn the_page_of_configuration_names_every_part() {
    let items = syn::parse_file(&text("crates/solver/src/settings.rs")).expect("Rust").items;
    let page = text("docs/configuration.md");
    for key in keys(&items, "SettingsFile") {
        assert!(page.contains(&format!("`[[{key}]]`")) || page.contains(&format!("`[{key}]`")), "{key}");
    }
    for key in keys(&items, "Extension").iter().filter(|key| *key != "name") {
        assert!(page.contains(&format!("`{key}`")), "{key}");
    }
}

/// The page of exit codes agrees with the program, code by code.
#[test]
fn the_page_of_exit_codes_is_that_of_the_program() {
    let (page, code) = (text("docs/cli.md"), text("crates/squall/src/exit.rs"));
    let (_, from) = page.split_once("\n## Exit codes\n").expect("a section");
    let (section, _) = from.split_once("\n## ").expect("another one");
    let mut said = 0;
    for (comment, variant) in code.lines().zip(code.lines().skip(1)) {
        let Some((name, value)) = variant.trim_end_matches(',').split_once(" = ").filter(|_| variant.ends_with(','))
        else {
            continue;
        };
        let meaning = comment.trim().strip_prefix("/// ").expect("a comment before each");
        let row = format!("| {value} | {} | {meaning} |", name.trim().to_lowercase());
        assert!(section.contains(&row), "docs/cli.md does not say: {row}");
        said += 1;
    }
    assert_eq!(section.lines().filter(|line| line.starts_with("| ")).count(), said + 1, "rows of no code");
}

/// Only `Exit` ends the process: a literal number would be a second definition of its meaning.
#[test]
fn the_process_ends_by_one_enumeration() {
    let is_rust = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
    let wanted = files::WantedFiles { what: "source", is_wanted: is_rust };
    let sources = files::named_files(&[root().join("crates/squall/src")], &wanted).expect("sources");
    for file in sources.iter().filter(|file| !file.ends_with("src/exit.rs")) {
        let code = fs::read_to_string(file).expect("a source");
        for word in ["process::exit", "ExitCode"] {
            assert!(!code.contains(word), "{} ends the process by {word}: write crate::exit::Exit", file.display());
        }
    }
}
