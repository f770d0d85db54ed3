//! A theory as data: a TOML file of sorts with their encodings, and of operators with their meanings.
//!
//! The file becomes a command `(set-info :squall-theory "…")`, which every script over the theory begins with.

mod consistent;
mod order;

use serde::Deserialize;
use smtlib::sexpr::{self, Sexprs};
use smtlib::{Command, Scope, Sort, Store, parse_commands, parse_sort, theories};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// A part of the file.
type TheoryPart = Spanned<String>;

/// A theory file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TheoryDocument {
    datatypes: Option<TheoryPart>,
    #[serde(default, rename = "sort")]
    sorts: Vec<SortEntry>,
    #[serde(default, rename = "operator")]
    operators: Vec<OperatorEntry>,
    #[serde(default, rename = "law")]
    laws: Vec<LawEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SortEntry {
    name: TheoryPart,
    encoding: TheoryPart,
    range: Option<(i64, i64)>,
    values: Option<Vec<TheoryPart>>,
    #[serde(default)]
    names: BTreeMap<String, TheoryPart>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperatorEntry {
    name: TheoryPart,
    #[serde(default = "nothing")]
    arguments: TheoryPart,
    result: TheoryPart,
    meaning: TheoryPart,
    open: Option<TheoryPart>,
    #[serde(default)]
    names: BTreeMap<String, TheoryPart>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LawEntry {
    holds: TheoryPart,
}

impl SortEntry {
    /// Whether only some values of the encoding are of the sort.
    fn is_listed(&self) -> bool {
        self.values.is_some() || self.range.is_some()
    }
}

fn nothing() -> TheoryPart {
    Spanned::new(0..0, String::new())
}

/// What is wrong with a theory file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TheoryError {
    span: Range<usize>,
    message: String,
    help: String,
}

/// Returns the error at a part of a file.
fn fail<T>(part: &TheoryPart, message: impl Into<String>, help: impl Into<String>) -> Result<T, TheoryError> {
    Err(TheoryError { span: part.span(), message: message.into(), help: help.into() })
}

impl TheoryError {
    /// Returns `FILE:LINE:COLUMN: error: …` with the line, and what to do.
    pub fn render(&self, path: &str, source: &str) -> String {
        let text = smtlib::error::underlined(path, source, self.span.clone(), &format!("error: {}", self.message));
        if self.help.is_empty() { text } else { format!("{text}\n  = {}", self.help) }
    }
}

/// Reads a theory file. Returns the command that declares the theory in a script, with a line end.
/// Errors: the first mistake: no TOML, an unknown name, an ill-sorted or endless meaning, a sort of too many values, a false law.
pub fn read(source: &str) -> Result<String, TheoryError> {
    let document: TheoryDocument = toml::from_str(source).map_err(|error| TheoryError {
        span: error.span().unwrap_or(0..0),
        message: error.message().to_string(),
        help: "a theory file has tables [[sort]], [[operator]] and [[law]]".to_string(),
    })?;
    let mut reading = Reading { source, store: Store::new(), text: String::new() };
    reading.document(&document)?;
    Ok(command(&reading.text))
}

/// Whether a text is the command that declares a theory, without mistakes.
pub fn is_command(text: &str) -> bool {
    let parsed = smtlib::parse(&mut Store::new(), text);
    parsed.errors.is_empty() && matches!(parsed.script.commands[..], [Command::Theory(_)])
}

fn command(definitions: &str) -> String {
    format!("(set-info {} \"{}\")\n", smtlib::THEORY, definitions.replace('"', "\"\""))
}

/// A file while it is read.
struct Reading<'s> {
    source: &'s str,
    store: Store,
    /// The definitions so far.
    text: String,
}

/// Definitions, with the parts of the file that they are made of.
#[derive(Default)]
struct Pieces<'d> {
    text: String,
    parts: Vec<(Range<usize>, &'d TheoryPart)>,
}

impl<'d> Pieces<'d> {
    fn literal(mut self, text: &str) -> Pieces<'d> {
        self.text.push_str(text);
        self
    }

    fn part(mut self, part: &'d TheoryPart) -> Pieces<'d> {
        let start = self.text.len();
        self.text.push_str(&one_line(part.get_ref()));
        self.parts.push((start..self.text.len(), part));
        self
    }
}

/// Returns a text without comments and line ends, as long as before.
fn one_line(text: &str) -> String {
    let atoms: Vec<Range<usize>> = sexpr::atoms(text).collect();
    let mut is_comment = false;
    let one = |(at, c): (usize, char)| {
        let is_gap = !atoms.iter().any(|atom| atom.contains(&at));
        is_comment = is_gap && c != '\n' && (is_comment || c == ';');
        if is_comment || is_gap && c.is_whitespace() { " ".repeat(c.len_utf8()) } else { c.to_string() }
    };
    text.char_indices().map(one).collect()
}

