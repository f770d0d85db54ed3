//! Fusion functions as data: z = f(x, y) with x = g(y, z) and y = h(x, z), in blocks of SMT-LIB between `#begin` and `#end`.
//!
//! The format is yinyang's `fusion_functions.txt`, extended by: sort parameters `(declare-sort A 0)`, widths and other
//! indices as letters (`(_ BitVec n)`, `n-1`, `2n`, `n+m`), drawn indices `(declare-index k n)` (0 ≤ k < n), several random
//! constants (`c`, `c1`, …), further fresh symbols and datatypes, and conditions as further assertions.

use crate::data_file::DataFileProblem;
use rustc_hash::FxHashMap;
use smtlib::sexpr::{SexprNode, Sexprs};

/// The project's own fusion functions.
pub const DEFAULT: &str = include_str!("../../../data/fusion_functions.txt");

/// One fusion function with its inversions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FusionFunction {
    /// The line its block begins at, from 1.
    pub line: usize,
    /// The sorts of x, y and z, with parameters.
    pub sorts: [String; 3],
    /// Sort parameters.
    pub parameters: Vec<String>,
    /// Random constants and their sorts.
    pub constants: Vec<(String, String)>,
    /// Drawn indices, each with its bound.
    pub indices: Vec<(String, String)>,
    /// Commands that declare further fresh symbols.
    pub declarations: Vec<String>,
    /// Their names.
    pub fresh: Vec<String>,
    /// f(x, y), g(y, z) and h(x, z).
    pub terms: [String; 3],
    /// Conditions that the inversions need.
    pub conditions: Vec<String>,
}

/// Values of a function's parameters: sorts by their text, indices as numerals.
pub type ParameterValues = FxHashMap<String, String>;

/// Reads blocks; unusable ones are left out and reported.
pub fn read(text: &str) -> (Vec<FusionFunction>, Vec<DataFileProblem>) {
    let (mut functions, mut problems) = (Vec::new(), Vec::new());
    let mut block: Option<(usize, String)> = None;
    for (n, line) in text.lines().enumerate() {
        let number = n + 1;
        match (line.trim(), &mut block) {
            ("#begin", Some((start, _))) => {
                problems.push(DataFileProblem { line: *start, reason: "the block has no `#end`".to_string() });
                block = Some((number, String::new()));
            }
            ("#begin", None) => block = Some((number, String::new())),
            ("#end", Some(_)) => {
                if let Some((start, body)) = block.take() {
                    match read_block(start, &body) {
                        Ok(function) => functions.push(function),
                        Err(problem) => problems.push(problem),
                    }
                }
            }
            ("#end", None) => {
                problems.push(DataFileProblem { line: number, reason: "`#end` without `#begin`".to_string() });
            }
            (_, Some((_, body))) => {
                body.push_str(line);
                body.push('\n');
            }
            (rest, None) if rest.is_empty() || rest.starts_with(';') => {}
            (_, None) => {
                problems
                    .push(DataFileProblem { line: number, reason: "text outside of `#begin` and `#end`".to_string() });
            }
        }
    }
    if let Some((start, _)) = block {
        problems.push(DataFileProblem { line: start, reason: "the block has no `#end`".to_string() });
    }
    (functions, problems)
}

fn read_block(start: usize, body: &str) -> Result<FusionFunction, DataFileProblem> {
    let whole = |reason: &str| DataFileProblem { line: start, reason: reason.to_string() };
    let sexprs = Sexprs::read_whole(body).ok_or_else(|| whole("parentheses or quotes of the block do not match"))?;
    let mut function = FusionFunction {
        line: start,
        sorts: Default::default(),
        parameters: Vec::new(),
        constants: Vec::new(),
        indices: Vec::new(),
        declarations: Vec::new(),
        fresh: Vec::new(),
        terms: Default::default(),
        conditions: Vec::new(),
    };
    let mut asserted = 0;
    for command in sexprs.top() {
        let at = sexprs.span(command).start;
        let line = start + 1 + body[..at].matches('\n').count();
        let fail = |reason: String| DataFileProblem { line, reason };
        let parts: Vec<SexprNode> = sexprs.children(command).collect();
        let words = sexprs.words(command);
        let own = || sexprs.text(command).to_string();
        match words[..] {
            ["declare-const", name, sort] | ["declare-fun", name, "()", sort] => match name {
                "x" => function.sorts[0] = sort.to_string(),
                "y" => function.sorts[1] = sort.to_string(),
                "z" => function.sorts[2] = sort.to_string(),
                _ if name.starts_with('c') && name[1..].bytes().all(|b| b.is_ascii_digit()) => {
                    function.constants.push((name.to_string(), sort.to_string()));
                }
                _ => {
                    function.declarations.push(own());
                    function.fresh.push(name.to_string());
                }
            },
            ["declare-fun", name, _, _] => {
                function.declarations.push(own());
                function.fresh.push(name.to_string());
            }
            ["declare-sort", name] | ["declare-sort", name, "0"] => function.parameters.push(name.to_string()),
            ["declare-index", name, bound] => function.indices.push((name.to_string(), bound.to_string())),
            ["declare-datatype", name, _] => {
                function.declarations.push(own());
                function.fresh.push(name.to_string());
                for constructor in sexprs.children(parts[2]) {
                    for (n, part) in sexprs.children(constructor).enumerate() {
                        let named = if n == 0 { Some(part) } else { sexprs.children(part).next() };
                        function.fresh.extend(named.map(|p| sexprs.text(p).to_string()));
                    }
                }
            }
            ["assert", formula] if asserted >= 3 => function.conditions.push(formula.to_string()),
            ["assert", _] => {
                let name = ["z", "x", "y"][asserted];
                let sides = sexprs.headed(parts[1], "=").unwrap_or_default();
                let &[left, right] = &sides[..] else {
                    return Err(fail(format!("assertion {} must be `(= {name} …)` with two sides", asserted + 1)));
                };
                if sexprs.text(left) != name {
                    return Err(fail(format!("assertion {} must be `(= {name} …)`", asserted + 1)));
                }
                function.terms[asserted] = sexprs.text(right).to_string();
                asserted += 1;
            }
            _ => return Err(fail(format!("`{}` is not a command of a fusion function", own()))),
        }
    }
    if asserted < 3 {
        return Err(whole("the block needs three assertions: for z, for x and for y"));
    }
    match function.sorts.iter().position(String::is_empty) {
        Some(n) => Err(whole(&format!("`{}` is not declared", ["x", "y", "z"][n]))),
        None => Ok(function),
    }
}

