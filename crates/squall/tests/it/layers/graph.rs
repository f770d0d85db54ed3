//! The imports between files of a crate: paths are followed through re-exports to the file with the definition.

use crate::layers::source::{Crate, Import};
use std::collections::{BTreeMap, BTreeSet};

/// By file, the files that it imports from, with the first such path.
pub type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// The target of a path.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    /// A module.
    Module(usize),
    /// An item of a module.
    Item(usize),
}

/// The graph of a crate. A re-export counts as an import of the files that use it, not of the file that contains it.
pub fn graph(source: &Crate) -> Graph {
    let mut graph = Graph::new();
    for (number, module) in source.modules.iter().enumerate() {
        let edges = graph.entry(module.file.clone()).or_default();
        let mut add = |target: Option<Target>, path: &[String], whole: bool| {
            let to = match target {
                Some(Target::Item(to)) => to,
                // The name of a module imports nothing; the paths that start with it do.
                Some(Target::Module(to)) if whole => to,
                _ => return,
            };
            let file = &source.modules[to].file;
            if *file != module.file {
                edges.entry(file.clone()).or_insert_with(|| path.join("::"));
            }
        };
        for import in module.imports.iter().filter(|import| !import.exported) {
            add(resolve(source, number, &import.path, &mut Vec::new()), &import.path, import.name.is_none());
        }
        for path in &module.paths {
            add(resolve(source, number, path, &mut Vec::new()), path, false);
        }
    }
    graph
}

/// Resolves a path in a module. `None` if it leaves the crate. `following` holds the re-exports on the way.
fn resolve<'c>(source: &'c Crate, mut at: usize, path: &[String], following: &mut Vec<&'c Import>) -> Option<Target> {
    let mut rest = path;
    while let Some((first, after)) = rest.split_first() {
        at = match first.as_str() {
            "crate" => 0,
            "self" => at,
            "super" => source.modules[at].parent,
            _ => break,
        };
        rest = after;
    }
    let found = find(source, at, rest, following);
    // Definitions by macros are not found by name.
    found.or((rest.len() < path.len()).then_some(Target::Item(at)))
}

/// Resolves a path that starts in a module.
fn find<'c>(source: &'c Crate, at: usize, path: &[String], following: &mut Vec<&'c Import>) -> Option<Target> {
    let module = &source.modules[at];
    let Some((name, rest)) = path.split_first() else { return Some(Target::Module(at)) };
    let item = module.items.contains(name);
    if let Some(&child) = module.children.get(name)
        && (!rest.is_empty() || !item)
    {
        return find(source, child, rest, following).or(Some(Target::Item(child)));
    }
    if item {
        return Some(Target::Item(at));
    }
    for import in &module.imports {
        if import.name.as_ref().is_some_and(|n| n != name) || following.iter().any(|&f| std::ptr::eq(f, import)) {
            continue;
        }
        following.push(import);
        let target = if import.name.is_some() {
            let whole: Vec<String> = import.path.iter().chain(rest).cloned().collect();
            resolve(source, at, &whole, following)
        } else {
            match resolve(source, at, &import.path, following) {
                Some(Target::Module(from)) => find(source, from, path, following),
                _ => None,
            }
        };
        following.pop();
        if target.is_some() {
            return target;
        }
    }
    None
}

/// The circles of more than `limit` files, each with its files.
pub fn circles(graph: &Graph, limit: usize) -> Vec<BTreeSet<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = graph.keys().map(|file| (&**file, reach(graph, file))).collect();
    let mut circles: Vec<BTreeSet<&str>> = Vec::new();
    for (file, there) in &reached {
        let circle: BTreeSet<&str> = there.iter().copied().filter(|other| reached[other].contains(file)).collect();
        if circle.len() > limit && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

/// The files that a file needs, directly or indirectly.
fn reach<'g>(graph: &'g Graph, from: &str) -> BTreeSet<&'g str> {
    let mut there = BTreeSet::new();
    let mut open: Vec<&str> = graph[from].keys().map(String::as_str).collect();
    while let Some(file) = open.pop() {
        if there.insert(file) {
            open.extend(graph[file].keys().map(String::as_str));
        }
    }
    there
}
