//! Commands.

use super::beyond::ABOUT_TERMS;
use super::reader::{Parser, shorten};
use crate::decl::{Func, FuncBody};
use crate::error::Error;
use crate::error::suggestion;
use crate::extension_commands::{OpaqueReason, is_extension};
use crate::lexer::{Lexer, Token, TokenKind};
use crate::names::{BOOLEAN_OPTIONS, COMMANDS, ERROR_NEXT, NUMERAL_OPTIONS, THEORY};
use crate::op::Kind;
use crate::script::Command;
use crate::sort::{Sort, SortId};
use crate::standard::{Binding, SortBinding};
use crate::symbol::Symbol;
use crate::term::TermId;
use crate::theories::heaps;

/// Standard queries whose text is all that matters.
const QUERIES: &[&str] = &[
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
];

/// Solvers' own queries, whose text is all that matters if they have no argument.
const OWN_QUERIES: &[&str] = &["get-abduct-next", "get-interpolant-next", "get-objectives"];

/// The maximum size of a tactic, in bytes, after expanding names.
const MAX_TACTIC: usize = 1 << 16;

impl Parser<'_> {
    /// Parses the next command, and where it begins; `None` at the end of the text.
    pub(super) fn command(&mut self) -> Result<Option<(Command, usize)>, Error> {
        let open = self.next()?;
        match open.kind {
            TokenKind::End => return Ok(None),
            TokenKind::Open => {}
            TokenKind::Close => return Err(self.unexpected(open, "a command; there is one `)` too many")),
            _ => return Err(self.unexpected(open, "a command, which begins with `(`")),
        }
        let word = self.next()?;
        if word.kind != TokenKind::Symbol {
            return Err(self.unexpected(word, "the name of a command"));
        }
        let name = self.text(word);
        match self.command_body(name, word) {
            Ok(Some(command)) => {
                self.expect(TokenKind::Close, "`)` after the command")?;
                Ok(Some((command, open.start)))
            }
            Ok(None) => self.opaque(open, OpaqueReason::Command).map(|command| Some((command, open.start))),
            Err(error) if error.opaque => {
                self.unwind();
                self.opaque(open, OpaqueReason::Theory).map(|command| Some((command, open.start)))
            }
            Err(error) => Err(error),
        }
    }

    /// Carries the command as text. The names it declares are unknown from now on.
    fn opaque(&mut self, open: Token, reason: OpaqueReason) -> Result<Command, Error> {
        self.lexer.seek(open.end);
        self.skip_to_close(open)?;
        let end = self.lexer.position();
        self.lexer.seek(open.end);
        let is_new = self.bind_opaque(end)?;
        if reason == OpaqueReason::Theory {
            self.scope.begin();
        }
        let reason = if is_new { reason } else { OpaqueReason::Redeclaration };
        Ok(Command::Opaque(self.source[open.start..end].into(), reason))
    }

    /// Marks the names that the command up to `end` declares: the name after the command's word, or those at the head of the first one
    /// or two lists (`((T 0)) (((c (s Int))))`), and every `:named` one. Marking too many names only carries more commands as text.
    /// False if one of them already has another meaning.
    fn bind_opaque(&mut self, end: usize) -> Result<bool, Error> {
        let word = self.next()?;
        let word = self.text(word);
        let declares = word.starts_with("declare-") && word != "declare-tactic"
            || word.starts_with("define-")
            || word.starts_with("synth-");
        let (mut depth, mut before) = (0u32, TokenKind::Keyword);
        let (mut is_name, mut is_new) = (false, true);
        while self.lexer.position() < end {
            let token = self.next()?;
            match token.kind {
                TokenKind::Open => depth = depth.saturating_add(1),
                TokenKind::Close => depth = depth.saturating_sub(1),
                TokenKind::Symbol | TokenKind::Quoted => {
                    let plural = word.ends_with("datatypes") || word.ends_with("datatype") || word.contains("funs");
                    let declared = declares && (before == TokenKind::Keyword || plural && before == TokenKind::Open);
                    if is_name || declared {
                        is_new &= self.mark_opaque(token, declared);
                    }
                }
                _ => {}
            }
            is_name = token.kind == TokenKind::Keyword && self.text(token) == ":named";
            before = if token.kind == TokenKind::Keyword { TokenKind::Numeral } else { token.kind };
        }
        Ok(is_new)
    }

    /// Marks the names that the failed command from `start` on would have declared: later uses of these names are not further errors.
    pub(super) fn bind_failed(&mut self, start: usize) {
        let end = self.lexer.position();
        self.lexer.seek(start);
        if self.next().is_ok_and(|open| open.kind == TokenKind::Open) {
            // Invalid tokens have already been reported.
            let _ = self.bind_opaque(end);
        }
        self.lexer.seek(end);
    }

    /// Whether the name had no other meaning.
    fn mark_opaque(&mut self, token: Token, may_be_sort: bool) -> bool {
        let symbol = self.store.symbols.intern(self.name_of(token));
        let is_new = matches!(self.scope.get(symbol), Binding::Unbound | Binding::Opaque)
            && (!may_be_sort || matches!(self.scope.sort(symbol), SortBinding::Unbound | SortBinding::Extension));
        if self.scope.get(symbol) == Binding::Unbound {
            self.scope.declare(symbol, Binding::Opaque);
        }
        if may_be_sort && self.scope.sort(symbol) == SortBinding::Unbound {
            self.scope.declare_sort(symbol, SortBinding::Extension);
        }
        is_new
    }

    /// Reads the part between a command's name and its `)`; `None` for a solver's own command.
    pub(super) fn command_body(&mut self, name: &str, at: Token) -> Result<Option<Command>, Error> {
        let command = match name {
            "assert" => {
                let start = self.peek()?;
                let t = self.boolean(start)?;
                Command::Assert(t, self.outer_name.take())
            }
            _ if ABOUT_TERMS.contains(&name) => match self.about_term(name) {
                Ok(command) => command,
                // Another solver may write it otherwise.
                Err(_) => {
                    self.unwind();
                    return Ok(None);
                }
            },
            "declare-rel" | "declare-var" | "rule" | "query" => match self.of_rules(name) {
                Ok(Some(command)) => command,
                Ok(None) => return Ok(None),
                Err(error) if error.opaque => return Err(error),
                Err(_) => {
                    self.unwind();
                    return Ok(None);
                }
            },
            "check-sat" if self.peek()?.kind != TokenKind::Close => Command::CheckSatAssuming(self.booleans()?),
            "check-sat" => Command::CheckSat,
            "check-sat-assuming" => {
                self.expect(TokenKind::Open, "the assumptions: (l …)")?;
                let terms = self.booleans()?;
                self.expect(TokenKind::Close, "`)`")?;
                Command::CheckSatAssuming(terms)
            }
            "check-sat-using" => {
                let tactic = self.skip_expression("a tactic")?;
                while self.peek()?.kind != TokenKind::Close {
                    self.skip_expression("a parameter")?;
                }
                Command::CheckSatUsing(self.with_declared_tactics(tactic).into())
            }
            "declare-tactic" => {
                let (name, _) = self.symbol("the name of the tactic")?;
                let tactic = self.skip_expression("a tactic")?;
                let tactic = self.with_declared_tactics(tactic);
                self.scope.tactics.insert(name, tactic.into());
                return Ok(None);
            }
            "declare-const" => {
                let (name, at) = self.symbol("the name of the constant")?;
                let sort = self.sort()?;
                self.declare_fun(name, at, Vec::new(), sort)?
            }
            "declare-fun" => {
                let (name, at) = self.symbol("the name of the function")?;
                self.expect(TokenKind::Open, "the sorts of the arguments: (S …)")?;
                let mut params = Vec::new();
                while self.peek()?.kind != TokenKind::Close {
                    params.push(self.sort()?);
                }
                self.next()?;
                let sort = self.sort()?;
                self.declare_fun(name, at, params, sort)?
            }
            "declare-sort" => {
                let (name, at) = self.symbol("the name of the sort")?;
                let arity = if self.peek()?.kind == TokenKind::Close { 0 } else { self.index("an arity")? };
                self.new_sort_name(name, at)?;
                self.scope.declare_sort(name, SortBinding::Declared(arity));
                Command::DeclareSort(name, arity)
            }
            "declare-sort-parameter" => {
                let (name, at) = self.symbol("the name of the sort parameter")?;
                self.new_sort_name(name, at)?;
                let sort = self.store.sorts.intern(Sort::Parameter(name));
                self.scope.declare_sort(name, SortBinding::Simple(sort));
                Command::DeclareSortParameter(name)
            }
            "declare-heap" => {
                self.expect(TokenKind::Open, "the sorts of the heap: (LOCATION DATA)")?;
                let heap = (self.sort()?, self.sort()?);
                self.expect(TokenKind::Close, "`)`")?;
                // Other declarations of heaps are carried as text.
                if self.peek()?.kind != TokenKind::Close || self.scope.heap.is_some() || !self.scope.is_outermost() {
                    return Ok(None);
                }
                self.scope.heap = Some(heap);
                let name = self.store.symbols.intern(heaps::name(Kind::SepEmp).unwrap_or_default());
                let empty = self.store.heap_term(Kind::SepEmp, heap, &[]);
                self.scope.declare(name, Binding::Term(empty.map_err(|e| Error::new(at.span(), e.to_string()))?));
                Command::DeclareHeap(heap.0, heap.1)
            }
            "define-sort" => self.define_sort()?,
            "declare-datatypes" => self.declare_datatypes()?,
            "declare-datatype" => self.declare_datatype()?,
            "define-fun" => self.define_fun(true)?,
            "define-const" => self.define_fun(false)?,
            "define-fun-rec" => self.define_fun_rec()?,
            "define-funs-rec" => self.define_funs_rec()?,
            "echo" => {
                let token = self.expect(TokenKind::String, "a string")?;
                let text = self.text(token);
                // Echoed text is not a value of the Strings theory: it has no escapes.
                let inside = text[1..text.len() - 1].replace("\"\"", "\"");
                Command::Echo(inside.chars().map(u32::from).collect())
            }
            "exit" => Command::Exit,
            "get-model" => Command::GetModel,
            "get-value" => {
                self.expect(TokenKind::Open, "the terms: (t …)")?;
                // At least one (SMT-LIB 2.7, section 4.2.6).
                let mut terms = vec![self.term()?];
                while self.peek()?.kind != TokenKind::Close {
                    terms.push(self.term()?);
                }
                self.next()?;
                Command::GetValue(terms.into())
            }
            "pop" => {
                let token = self.peek()?;
                let n = if token.kind == TokenKind::Close { 1 } else { self.index("how many levels")? };
                if !self.scope.pop(n) {
                    return Err(Error::new(token.span(), format!("pop of {n} levels, but fewer are open")));
                }
                Command::Pop(n)
            }
            "push" => {
                let n = if self.peek()?.kind == TokenKind::Close { 1 } else { self.index("how many levels")? };
                self.scope.push(n);
                Command::Push(n)
            }
            "reset" => {
                self.scope.reset(self.store);
                Command::Reset
            }
            "reset-assertions" => {
                self.scope.reset_assertions(self.store);
                Command::ResetAssertions
            }
            "set-logic" => {
                let (logic, at) = self.symbol("the name of a logic")?;
                let set = self.scope.set_logic(self.store.name(logic));
                set.map_err(|why| {
                    Error::new(at.span(), why).help("(reset) first, which forgets everything else, too")
                })?;
                Command::SetLogic(logic)
            }
            "set-info" | "set-option" => {
                let key = self.expect(TokenKind::Keyword, "a keyword such as :status")?;
                if name == "set-info" && self.text(key) == THEORY {
                    return self.theory().map(Some);
                }
                if name == "set-info" && self.text(key) == ERROR_NEXT {
                    return self.erroneous().map(Some);
                }
                let mut value: Box<str> = "".into();
                if self.peek()?.kind != TokenKind::Close {
                    value = self.skip_expression("a value")?.into();
                }
                if name == "set-option" {
                    self.check_option(key, &value)?;
                }
                if name == "set-option" && self.text(key) == ":global-declarations" {
                    self.scope.global_declarations = &*value == "true";
                }
                let key = self.text(key).into();
                if name == "set-info" { Command::SetInfo(key, value) } else { Command::SetOption(key, value) }
            }
            _ if QUERIES.contains(&name) || OWN_QUERIES.contains(&name) && self.peek()?.kind == TokenKind::Close => {
                let mut text = format!("({name}");
                if matches!(name, "get-info" | "get-option") {
                    let key = self.expect(TokenKind::Keyword, "a keyword such as :status")?;
                    text.extend([" ", self.text(key)]);
                } else if name == "get-proof" {
                    // cvc5's `get-proof` takes the part of a proof.
                    while self.peek()?.kind != TokenKind::Close {
                        text.extend([" ", self.skip_expression("an argument")?]);
                    }
                }
                text.push(')');
                Command::Query(text.into())
            }
            _ if is_extension(name) => return Ok(None),
            _ => {
                let error = Error::new(at.span(), format!("unknown command `{}`", shorten(name)));
                return Err(match suggestion(name, COMMANDS.iter().copied()) {
                    Some(help) => error.help(help),
                    None => error.help("expected a command such as (assert …) or (check-sat)"),
                });
            }
        };
        if command.is_check() || matches!(command, Command::Assert(..) | Command::Push(_)) {
            self.scope.begin();
        }
        Ok(Some(command))
    }

    /// Checks the value of an option of the standard.
    fn check_option(&self, key: Token, value: &str) -> Result<(), Error> {
        let name = self.text(key);
        let (fits, expected) = if BOOLEAN_OPTIONS.contains(&name) {
            (matches!(value, "true" | "false"), "true or false")
        } else if NUMERAL_OPTIONS.contains(&name) {
            (!value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()), "a numeral")
        } else {
            return Ok(());
        };
        if fits {
            return Ok(());
        }
        let what = match value {
            "" => format!("`{name}` without a value"),
            _ => format!("`{name}` cannot be `{}`", shorten(value)),
        };
        Err(Error::new(key.start..self.lexer.position(), what).help(format!("expected {expected}")))
    }

    /// Expands the names of `declare-tactic` in a tactic, as long as it stays small.
    fn with_declared_tactics(&self, tactic: &str) -> String {
        let mut out = String::new();
        let mut copied = 0;
        let mut lexer = Lexer::new(tactic);
        let mut after_key = false;
        while let Ok(token) = lexer.next()
            && token.kind != TokenKind::End
            && out.len() < MAX_TACTIC
        {
            let name = self.store.symbols.get(&tactic[token.start..token.end]);
            // A parameter's value follows its keyword.
            if token.kind == TokenKind::Symbol
                && !after_key
                && let Some(meant) = name.and_then(|name| self.scope.tactics.get(&name))
            {
                out.push_str(&tactic[copied..token.start]);
                out.push_str(meant);
                copied = token.end;
            }
            after_key = token.kind == TokenKind::Keyword;
        }
        out.push_str(&tactic[copied..]);
        out
    }

    /// Parses a term that must be Boolean.
    pub(super) fn boolean(&mut self, start: Token) -> Result<TermId, Error> {
        let t = self.term()?;
        if self.store.is_bool(t) {
            return Ok(t);
        }
        let sort = self.store.sort_text(self.store.sort(t));
        Err(Error::new(start.start..self.lexer.position(), format!("this term is of sort {sort}"))
            .help("expected Bool"))
    }

    /// Boolean terms up to a `)`, which is not consumed.
    fn booleans(&mut self) -> Result<Box<[TermId]>, Error> {
        let mut terms = Vec::new();
        loop {
            let start = self.peek()?;
            if start.kind == TokenKind::Close {
                return Ok(terms.into());
            }
            terms.push(self.boolean(start)?);
        }
    }

    fn declare_fun(&mut self, name: Symbol, at: Token, params: Vec<SortId>, result: SortId) -> Result<Command, Error> {
        let func = self.store.declare(Func { name, params: params.into(), result, body: FuncBody::Declared });
        self.declare_name(name, at, Binding::Func(func))?;
        Ok(Command::DeclareFun(func))
    }

    /// Fails if `name` is declared already. A theory's name may be redeclared: the file's logic may lack the theory.
    pub(super) fn new_name(&self, name: Symbol, at: Token) -> Result<(), Error> {
        match self.scope.get(name) {
            Binding::Unbound | Binding::Theory(_) | Binding::Opaque => Ok(()),
            Binding::Tester(..) => Ok(()),
            _ => Err(Error::new(at.span(), format!("`{}` is already declared", self.store.name(name)))
                .help("choose another name, or (pop) or (reset) first")),
        }
    }

    pub(super) fn new_sort_name(&self, name: Symbol, at: Token) -> Result<(), Error> {
        match self.scope.sort(name) {
            SortBinding::Unbound
            | SortBinding::Extension
            | SortBinding::Seq
            | SortBinding::Set
            | SortBinding::Bag
            | SortBinding::FiniteField => Ok(()),
            _ => Err(Error::new(at.span(), format!("the sort `{}` is already declared", self.store.name(name)))),
        }
    }
}
