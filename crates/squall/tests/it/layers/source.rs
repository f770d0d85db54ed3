//! The modules of one crate as a build without tests sees them: what each defines, imports and names.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemUse, Path, UseTree, Visibility};

/// A crate: its modules, the root first.
pub struct Crate {
    pub modules: Vec<Module>,
}

/// A module, in its own file or inline.
pub struct Module {
    /// The path of the file below `src`, without its extension and `/mod`; `lib` or `main` for the root.
    pub file: String,
    pub parent: usize,
    pub children: BTreeMap<String, usize>,
    /// The names of its items, without those that macros define.
    pub items: BTreeSet<String>,
    /// The names of its types and traits.
    pub types: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// The paths in its code, including those of one word.
    pub paths: BTreeSet<Vec<String>>,
}

/// One leaf of a `use`.
pub struct Import {
    pub path: Vec<String>,
    /// Its name here; `None` for `*`.
    pub name: Option<String>,
    /// Whether it is re-exported: `pub use`, with or without a restriction.
    pub exported: bool,
}

impl Crate {
    /// Reads a crate from its root. `read` returns the text of a file by its path below `src`.
    pub fn load(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Crate {
        let mut loaded = Crate { modules: Vec::new() };
        let text = read(root).unwrap_or_else(|| panic!("{root} is missing"));
        loaded.add(0, root, &text, read);
        loaded
    }

    fn add(&mut self, parent: usize, place: &str, text: &str, read: &dyn Fn(&str) -> Option<String>) -> usize {
        let parsed = syn::parse_file(text).unwrap_or_else(|e| panic!("{place}: {e}"));
        let stem = place.strip_suffix(".rs").unwrap_or(place);
        let file = stem.strip_suffix("/mod").unwrap_or(stem);
        // The folder of its modules' files.
        let folder = if parent == 0 && self.modules.is_empty() { "" } else { file };
        self.add_items(parent, file, folder, &parsed.items, read)
    }

    fn add_items(
        &mut self,
        parent: usize,
        file: &str,
        folder: &str,
        items: &[Item],
        read: &dyn Fn(&str) -> Option<String>,
    ) -> usize {
        let number = self.modules.len();
        self.modules.push(Module {
            file: file.to_string(),
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            types: BTreeSet::new(),
            imports: Vec::new(),
            paths: BTreeSet::new(),
        });
        for item in items.iter().filter(|item| !is_test(attributes(item))) {
            if let Item::Mod(module) = item {
                let name = module.ident.to_string();
                let inner = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let child = match &module.content {
                    Some((_, items)) => self.add_items(number, file, &inner, items, read),
                    None => {
                        let places = [format!("{inner}.rs"), format!("{inner}/mod.rs")];
                        let found = places.iter().find_map(|place| Some((place, read(place)?)));
                        let (place, text) = found.unwrap_or_else(|| panic!("{file}: no file of `mod {name};`"));
                        self.add(number, place, &text, read)
                    }
                };
                self.modules[number].children.insert(name, child);
            } else {
                let module = &mut self.modules[number];
                module.items.extend(name_of(item));
                if let Item::Struct(_) | Item::Enum(_) | Item::Trait(_) | Item::Type(_) | Item::Union(_) = item {
                    module.types.extend(name_of(item));
                }
                Collector(module).visit_item(item);
            }
        }
        number
    }
}

/// Collects the imports and paths of an item.
struct Collector<'m>(&'m mut Module);

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let test = matches!(item, ImplItem::Fn(function) if is_test(&function.attrs));
        if !test {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if item.leading_colon.is_none() {
            let exported = !matches!(item.vis, Visibility::Inherited);
            add_imports(&mut Vec::new(), &item.tree, exported, &mut self.0.imports);
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if path.leading_colon.is_none() {
            self.0.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        add_paths(call.tokens.clone(), &mut self.0.paths);
        visit::visit_macro(self, call);
    }
}

fn add_imports(prefix: &mut Vec<String>, tree: &UseTree, exported: bool, imports: &mut Vec<Import>) {
    let mut add = |last: &syn::Ident, name: &syn::Ident| {
        let mut path = prefix.clone();
        let (last, mut name) = (last.to_string(), name.to_string());
        if last != "self" {
            path.push(last);
        } else if name == "self"
            && let Some(module) = path.last()
        {
            name.clone_from(module);
        }
        imports.push(Import { path, name: Some(name), exported });
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            add_imports(prefix, &path.tree, exported, imports);
            prefix.pop();
        }
        UseTree::Name(name) => add(&name.ident, &name.ident),
        UseTree::Rename(rename) => add(&rename.ident, &rename.rename),
        UseTree::Glob(_) => imports.push(Import { path: prefix.clone(), name: None, exported }),
        UseTree::Group(group) => {
            for tree in &group.items {
                add_imports(prefix, tree, exported, imports);
            }
        }
    }
}

/// The paths among the tokens of a macro, which need not be Rust.
fn add_paths(tokens: TokenStream, paths: &mut BTreeSet<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                if colons != 2 {
                    paths.insert(std::mem::take(&mut path));
                }
                path.push(word.to_string());
                colons = 0;
            }
            TokenTree::Punct(mark) if mark.as_char() == ':' && !path.is_empty() => colons += 1,
            other => {
                paths.insert(std::mem::take(&mut path));
                colons = 0;
                if let TokenTree::Group(group) = other {
                    add_paths(group.stream(), paths);
                }
            }
        }
    }
    paths.insert(path);
    paths.remove(&Vec::new());
}

/// Whether it exists only in tests.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
