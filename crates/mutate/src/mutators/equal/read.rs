//! Reading laws from text: `(forall ((x S) …) (= L R))`, with `(par (A …) …)` around it if it has sort parameters.
//!
//! A name as an index is a parameter; `m-1`, `2m` and `m+n` are computed. In addition to SMT-LIB terms there are the values
//! `(_ ones m)`, `(_ least m)`, `(_ most m)`, `(_ bv k m)` and `(_ one e s)`. From `;` to the line's end is a comment.

use super::law::{Law, LawBits, LawIndex, LawSort, LawTerm};
use crate::data_file::DataFileProblem;
use smtlib::sexpr::{SexprNode, Sexprs};
use smtlib::{Kind, Scope, SortId, Store, parse_term, theories};

/// How deep the terms of a law may nest, which makes recursion on laws safe.
const MAX_DEPTH: usize = 40;

/// Reads laws; unusable ones are left out and reported. Nothing is proven here.
pub fn read(text: &str) -> (Vec<Law>, Vec<DataFileProblem>) {
    let sexprs = Sexprs::read(text);
    let (mut laws, mut problems) = (Vec::new(), Vec::new());
    if !sexprs.is_whole() {
        problems.push(DataFileProblem { line: 1, reason: "parentheses or quotes do not match".to_string() });
        return (laws, problems);
    }
    for node in sexprs.top() {
        let line = 1 + text[..sexprs.span(node).start].matches('\n').count();
        let mut reader = LawReader { sexprs: &sexprs, law: Law::at(line, sexprs.text(node)) };
        match reader.law(node) {
            Ok(()) => laws.push(reader.law),
            Err(reason) => problems.push(DataFileProblem { line, reason }),
        }
    }
    (laws, problems)
}

impl Law {
    fn at(line: usize, text: &str) -> Law {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let nothing = || LawTerm::Variable(0);
        let (sorts, indices, variables) = (Vec::new(), Vec::new(), Vec::new());
        Law { line, text, sorts, indices, variables, sides: [nothing(), nothing()] }
    }
}

struct LawReader<'r> {
    sexprs: &'r Sexprs<'r>,
    law: Law,
}

