//! Functions and macros of a source file in C, C++ or Rust, with tree-sitter's grammars.

use std::collections::BTreeSet;
use tree_sitter::{Language, Node, Parser, Tree, TreeCursor};

/// The maximum length of a name, in bytes.
const MAX_NAME: usize = 256;

/// Languages by file extension.
const ENDINGS: [(&str, SourceLanguage); 11] = [
    ("c", SourceLanguage::C),
    ("cc", SourceLanguage::Cpp),
    ("cpp", SourceLanguage::Cpp),
    ("cxx", SourceLanguage::Cpp),
    ("c++", SourceLanguage::Cpp),
    // C headers are parsed with the C++ grammar.
    ("h", SourceLanguage::Cpp),
    ("hh", SourceLanguage::Cpp),
    ("hpp", SourceLanguage::Cpp),
    ("hxx", SourceLanguage::Cpp),
    ("inc", SourceLanguage::Cpp),
    ("rs", SourceLanguage::Rust),
];

/// A language with a grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceLanguage {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Rust.
    Rust,
}

impl SourceLanguage {
    /// Returns the language of a file by its name.
    pub fn of(path: &str) -> Option<SourceLanguage> {
        let (_, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
        ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, language)| *language)
    }

    /// Returns the file extensions of these languages.
    pub fn endings() -> Vec<String> {
        ENDINGS.iter().map(|(ending, _)| ending.to_string()).collect()
    }

    fn grammar(self) -> Language {
        match self {
            SourceLanguage::C => tree_sitter_c::LANGUAGE.into(),
            SourceLanguage::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            SourceLanguage::Rust => tree_sitter_rust::LANGUAGE.into(),
        }
    }
}

/// A function or a macro.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SourceItem {
    /// The last part of its qualified name; `operator` for all operators.
    pub name: String,
    /// Its first line, from 1.
    pub first: u32,
    /// Its last line.
    pub last: u32,
}

/// A parsed file.
pub struct ParsedSource<'t> {
    tree: Tree,
    text: &'t str,
}

impl ParsedSource<'_> {
    /// Parses a file. Syntax errors are skipped. `None` for other languages.
    pub fn of<'t>(path: &str, text: &'t str) -> Option<ParsedSource<'t>> {
        let language = SourceLanguage::of(path)?;
        let mut parser = Parser::new();
        parser.set_language(&language.grammar()).ok()?;
        Some(ParsedSource { tree: parser.parse(text, None)?, text })
    }

    /// Returns its functions and macros, in order.
    pub fn items(&self) -> Vec<SourceItem> {
        let mut items = Vec::new();
        self.each(self.tree.root_node(), &mut |node| items.extend(self.item(node)));
        items
    }

    /// Returns the functions and macros that use one of some names.
    pub fn users(&self, names: &BTreeSet<String>) -> Vec<SourceItem> {
        let mut users = Vec::new();
        self.each(self.tree.root_node(), &mut |node| {
            let Some(item) = self.item(node) else { return };
            let own = named(node);
            let mut uses = false;
            self.each(node, &mut |part| {
                // The body of a C macro is one token.
                let is_text = part.kind() == "preproc_arg";
                let words =
                    |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| names.contains(w));
                uses |= part.child_count() == 0
                    && Some(part) != own
                    && (names.contains(self.text(part)) || is_text && words(self.text(part)));
            });
            if uses {
                users.push(item);
            }
        });
        users
    }

    fn text(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn item(&self, node: Node<'_>) -> Option<SourceItem> {
        let name = named(node)?;
        let is_operator = matches!(name.kind(), "operator_name" | "operator_cast");
        let name = if is_operator { "operator" } else { self.text(name) };
        if name.is_empty() || name.len() > MAX_NAME || name.contains(char::is_control) {
            return None;
        }
        let line = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
        let (start, end) = (node.start_position(), node.end_position());
        // A directive ends at the beginning of the next line.
        let (first, last) = (line(start.row), line(end.row - usize::from(end.column == 0 && end.row > start.row)));
        Some(SourceItem { name: name.to_string(), first, last })
    }

    /// Visits a node and all nodes in it, without recursion: files may nest deeply.
    fn each<'n>(&self, root: Node<'n>, take: &mut dyn FnMut(Node<'n>)) {
        let mut cursor: TreeCursor<'n> = root.walk();
        loop {
            take(cursor.node());
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() || cursor.node() == root {
                    return;
                }
            }
        }
    }
}

/// Returns the name of a function or macro.
fn named(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "function_definition" => declared(node.child_by_field_name("declarator")?),
        "function_item" | "preproc_def" | "preproc_function_def" | "macro_definition" => {
            node.child_by_field_name("name")
        }
        _ => None,
    }
}

/// Returns the last part of a declared name: `f` of `T &a::b::f(int)`.
fn declared(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut node = declarator;
    loop {
        node = match node.kind() {
            "identifier" | "field_identifier" | "destructor_name" | "operator_name" | "operator_cast"
            | "type_identifier" => {
                return Some(node);
            }
            "qualified_identifier" | "template_function" | "template_method" => node.child_by_field_name("name")?,
            _ => node
                .child_by_field_name("declarator")
                .or_else(|| node.named_child(node.named_child_count().checked_sub(1)?.try_into().ok()?))?,
        };
    }
}