impl Reading<'_> {
    fn document(&mut self, document: &TheoryDocument) -> Result<(), TheoryError> {
        self.names(document)?;
        let mut scope = Scope::new(&self.store);
        if let Some(datatypes) = &document.datatypes {
            self.add(&mut scope, Pieces::default().part(datatypes), datatypes)?;
        }
        for sort in order::sorts(&document.sorts)? {
            whole(&sort.encoding)?;
            let codec = consistent::listed(sort)?.map_or(String::new(), |values| codec(sort, &values));
            let pieces = Pieces::default().literal(&codec).literal("(define-sort ").part(&sort.name).literal(" () ");
            self.add(&mut scope, pieces.part(&sort.encoding).literal(")"), &sort.encoding)?;
        }
        for operator in order::operators(&document.operators)? {
            let has_codec = |sort: &&SortEntry| sort.name.get_ref() == operator.result.get_ref() && sort.is_listed();
            let pieces = definition(operator, document.sorts.iter().find(has_codec))?;
            self.add(&mut scope, pieces, &operator.meaning)?;
        }
        let sorts = document.sorts.iter().map(|sort| (&sort.name, &sort.names));
        let operators = document.operators.iter().map(|operator| (&operator.name, &operator.names));
        for (name, (solver, other)) in sorts.chain(operators).flat_map(|(n, all)| all.iter().map(move |o| (n, o))) {
            let [solver, name, other] = [solver, name.get_ref(), other.get_ref()].map(|name| symbol(name));
            self.text.push_str(&format!("(set-info :names ({solver} ({name} {other})))"));
        }
        consistent::check(&self.text, document)
    }

    /// Checks that every name is one, is new, and is defined once.
    fn names(&mut self, document: &TheoryDocument) -> Result<(), TheoryError> {
        let mut known: Vec<(&str, Option<String>)> = Vec::new();
        let sorts = document.sorts.iter().map(|sort| (&sort.name, None, &sort.names));
        let operators = document.operators.iter().map(|operator| {
            let sorts = pairs(&operator.arguments).map(|all| all.into_iter().map(|(_, sort)| sort + " ").collect());
            sorts.map(|sorts| (&operator.name, Some(sorts), &operator.names))
        });
        for entry in sorts.map(Ok).chain(operators) {
            let (name, rank, others) = entry?;
            [name].into_iter().chain(others.values()).try_for_each(|name| self.name(name, rank.is_none()))?;
            if known.contains(&(name.get_ref(), rank.clone())) {
                let message = format!("`{}` is defined twice", name.get_ref());
                return fail(name, message, "keep one definition, or choose another name");
            }
            known.push((name.get_ref(), rank));
        }
        Ok(())
    }

    fn name(&mut self, part: &TheoryPart, is_sort: bool) -> Result<(), TheoryError> {
        let name = part.get_ref();
        let plain = if is_sort { name } else { base(name).unwrap_or(name) };
        if symbol(plain) != plain || plain.contains('!') {
            let help = "expected a symbol without `!`; an operator may have indices, as in `(_ rotate 3)`";
            return fail(part, format!("`{name}` is no name"), help);
        }
        let aliases = theories::THEORIES.iter().flat_map(|theory| theory.aliases).map(|alias| alias.0);
        let mut own = theories::rows().map(|row| row.name).chain(aliases).chain(["const", "is", "update"]);
        let is_known = match parse_sort(&mut self.store, &mut Scope::new(&Store::new()), name) {
            _ if !is_sort => own.any(|known| known == plain),
            Ok(sort) => !matches!(self.store.sorts.get(sort), Sort::Extension(..)),
            Err(error) => !error.message.starts_with("unknown sort"),
        };
        if is_known {
            let message = format!("`{name}` is a name of a standard theory");
            return fail(part, message, "choose another name; scripts would change their meaning");
        }
        Ok(())
    }

    /// Reads definitions over the encodings, and adds them; `place` is where an error is that is in no part.
    fn add(&mut self, scope: &mut Scope, pieces: Pieces<'_>, place: &TheoryPart) -> Result<(), TheoryError> {
        let parsed = parse_commands(&mut self.store, scope, &pieces.text);
        if let Some(error) = parsed.errors.first() {
            let part =
                pieces.parts.iter().find(|(range, _)| range.start <= error.span.start && error.span.start <= range.end);
            let span = part.map_or(place.span(), |(range, part)| {
                // The text of a part is in the file as it is, unless it has escapes.
                let written = self.source.get(part.span()).and_then(|written| written.find(part.get_ref().as_str()));
                let start = written.map(|start| part.span().start + start + error.span.start - range.start);
                start.map_or(part.span(), |start| start..start + error.span.len())
            });
            let help = error.help.clone().filter(|help| !help.starts_with("declare it"));
            let help = help
                .unwrap_or_else(|| "only names of the standard, of the arguments and of this file are known".into());
            return Err(TheoryError { span, message: error.message.clone(), help });
        }
        if parsed.script.commands.iter().any(|command| matches!(command, Command::Opaque(..))) {
            let message = "this uses a solver's own theory, of which no meaning is known";
            return fail(place, message, "write it with names of the standard and of this file");
        }
        self.text.push_str(&pieces.text);
        Ok(())
    }
}