impl<'r> LawReader<'r> {
    fn text(&self, node: SexprNode) -> &'r str {
        self.sexprs.text(node)
    }

    fn children(&self, node: SexprNode) -> Vec<SexprNode> {
        self.sexprs.children(node).collect()
    }

    fn law(&mut self, node: SexprNode) -> Result<(), String> {
        let mut node = node;
        if let Some(parts) = self.sexprs.headed(node, "par") {
            let &[names, inner] = &parts[..] else { return Err("expected `(par (A …) (forall …))`".to_string()) };
            self.law.sorts = self.children(names).iter().map(|&n| self.text(n).to_string()).collect();
            node = inner;
        }
        if let Some(parts) = self.sexprs.headed(node, "forall") {
            let &[variables, inner] = &parts[..] else {
                return Err("expected `(forall ((x S) …) (= L R))`".to_string());
            };
            for variable in self.children(variables) {
                let &[name, sort] = &self.children(variable)[..] else {
                    return Err(format!("`{}` is no `(x S)`", self.text(variable)));
                };
                if self.sexprs.is_list(name) {
                    return Err(format!("`{}` is no name", self.text(name)));
                }
                let sort = self.sort(sort)?;
                let name = self.text(name).to_string();
                if self.law.variables.iter().any(|v| v.0 == name) {
                    return Err(format!("`{name}` is bound twice"));
                }
                self.law.variables.push((name, sort));
            }
            node = inner;
        }
        let sides = self.sexprs.headed(node, "=").unwrap_or_default();
        let &[left, right] = &sides[..] else { return Err("expected an equation `(= L R)`".to_string()) };
        self.law.sides = [self.term(left, 0)?, self.term(right, 0)?];
        if self.law.sides[0] == self.law.sides[1] {
            return Err("the two sides are the same".to_string());
        }
        Ok(())
    }

    fn sort(&mut self, node: SexprNode) -> Result<LawSort, String> {
        let text = self.text(node);
        if let Some(number) = self.law.sorts.iter().position(|name| name == text) {
            return Ok(LawSort::Parameter(number));
        }
        let simple = match text {
            "Bool" => Some(SortId::BOOL),
            "Int" => Some(SortId::INT),
            "Real" => Some(SortId::REAL),
            "String" => Some(SortId::STRING),
            "RegLan" => Some(SortId::REGLAN),
            "RoundingMode" => Some(SortId::ROUNDING_MODE),
            _ => None,
        };
        if let Some(sort) = simple {
            return Ok(LawSort::Simple(sort));
        }
        let parts = self.children(node);
        let words = self.sexprs.words(node);
        match words[..] {
            ["_", "BitVec", _] => Ok(LawSort::BitVec(self.index(parts[2])?)),
            ["_", "FloatingPoint", _, _] => Ok(LawSort::Float(self.index(parts[2])?, self.index(parts[3])?)),
            // The parts of an array's sort are parameters or simple: nesting adds nothing that a parameter does not.
            ["Array", index, element] if !index.starts_with("(Array") && !element.starts_with("(Array") => {
                Ok(LawSort::Array(Box::new(self.sort(parts[1])?), Box::new(self.sort(parts[2])?)))
            }
            _ => Err(format!("`{text}` is not a sort of a law; a sort parameter is declared by `(par (A) …)`")),
        }
    }

    /// Returns a sum of numerals and multiples of parameters, such as `2m-k`.
    fn index(&mut self, node: SexprNode) -> Result<LawIndex, String> {
        let text = self.text(node);
        let wrong = || format!("`{text}` is not an index; expected a sum such as `m`, `m-1` or `2m+k`");
        let (mut index, mut rest, mut sign) = (LawIndex::default(), text, 1i64);
        loop {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            let part = &rest[..end];
            let (digits, name) = part.split_at(part.bytes().take_while(u8::is_ascii_digit).count());
            let factor = match digits {
                "" => 1,
                digits => digits.parse::<u32>().map(i64::from).map_err(|_| wrong())?,
            };
            match name {
                "" if digits.is_empty() => return Err(wrong()),
                "" => index.constant += sign * factor,
                name if name.bytes().all(|b| b.is_ascii_alphanumeric()) => {
                    let number = self.parameter(name);
                    index.parts.push((sign * factor, number));
                }
                _ => return Err(wrong()),
            }
            let Some(operator) = rest[end..].chars().next() else { return Ok(index) };
            sign = if operator == '+' { 1 } else { -1 };
            rest = &rest[end + 1..];
        }
    }

    fn parameter(&mut self, name: &str) -> usize {
        let indices = &mut self.law.indices;
        indices.iter().position(|known| known == name).unwrap_or_else(|| {
            indices.push(name.to_string());
            indices.len() - 1
        })
    }

    /// Recursion is at most [`MAX_DEPTH`] deep.
    fn term(&mut self, node: SexprNode, depth: usize) -> Result<LawTerm, String> {
        if depth > MAX_DEPTH {
            return Err(format!("a term is nested deeper than {MAX_DEPTH}"));
        }
        let text = self.text(node);
        if !self.sexprs.is_list(node) {
            return self.atom(text);
        }
        let parts = self.children(node);
        if let Some(value) = self.value(node, &parts)? {
            return Ok(value);
        }
        if let ["_", name, ..] = self.sexprs.words(node)[..] {
            return self.application(name, &parts[2..], &[], depth);
        }
        let Some((&head, args)) = parts.split_first() else { return Err("`()` is no term".to_string()) };
        let inner = self.children(head);
        match self.sexprs.words(head)[..] {
            _ if !self.sexprs.is_list(head) => self.application(self.text(head), &[], args, depth),
            ["_", name, ..] => self.application(name, &inner[2..], args, depth),
            ["as", "const", _] => {
                let sort = self.sort(inner[2])?;
                let &[element] = args else { return Err(format!("`{text}` takes one argument")) };
                Ok(LawTerm::ConstArray(sort, Box::new(self.term(element, depth + 1)?)))
            }
            _ => Err(format!("`{}` is not an operator of a law", self.text(head))),
        }
    }

    /// Returns a value at a width or format; `None` if the term is something else.
    fn value(&mut self, node: SexprNode, parts: &[SexprNode]) -> Result<Option<LawTerm>, String> {
        let words = self.sexprs.words(node);
        let bits = match words[..] {
            ["_", "ones", _] => LawBits::Ones,
            ["_", "least", _] => LawBits::Least,
            ["_", "most", _] => LawBits::Most,
            ["_", "bv", _, _] => {
                let number = self.index(parts[2])?;
                return Ok(Some(LawTerm::Bits(LawBits::Number(number), self.index(parts[3])?)));
            }
            ["_", "one", _, _] => {
                return Ok(Some(LawTerm::FloatOne(self.index(parts[2])?, self.index(parts[3])?)));
            }
            ["_", name, _] => match name.strip_prefix("bv").and_then(|digits| digits.parse::<u32>().ok()) {
                Some(n) => LawBits::Number(LawIndex { constant: i64::from(n), parts: Vec::new() }),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(LawTerm::Bits(bits, self.index(parts[2])?)))
    }

    fn atom(&self, text: &str) -> Result<LawTerm, String> {
        if let Some(number) = self.law.variables.iter().position(|v| v.0 == text) {
            return Ok(LawTerm::Variable(number));
        }
        let kinds = kinds(text, 0, 0);
        if !kinds.is_empty() {
            return Ok(LawTerm::Application { kinds, indices: Vec::new(), args: Vec::new() });
        }
        let mut store = Store::new();
        let mut scope = Scope::new(&store);
        let literal = parse_term(&mut store, &mut scope, text).ok().and_then(|t| store.constant(t).cloned());
        literal.map(LawTerm::Literal).ok_or_else(|| format!("`{text}` is neither a variable nor a value"))
    }

    fn application(
        &mut self,
        name: &str,
        indices: &[SexprNode],
        args: &[SexprNode],
        depth: usize,
    ) -> Result<LawTerm, String> {
        let kinds = kinds(name, indices.len(), args.len());
        if kinds.is_empty() {
            return Err(format!(
                "`{name}` is not an operator of a standard theory with {} indices and {} arguments",
                indices.len(),
                args.len()
            ));
        }
        let indices = indices.iter().map(|&i| self.index(i)).collect::<Result<_, _>>()?;
        let args = args.iter().map(|&a| self.term(a, depth + 1)).collect::<Result<_, _>>()?;
        Ok(LawTerm::Application { kinds, indices, args })
    }
}

/// Returns the operators of a name with this number of indices and arguments.
fn kinds(name: &str, indices: usize, args: usize) -> Vec<Kind> {
    theories::rows()
        .filter(|row| row.name == name && usize::from(row.indices) == indices && row.takes(args))
        .map(|row| row.kind)
        .collect()
}
