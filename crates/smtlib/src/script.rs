//! Commands, and scripts made of them.

use crate::decl::FuncId;
use crate::extension_commands::{Effect, OpaqueReason, effect, is_objective};
use crate::sexpr::{head, is_check};
use crate::sort::{DatatypeId, SortId};
use crate::symbol::Symbol;
use crate::term::TermId;

/// One command of SMT-LIB 2.7 or of the common extensions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `(set-logic L)`.
    SetLogic(Symbol),
    /// `(set-option :k v)`; both as text, the value empty if there is none.
    SetOption(Box<str>, Box<str>),
    /// `(set-info :k v)`.
    SetInfo(Box<str>, Box<str>),
    /// `(set-info :squall-theory "…")`: a theory as data. It declares the sorts and operators in the string, which is kept as written.
    Theory(Box<str>),
    /// `(declare-sort S n)`.
    DeclareSort(Symbol, u32),
    /// `(define-sort S (params) body)`. Uses are expanded; this is kept for printing.
    DefineSort(Symbol, Box<[Symbol]>, SortId),
    /// `(declare-sort-parameter A)` (2.7).
    DeclareSortParameter(Symbol),
    /// `(declare-heap (L D))`: the sorts of locations and data of the only heap of a script.
    DeclareHeap(SortId, SortId),
    /// `declare-datatypes`, `declare-datatype`: the first datatype and how many.
    DeclareDatatypes(DatatypeId, u32),
    /// `declare-fun`, `declare-const` and `declare-rel`.
    DeclareFun(FuncId),
    /// `define-fun` and `define-const`.
    DefineFun(FuncId),
    /// `define-fun-rec` and `define-funs-rec`.
    DefineFunsRec(Box<[FuncId]>),
    /// `(assert t)`, with the name of `(! t :named n)`.
    Assert(TermId, Option<Symbol>),
    /// `(check-sat)`.
    CheckSat,
    /// `(check-sat-assuming (…))`.
    CheckSatAssuming(Box<[TermId]>),
    /// `(check-sat-using tactic)`: the tactic as text.
    CheckSatUsing(Box<str>),
    /// `(push n)`.
    Push(u32),
    /// `(pop n)`.
    Pop(u32),
    /// `(reset)`.
    Reset,
    /// `(reset-assertions)`.
    ResetAssertions,
    /// `(get-model)`.
    GetModel,
    /// `(get-value (…))`.
    GetValue(Box<[TermId]>),
    /// A solver's own command about one term, which changes no satisfiability: `(maximize t)`, `(assert-soft t :weight w)`,
    /// `(get-abduct A t)`, `(eval t)`. The words before the term, and those after it as written, each after a blank.
    Extension(Box<str>, TermId, Box<str>),
    /// `(rule t n)`: a clause that defines relations, and its name as written, after a blank.
    Rule(TermId, RuleVariables, Box<str>),
    /// `(query p)`: a check whether the rules derive a fact of the relation. The term is `p` of any values.
    Derive(TermId),
    /// `(echo "…")`: the text's code points. A backslash is an ordinary character.
    Echo(Box<[u32]>),
    /// `(exit)`.
    Exit,
    /// `(set-info :squall-error true)` and the command after it, which is kept as text. The command is an error by the standard, so it
    /// changes nothing (SMT-LIB 2.7, section 4.1.4).
    Erroneous(Box<str>),
    /// Another query (`get-info`, `get-proof`, `get-objectives`, …) or a declaration whose uses are expanded (`declare-var`), kept as
    /// text.
    Query(Box<str>),
    /// An unknown command that is carried as text, with the reason.
    Opaque(Box<str>, OpaqueReason),
}

impl Command {
    /// Whether this is a check, even with unknown assumptions.
    pub fn is_check(&self) -> bool {
        match self {
            Command::CheckSat | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_) | Command::Derive(_) => true,
            Command::Opaque(text, _) => is_check(head(text)),
            _ => false,
        }
    }

    /// Whether this is a solver's own command without an effect on checks, so that another solver need not know it.
    pub fn is_needless(&self) -> bool {
        match self {
            Command::Extension(..) | Command::Erroneous(_) => true,
            Command::Opaque(text, reason) => matches!(effect(text, *reason), Effect::None | Effect::Objective),
            _ => false,
        }
    }

    /// Whether this declares or defines a name.
    pub fn is_declaration(&self) -> bool {
        matches!(
            self,
            Command::Theory(_)
                | Command::DeclareSort(..)
                | Command::DefineSort(..)
                | Command::DeclareSortParameter(_)
                | Command::DeclareHeap(..)
                | Command::DeclareDatatypes(..)
                | Command::DeclareFun(_)
                | Command::DefineFun(_)
                | Command::DefineFunsRec(_)
        )
    }
}