/// Returns the definition of an operator. One that is open somewhere has the value of a selector on another constructor there, which
/// the standard leaves open, too.
fn definition<'d>(operator: &'d OperatorEntry, listed: Option<&SortEntry>) -> Result<Pieces<'d>, TheoryError> {
    let OperatorEntry { arguments, result, meaning, .. } = operator;
    [Some(result), Some(meaning), operator.open.as_ref()].into_iter().flatten().try_for_each(whole)?;
    let all = pairs(arguments)?;
    let head = format!("(define-fun {} (", symbol(operator.name.get_ref()));
    let Some(open) = &operator.open else {
        let pieces = Pieces::default().literal(&head).part(arguments).literal(") ").part(result);
        return Ok(pieces.literal(" ").part(meaning).literal(")"));
    };
    let sorts: String = all.iter().map(|(_, sort)| format!(" {sort}")).collect();
    let part = |what: &str| symbol(&format!("{}{sorts}!{what}", operator.name.get_ref()).replace('|', ""));
    let fields: String =
        all.iter().enumerate().map(|(n, (_, sort))| format!(" ({} {sort})", part(&n.to_string()))).collect();
    let names: String = all.iter().map(|(name, _)| format!(" {name}")).collect();
    let at = if all.is_empty() { part("at") } else { format!("({}{names})", part("at")) };
    let [datatype, is, value] = ["open", "is", "value"].map(part);
    let start = format!("(declare-datatypes (({datatype} 0)) ((({} {fields}) ({is} ({value} ", part("at"));
    // Of a sort with listed values the choice is one of these.
    let pieces = Pieces::default().literal(&start);
    let (pieces, choice) = match listed.map(|sort| sort.name.get_ref()) {
        None => (pieces.part(result), format!("({value} {at})")),
        Some(sort) => (pieces.literal(&format!("{sort}!code")), format!("({sort}!decode ({value} {at}))")),
    };
    let pieces = pieces.literal(&format!("))))){head}")).part(arguments).literal(") ").part(result);
    Ok(pieces.literal(" (ite ").part(open).literal(&format!(" {choice} ")).part(meaning).literal("))"))
}

/// Returns the datatype that numbers the listed values of a sort, and the functions from it to the encoding and back.
fn codec(sort: &SortEntry, values: &[String]) -> String {
    let (name, encoding) = (sort.name.get_ref(), one_line(sort.encoding.get_ref()));
    let codes: String = (0..values.len()).map(|n| format!("({name}!{n})")).collect();
    // The first value stands for all others, which no operator has as a result.
    let chain = |case: &dyn Fn(usize) -> String, last: &str| {
        (1..values.len()).map(case).collect::<String>() + last + &")".repeat(values.len() - 1)
    };
    let decode = chain(&|n| format!("(ite (= x {name}!{n}) {} ", values[n]), &values[0]);
    let encode = chain(&|n| format!("(ite (= x {}) {name}!{n} ", values[n]), &format!("{name}!0"));
    format!(
        "(declare-datatypes (({name}!code 0)) (({codes})))(define-fun {name}!decode ((x {name}!code)) {encoding} {decode})\
         (define-fun {name}!encode ((x {encoding})) {name}!code {encode})"
    )
}

/// Returns the names of arguments with their sorts.
fn pairs(arguments: &TheoryPart) -> Result<Vec<(String, String)>, TheoryError> {
    let sexprs = Sexprs::read(arguments.get_ref());
    let pair = |pair| match sexprs.children(pair).map(|node| sexprs.text(node)).collect::<Vec<_>>()[..] {
        [name, sort] if sexprs.is_list(pair) => Some((name.to_string(), sort.to_string())),
        _ => None,
    };
    let all = sexprs.top().map(pair).collect::<Option<Vec<_>>>().filter(|_| sexprs.is_whole());
    all.map_or_else(|| fail(arguments, "these are no arguments", "expected names with sorts, as in `(x S) (y T)`"), Ok)
}

/// Checks that a part is one expression, so that it cannot end the command around it.
fn whole(part: &TheoryPart) -> Result<(), TheoryError> {
    match sexpr::is_one(part.get_ref()) {
        true => Ok(()),
        false => fail(part, "this is not one expression", "write one term or sort, and close what is opened"),
    }
}

/// Returns the plain name in `(_ name i …)`.
fn base(name: &str) -> Option<&str> {
    let (base, indices) = name.strip_prefix("(_ ")?.strip_suffix(')')?.split_once(' ')?;
    indices.split(' ').all(|index| index.parse::<u32>().is_ok()).then_some(base)
}

/// Returns a name as a symbol, in bars where it needs them.
fn symbol(name: &str) -> String {
    let mut out = String::new();
    smtlib::printer::quote_symbol(name, &mut out);
    out
}
