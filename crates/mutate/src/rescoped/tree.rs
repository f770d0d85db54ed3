//! A script as trees of words that can be changed in place.

use smtlib::sexpr::{SexprNode, Sexprs};

/// A node of a [`Tree`].
#[derive(Clone, Debug)]
pub(super) enum TreeNode {
    /// A symbol, literal or keyword, as spelled.
    Word(String),
    /// A list.
    List(Vec<usize>),
}

/// The commands of a script. Nodes keep their numbers when they change.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<TreeNode>,
    /// The commands.
    pub(super) top: Vec<usize>,
}

impl Tree {
    /// Reads a text; `None` if its parentheses, quotes or bars do not match.
    pub(super) fn read(text: &str) -> Option<Tree> {
        let read = Sexprs::read_whole(text)?;
        // The nodes of a text have its numbers: a list comes before what is in it.
        let numbers: Vec<SexprNode> = read.nodes().collect();
        let number = |node: SexprNode| numbers.partition_point(|&other| other < node);
        let node = |&node: &SexprNode| match read.is_list(node) {
            true => TreeNode::List(read.children(node).map(number).collect()),
            false => TreeNode::Word(read.text(node).to_string()),
        };
        Some(Tree { nodes: numbers.iter().map(node).collect(), top: read.top().map(number).collect() })
    }

    /// Returns the text, one command per line.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for &command in &self.top {
            self.write(command, &mut out);
            out.push('\n');
        }
        out
    }

    /// Appends a node.
    pub(super) fn write(&self, node: usize, out: &mut String) {
        // `None` marks the end of a list.
        let mut open = vec![Some(node)];
        while let Some(next) = open.pop() {
            let is_apart = !out.is_empty() && !out.ends_with(['(', '\n']);
            match next.map(|node| &self.nodes[node]) {
                None => out.push(')'),
                Some(node) => {
                    out.push_str(if is_apart { " " } else { "" });
                    match node {
                        TreeNode::Word(word) => out.push_str(word),
                        TreeNode::List(list) => {
                            out.push('(');
                            open.push(None);
                            open.extend(list.iter().rev().map(|&node| Some(node)));
                        }
                    }
                }
            }
        }
    }

    pub(super) fn add(&mut self, node: TreeNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub(super) fn word(&mut self, word: &str) -> usize {
        self.add(TreeNode::Word(word.to_string()))
    }

    pub(super) fn list(&mut self, list: Vec<usize>) -> usize {
        self.add(TreeNode::List(list))
    }

    /// Returns a copy of a node with its contents.
    pub(super) fn copy(&mut self, node: usize) -> usize {
        let copied = self.add(self.nodes[node].clone());
        let mut open = vec![copied];
        while let Some(at) = open.pop() {
            let TreeNode::List(list) = self.nodes[at].clone() else { continue };
            let list: Vec<usize> = list.into_iter().map(|child| self.add(self.nodes[child].clone())).collect();
            open.extend_from_slice(&list);
            self.nodes[at] = TreeNode::List(list);
        }
        copied
    }

    /// Moves a node's content to a new node, whose number is returned; the old one must be set.
    pub(super) fn moved(&mut self, node: usize) -> usize {
        self.add(self.nodes[node].clone())
    }

    pub(super) fn set(&mut self, node: usize, to: TreeNode) {
        self.nodes[node] = to;
    }

    /// Returns the spelling of a word; empty for a list.
    pub(super) fn spelling(&self, node: usize) -> &str {
        match &self.nodes[node] {
            TreeNode::Word(word) => word,
            TreeNode::List(_) => "",
        }
    }

    /// Returns the elements of a list; none for a word.
    pub(super) fn children(&self, node: usize) -> &[usize] {
        match &self.nodes[node] {
            TreeNode::Word(_) => &[],
            TreeNode::List(list) => list,
        }
    }

    /// Returns the first word of a list.
    pub(super) fn head(&self, node: usize) -> &str {
        self.children(node).first().map_or("", |&first| self.spelling(first))
    }
}