impl FusionFunction {
    /// Whether the function is fully polymorphic.
    pub fn is_generic(&self) -> bool {
        self.parameters.contains(&self.sorts[0])
    }

    /// Returns the values of its parameters for x and y of these sorts, given as text; `None` if they do not match.
    pub fn bind(&self, x: &str, y: &str) -> Option<ParameterValues> {
        let mut bindings = ParameterValues::default();
        for (pattern, sort) in self.sorts.iter().zip([x, y]) {
            let (p, s) = (Sexprs::read_whole(pattern)?, Sexprs::read_whole(sort)?);
            if !self.matches((&p, p.top().next()?), (&s, s.top().next()?), false, &mut bindings) {
                return None;
            }
        }
        Some(bindings)
    }

    /// Recursion is as deep as the pattern.
    fn matches(
        &self,
        (p, at): (&Sexprs<'_>, SexprNode),
        (s, node): (&Sexprs<'_>, SexprNode),
        indexed: bool,
        bindings: &mut ParameterValues,
    ) -> bool {
        let (wanted, given) = (p.text(at), s.text(node));
        if p.is_list(at) {
            let parts: Vec<SexprNode> = p.children(at).collect();
            let given: Vec<SexprNode> = s.children(node).collect();
            let indexed = parts.first().is_some_and(|&h| p.text(h) == "_");
            return s.is_list(node)
                && parts.len() == given.len()
                && parts.into_iter().zip(given).all(|(a, b)| self.matches((p, a), (s, b), indexed, bindings));
        }
        let numeral = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let variable =
            self.parameters.iter().any(|name| name == wanted) || (indexed && !numeral(wanted) && numeral(given));
        if variable {
            return bindings.entry(wanted.to_string()).or_insert_with(|| given.to_string()) == given;
        }
        wanted == given
    }
}

/// Returns a text with names replaced and index expressions (`2n-1`, `n+m`) computed.
pub fn substitute(text: &str, bindings: &ParameterValues) -> Option<String> {
    let sexprs = Sexprs::read_whole(text)?;
    let mut out = String::with_capacity(text.len() + 32);
    let mut at = 0;
    for span in sexprs.atoms() {
        let atom = &text[span.clone()];
        let new = match bindings.get(atom) {
            Some(value) => value.clone(),
            None => match evaluate(atom, bindings) {
                Some(value) => value.to_string(),
                None => continue,
            },
        };
        out.push_str(&text[at..span.start]);
        out.push_str(&new);
        at = span.end;
    }
    out.push_str(&text[at..]);
    Some(out)
}

/// Returns a sum of numerals and multiples of bound indices, such as `2n-k`; `None` if the atom is something else.
pub fn evaluate(atom: &str, bindings: &ParameterValues) -> Option<u64> {
    let (mut total, mut rest, mut sign) = (0i64, atom, 1);
    let mut names = 0;
    loop {
        let end = rest.find(['+', '-']).unwrap_or(rest.len());
        let part = &rest[..end];
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (factor, name) = part.split_at(digits);
        let factor: i64 = if factor.is_empty() { 1 } else { factor.parse().ok()? };
        let value: i64 = match name {
            "" if digits == 0 => return None,
            "" => 1,
            name => {
                names += 1;
                bindings.get(name)?.parse().ok()?
            }
        };
        total = total.checked_add(sign * factor.checked_mul(value)?)?;
        let Some(operator) = rest[end..].chars().next() else { break };
        sign = if operator == '+' { 1 } else { -1 };
        rest = &rest[end + 1..];
    }
    (names > 0).then(|| u64::try_from(total).ok()).flatten()
}