/// What binds the variables of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleVariables {
    /// Quantifiers in its text.
    Quantified,
    /// `declare-var`: the outermost quantifier of the term is not written.
    Declared,
}

/// A whole script.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Script {
    /// Its commands in order.
    pub commands: Vec<Command>,
}

/// The problem of one check: the declarations and assertions live at that point.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The logic, if set.
    pub logic: Option<Symbol>,
    /// The `set-option` commands before it.
    pub options: Vec<Command>,
    /// The live declarations and definitions, in order.
    pub declarations: Vec<Command>,
    /// The live assertions; assumptions of `check-sat-assuming` come last.
    pub assertions: Vec<TermId>,
    /// The live objectives, in order, also those carried as text. None if assumptions or a tactic are given, where solvers ignore them.
    pub objectives: Vec<Command>,
    /// The rules, if this check asks what they derive; its only assertion is then true of the least relations that satisfy them. All other
    /// fields say that nothing is known.
    pub rules: Option<Box<[TermId]>>,
    /// The number of this check among the script's checks, from 0.
    pub check: usize,
    /// The last `:status` set between the previous check and this one.
    pub status: Option<Status>,
    /// Live commands carried as text constrain it, so the assertions are incomplete. Contradictory assertions still refute the
    /// instance, unless it may be weaker, too.
    pub incomplete: bool,
    /// A command carried as text may have changed more, such as retracted assertions or redefined a name.
    pub may_be_weaker: bool,
}

/// The right answer to a check, as stated by a file or as known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// Not known.
    Unknown,
}

impl Status {
    /// Returns its word in a script.
    pub fn word(self) -> &'static str {
        match self {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => "unknown",
        }
    }
}

impl Script {
    /// Returns the instance of every check, in order. A script without one asks nothing.
    pub fn instances(&self) -> Vec<Instance> {
        self.each_instance().collect()
    }

    /// Returns the number of checks.
    pub fn check_count(&self) -> usize {
        self.commands.iter().filter(|command| command.is_check()).count()
    }

    /// Returns the instance of one check, by its number from 0, without building the others.
    pub fn instance(&self, check: usize) -> Option<Instance> {
        self.each_instance().nth(check)
    }

    /// Returns the instances one by one: a script with thousands of checks need not have them all in memory.
    pub fn each_instance(&self) -> Instances<'_> {
        Instances { commands: self.commands.iter(), live: Live::default() }
    }
}

/// The walk over a script's checks; see [`Script::each_instance`].
pub struct Instances<'s> {
    commands: std::slice::Iter<'s, Command>,
    live: Live,
}

impl Iterator for Instances<'_> {
    type Item = Instance;

    fn next(&mut self) -> Option<Instance> {
        for command in self.commands.by_ref() {
            if let Some(instance) = self.live.step(command) {
                return Some(instance);
            }
        }
        None
    }

    fn nth(&mut self, check: usize) -> Option<Instance> {
        let mut left = check;
        for command in self.commands.by_ref() {
            if left > 0 && command.is_check() {
                self.live.pass_check();
                left -= 1;
            } else if let Some(instance) = self.live.step(command) {
                return Some(instance);
            }
        }
        None
    }
}

/// The declarations and assertions at one point of a script, updated per command.
#[derive(Default)]
pub struct Live {
    live: Instance,
    levels: Levels,
    rules: Vec<TermId>,
    /// `:global-declarations` is set: declarations outlive their level (SMT-LIB 2.6, section 4.1.5).
    global_declarations: bool,
}

impl Live {
    /// Returns the instance of a check at this point, without assumptions.
    pub fn instance(&self) -> &Instance {
        &self.live
    }

    /// Returns the number of open levels.
    pub fn open_levels(&self) -> u64 {
        self.levels.0.iter().map(|level| level.1).sum()
    }

    /// Processes one command; returns the instance if it is a check.
    pub fn step(&mut self, command: &Command) -> Option<Instance> {
        if command.is_check() {
            let mut instance = self.live.clone();
            if *command != Command::CheckSat {
                instance.objectives.clear();
            }
            match command {
                Command::CheckSatAssuming(assumptions) => instance.assertions.extend_from_slice(assumptions),
                Command::Opaque(..) => instance.incomplete = true,
                // z3 may keep rules beyond their level, and takes assertions as axioms.
                Command::Derive(goal) => {
                    let is_plain = !instance.may_be_weaker && !instance.incomplete && instance.assertions.is_empty();
                    let is_plain = is_plain && self.open_levels() == 0;
                    instance.rules = is_plain.then(|| self.rules.as_slice().into());
                    instance.assertions = vec![*goal];
                    instance.may_be_weaker = true;
                }
                _ => {}
            }
            instance.may_be_weaker |= !self.rules.is_empty();
            instance.incomplete |= instance.may_be_weaker;
            self.pass_check();
            return Some(instance);
        }
        self.change(command);
        None
    }

    /// Moves past a check.
    fn pass_check(&mut self) {
        self.live.check += 1;
        // A `:status` is about the next check only.
        self.live.status = None;
    }

    fn change(&mut self, command: &Command) {
        let live = &mut self.live;
        match command {
            Command::SetLogic(logic) => live.logic = Some(*logic),
            Command::SetOption(key, value) => {
                if &**key == ":global-declarations" {
                    self.global_declarations = &**value == "true";
                }
                live.options.push(command.clone());
            }
            Command::SetInfo(key, value) if &**key == ":status" => {
                live.status = match &**value {
                    "sat" => Some(Status::Sat),
                    "unsat" => Some(Status::Unsat),
                    _ => Some(Status::Unknown),
                };
            }
            Command::Assert(t, _) => live.assertions.push(*t),
            Command::Extension(name, ..) => {
                live.objectives.extend(is_objective(name).then(|| command.clone()));
            }
            Command::Rule(..) if !self.levels.0.is_empty() => live.may_be_weaker = true,
            Command::Rule(clause, ..) => self.rules.push(*clause),
            Command::Opaque(text, reason) => match effect(text, *reason) {
                Effect::None | Effect::Declares => {}
                Effect::Objective => live.objectives.push(command.clone()),
                Effect::Constrains => live.incomplete = true,
                // It may open and close levels, too.
                Effect::Unknown => live.may_be_weaker = true,
            },
            Command::Push(n) => self.levels.push(live, *n),
            Command::Pop(n) => self.levels.pop(live, *n, self.global_declarations),
            Command::Reset => {
                *live = Instance { check: live.check, ..Instance::default() };
                self.levels = Levels::default();
                self.rules.clear();
                self.global_declarations = false;
            }
            Command::ResetAssertions => {
                // z3 may keep its rules.
                live.may_be_weaker |= !self.rules.is_empty();
                live.assertions.clear();
                live.objectives.clear();
                live.incomplete = false;
                if !self.global_declarations {
                    live.declarations.clear();
                }
                self.levels = Levels::default();
            }
            _ if command.is_declaration() => live.declarations.push(command.clone()),
            _ => {}
        }
    }
}

/// The open assertion levels; equal ones are counted, so that `(push 1000000000)` costs nothing.
#[derive(Default)]
struct Levels(Vec<(LiveMark, u64)>);

/// What is live where a level begins: the numbers of assertions, declarations and objectives, and [`Instance::incomplete`].
type LiveMark = (usize, usize, usize, bool);

impl Levels {
    fn push(&mut self, live: &Instance, n: u32) {
        let mark = (live.assertions.len(), live.declarations.len(), live.objectives.len(), live.incomplete);
        match self.0.last_mut() {
            Some(top) if top.0 == mark => top.1 += u64::from(n),
            _ => self.0.push((mark, u64::from(n))),
        }
    }

    fn pop(&mut self, live: &mut Instance, n: u32, global_declarations: bool) {
        let mut n = u64::from(n);
        while n > 0 {
            let Some(((assertions, declarations, objectives, incomplete), count)) = self.0.last_mut() else { return };
            live.assertions.truncate(*assertions);
            live.objectives.truncate(*objectives);
            if !global_declarations {
                live.declarations.truncate(*declarations);
            }
            live.incomplete = *incomplete;
            let taken = (*count).min(n);
            *count -= taken;
            n -= taken;
            if *count == 0 {
                self.0.pop();
            }
        }
    }
}
