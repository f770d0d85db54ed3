//! A model as SMT-LIB text: definitions that make every assertion true if they replace the declarations.

use crate::algebraic::{AlgebraicLimits, AlgebraicNumber, FieldGenerator, IntPolynomial, RealRoot};
use crate::eval::Evaluator;
use crate::limits::EvalLimits;
use crate::literal::element_constant;
use crate::model::{FunctionTable, Interpretation, Model};
use crate::open::OpenPoint;
use crate::symbols::mentioned;
use crate::value::Value;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;
use smtlib::{
    Binder, Command, Func, FuncBody, FuncId, Instance, Kind, Op, Script, Sort, SortId, Store, Symbol, TermId,
};

/// Why a model cannot be written as definitions.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WitnessError {
    /// A value has no term.
    #[error("the value of `{0}` has no term; give it by a body or a table")]
    NoTerm(String),
    /// A value is irrational, or contains such a number.
    #[error("the value of `{0}` is irrational (an algebraic number), for which SMT-LIB has no literal")]
    Irrational(String),
    /// A choice for all arguments of an operator has no finite text.
    #[error("the choice for {0:?} has a default, which cannot be asserted; choose its values one by one")]
    Choice(Kind),
    /// The script declares a name that is used to print elements of an uninterpreted sort.
    #[error("the script itself declares `{0}`, which stands for an element of a universe; rename it")]
    NameTaken(String),
}

impl Model {
    /// Returns the declarations of an instance, with every interpreted symbol defined, elements of uninterpreted sorts
    /// declared as distinct constants, and the model's choices asserted.
    ///
    /// Symbols without an interpretation stay declared: the evaluation did not depend on them.
    /// Errors: [`WitnessError`] if there is no such text.
    pub fn definitions(&self, store: &mut Store, declarations: &[Command]) -> Result<Vec<Command>, WitnessError> {
        let mut writer =
            DefinitionWriter { model: self, out: Vec::new(), done: FxHashSet::default(), elements: Vec::new() };
        for command in declarations {
            if !matches!(command, Command::DeclareFun(_) | Command::DefineFun(_) | Command::DefineFunsRec(_)) {
                writer.out.push(command.clone());
            }
        }
        let sorts_end = writer.out.len();
        for f in self.symbols() {
            writer.define(store, f, declarations)?;
        }
        for command in declarations {
            match command {
                Command::DeclareFun(f) => writer.define(store, *f, declarations)?,
                Command::DefineFun(f) => writer.define(store, *f, declarations)?,
                Command::DefineFunsRec(fs) => fs.iter().try_for_each(|&f| writer.define(store, f, declarations))?,
                _ => {}
            }
        }
        writer.choices(store)?;
        let elements = writer.element_commands(store, declarations)?;
        let mut out = writer.out;
        out.splice(sorts_end..sorts_end, elements);
        Ok(out)
    }

    /// Returns the whole witness of an instance: definitions, then the assertions and `(check-sat)`. Every solver that
    /// decides it must answer `sat`. The standard has no literal for an irrational number, so a constant with such a value stays declared,
    /// and is asserted to be the only root of a polynomial between two numbers.
    /// Errors: as [`Model::definitions`].
    pub fn witness(&self, store: &mut Store, instance: &Instance) -> Result<Script, WitnessError> {
        let mut commands: Vec<Command> = instance.logic.map(Command::SetLogic).into_iter().collect();
        let mut rest = self.clone();
        let mut pins = Vec::new();
        for f in self.symbols() {
            if let Some(Interpretation::Value(Value::Algebraic(number))) = self.interpretation(f)
                && let Ok(RealRoot::Irrational(root)) = number.to_root(&AlgebraicLimits::EVALUATION)
            {
                rest.remove(f);
                // The reader of models names the roots inside of values, too.
                if !instance.declarations.iter().any(|c| matches!(c, Command::DeclareFun(g) if *g == f)) {
                    commands.push(Command::DeclareFun(f));
                }
                pins.extend(pin(store, f, &root).ok_or_else(|| WitnessError::NoTerm(store_name(store.func(f))))?);
            }
        }
        commands.extend(rest.definitions(store, &instance.declarations)?);
        commands.extend(pins);
        commands.extend(instance.assertions.iter().map(|&t| Command::Assert(t, None)));
        commands.push(Command::CheckSat);
        Ok(Script { commands })
    }
}

struct DefinitionWriter<'m> {
    model: &'m Model,
    out: Vec<Command>,
    done: FxHashSet<FuncId>,
    /// Elements that occur, in order.
    elements: Vec<(SortId, u32)>,
}

impl DefinitionWriter<'_> {
    /// Writes the definition of `f`, after those that its body needs.
    fn define(&mut self, store: &mut Store, f: FuncId, declarations: &[Command]) -> Result<(), WitnessError> {
        let mut stack = vec![(f, false)];
        while let Some((f, ready)) = stack.pop() {
            if !ready {
                if self.done.insert(f) {
                    stack.push((f, true));
                    stack.extend(
                        self.body_of(store, f).into_iter().flat_map(|b| mentioned(store, b)).map(|g| (g, false)),
                    );
                }
                continue;
            }
            if let Some(command) = self.command(store, f, declarations)? {
                self.out.push(command);
            }
        }
        Ok(())
    }

    fn body_of(&self, store: &Store, f: FuncId) -> Option<TermId> {
        match (store.func(f).definition(), self.model.interpretation(f)) {
            (Some((_, body)), _) => Some(body),
            (None, Some(Interpretation::Body { body, .. })) => Some(*body),
            _ => None,
        }
    }

    fn command(
        &mut self,
        store: &mut Store,
        f: FuncId,
        declarations: &[Command],
    ) -> Result<Option<Command>, WitnessError> {
        let func = store.func(f).clone();
        match func.body {
            FuncBody::Defined { .. } => return Ok(Some(Command::DefineFun(f))),
            FuncBody::Recursive { .. } => {
                let group = declarations.iter().find_map(|c| match c {
                    Command::DefineFunsRec(fs) if fs.contains(&f) => Some(fs.clone()),
                    _ => None,
                });
                let group = group.unwrap_or_else(|| [f].into());
                self.done.extend(group.iter().copied());
                // The command is written where the first of its functions occurs.
                let known = self.out.iter().any(|c| matches!(c, Command::DefineFunsRec(g) if *g == group));
                return Ok((!known).then_some(Command::DefineFunsRec(group)));
            }
            FuncBody::Declared | FuncBody::Relation => {}
        }
        let (vars, body) = match self.model.interpretation(f) {
            None if is_element_name(store, &func) => return Ok(None),
            None => return Ok(Some(Command::DeclareFun(f))),
            Some(Interpretation::Value(Value::Element { sort, index }))
                if element_constant(store, *sort, *index) == f =>
            {
                self.elements.push((*sort, *index));
                return Ok(None);
            }
            Some(Interpretation::Value(value)) => ([].into(), self.term(store, value, func.result, &func)?),
            Some(Interpretation::Body { params, body }) => (params.clone(), *body),
            Some(Interpretation::Table(table)) => self.table(store, table, &func)?,
        };
        let definition = Func { body: FuncBody::Defined { vars, body }, ..func };
        Ok(Some(Command::DefineFun(store.declare(definition))))
    }

    /// Returns a table as a chain of `ite`.
    fn table(
        &mut self,
        store: &mut Store,
        table: &FunctionTable,
        func: &Func,
    ) -> Result<(Box<[Symbol]>, TermId), WitnessError> {
        let taken: FxHashSet<String> = store.used_names().map(str::to_string).collect();
        let mut vars = Vec::with_capacity(func.params.len());
        let mut terms = Vec::with_capacity(func.params.len());
        for (n, &sort) in func.params.iter().enumerate() {
            let name = fresh_name(&format!("x!{n}"), &taken);
            let (symbol, term) = store.named_variable(&name, sort);
            vars.push(symbol);
            terms.push(term);
        }
        let rows = table.rows();
        // Without a default nothing was evaluated outside the rows, so any value will do.
        let default = table.default_value().or(rows.first().map(|r| r.1)).cloned();
        let failed = || WitnessError::NoTerm(store_name(func));
        let mut body = match default {
            Some(value) => self.term(store, &value, func.result, func)?,
            None => return Err(failed()),
        };
        for (args, value) in rows.into_iter().rev() {
            let mut condition = Vec::with_capacity(args.len());
            for ((arg, &sort), &var) in args.iter().zip(&func.params).zip(&terms) {
                let arg = self.term(store, arg, sort, func)?;
                condition.push(store.eq(var, arg).map_err(|_| failed())?);
            }
            let condition = store.and(&condition);
            let value = self.term(store, value, func.result, func)?;
            body = store.app(Op::new(Kind::Ite), &[condition, value, body]).map_err(|_| failed())?;
        }
        Ok((vars.into(), body))
    }

    fn term(&mut self, store: &mut Store, value: &Value, sort: SortId, func: &Func) -> Result<TermId, WitnessError> {
        self.collect_elements(value);
        value.to_term(store, sort).ok_or_else(|| {
            let name = store.name(func.name).to_string();
            if value.holds_irrational() { WitnessError::Irrational(name) } else { WitnessError::NoTerm(name) }
        })
    }

    /// Notes the elements of uninterpreted sorts in a value; recursion is as deep as the value.
    fn collect_elements(&mut self, value: &Value) {
        match value {
            Value::Element { sort, index } => self.elements.push((*sort, *index)),
            Value::Datatype(d) => d.fields.iter().for_each(|v| self.collect_elements(v)),
            Value::Seq(s) => s.elements().iter().for_each(|v| self.collect_elements(v)),
            Value::Set(set) => set.elements().iter().for_each(|v| self.collect_elements(v)),
            Value::Bag(bag) => bag.entries().iter().for_each(|(v, _)| self.collect_elements(v)),
            Value::Array(a) | Value::Map(a) => {
                if let crate::array::Base::Default(v) = a.base() {
                    self.collect_elements(v);
                }
                for (key, v) in a.entries() {
                    self.collect_elements(key);
                    self.collect_elements(v);
                }
            }
            _ => {}
        }
    }

    fn element_commands(&self, store: &mut Store, declarations: &[Command]) -> Result<Vec<Command>, WitnessError> {
        let mut elements = self.elements.clone();
        // A reader takes the occurring elements for the whole universe, and arrays that differ at another one would be
        // equal. A reduced script may lack a sort that the model still has a universe for; no text can mention its
        // elements.
        for (sort, size) in self.model.universes().into_iter().filter(|u| is_declared(store, declarations, u.0)) {
            elements.extend((0..size.min(MAX_ELEMENTS)).map(|index| (sort, index)));
        }
        elements.sort_unstable();
        elements.dedup();
        let mut commands = Vec::new();
        for group in elements.chunk_by(|a, b| a.0 == b.0) {
            let mut terms = Vec::with_capacity(group.len());
            for &(sort, index) in group {
                let f = element_constant(store, sort, index);
                let name = store.func(f).name;
                let declared = declarations.iter().find_map(|c| match c {
                    Command::DeclareFun(g) | Command::DefineFun(g) if store.func(*g).name == name => Some(*g),
                    _ => None,
                });
                // The script may declare the element itself, if it was made from a witness; then that declaration is
                // used.
                let itself =
                    self.model.interpretation(f) == Some(&Interpretation::Value(Value::Element { sort, index }));
                if declared.is_some() && !(itself && declared == Some(f)) {
                    return Err(WitnessError::NameTaken(store.name(name).to_string()));
                }
                commands.push(Command::DeclareFun(f));
                terms.extend(store.constant_of(f).ok());
            }
            if terms.len() > 1
                && let Ok(distinct) = store.app(Op::new(Kind::Distinct), &terms)
            {
                commands.push(Command::Assert(distinct, None));
            }
        }
        Ok(commands)
    }

    fn choices(&mut self, store: &mut Store) -> Result<(), WitnessError> {
        for (op, table) in self.model.choices() {
            if let Some(default) = table.default_value() {
                let rest = self.default_choice(store, op, table, default);
                self.out.push(Command::Assert(rest.ok_or(WitnessError::Choice(op.kind))?, None));
            }
            for (args, value) in table.rows() {
                let equation = self.choice_equation(store, op, args, value);
                self.out.push(Command::Assert(equation.ok_or(WitnessError::Choice(op.kind))?, None));
            }
        }
        Ok(())
    }

    /// Returns the choice for all dividends without a row, as a quantified formula; for the divisions by zero only.
    fn default_choice(&mut self, store: &mut Store, op: Op, table: &FunctionTable, default: &Value) -> Option<TermId> {
        let (sort, zero) = match op.kind {
            Kind::RealDiv => (SortId::REAL, store.real(&RBig::ZERO)),
            Kind::IntDiv | Kind::IntMod | Kind::IntRem => (SortId::INT, store.int(&IBig::ZERO)),
            _ => return None,
        };
        let taken: FxHashSet<String> = store.used_names().map(str::to_string).collect();
        let name = fresh_name("x", &taken);
        let (symbol, x) = store.named_variable(&name, sort);
        let whole = store.app(op, &[x, zero]).ok()?;
        let value = default.to_term(store, sort)?;
        let mut parts = vec![store.eq(whole, value).ok()?];
        for (args, _) in table.rows() {
            let row = args.first()?.to_term(store, sort)?;
            parts.push(store.eq(x, row).ok()?);
        }
        let body = store.or(&parts);
        let vars = [(symbol, sort)].into();
        let binder = Binder { vars, patterns: [].into(), no_patterns: 0, qid: None, weight: None };
        store.bind(Kind::Forall, binder, &[body]).ok()
    }

    fn choice_equation(&mut self, store: &mut Store, op: Op, args: &[Value], value: &Value) -> Option<TermId> {
        args.iter().for_each(|v| self.collect_elements(v));
        self.collect_elements(value);
        let whole = OpenPoint::Choice(op, args.into()).to_term(store)?;
        let sort = store.sort(whole);
        let value = value.to_term(store, sort)?;
        store.eq(whole, value).ok()
    }
}

/// `base`, with exclamation marks appended until the name is unused.
pub(crate) fn fresh_name(base: &str, taken: &FxHashSet<String>) -> String {
    let mut name = base.to_string();
    while taken.contains(&name) {
        name.push('!');
    }
    name
}

fn store_name(func: &Func) -> String {
    format!("function {}", func.name.index())
}

/// Whether an uninterpreted sort is declared by one of these commands.
fn is_declared(store: &Store, declarations: &[Command], sort: SortId) -> bool {
    let Sort::Uninterpreted(name, _) = store.sorts.get(sort) else { return false };
    declarations.iter().any(|c| matches!(c, Command::DeclareSort(declared, _) if declared == name))
}

fn is_element_name(store: &Store, func: &Func) -> bool {
    func.params.is_empty() && store.name(func.name).starts_with("elem!")
}

/// The maximum number of elements of a universe that are declared although they do not occur.
const MAX_ELEMENTS: u32 = 1 << 10;

/// The `set-info` keyword by which a witness fixes the size of an uninterpreted sort.
const UNIVERSE: &str = ":universe";

/// Prints the sizes of a model's uninterpreted sorts as commands `(set-info :universe |N SORT|)`, which solvers ignore.
/// Undeclared sorts are left out: with them the text would not parse.
pub fn universes(store: &Store, model: &Model, declarations: &[Command]) -> Vec<Command> {
    let command = |(sort, elements)| {
        let name = store.sort_text(sort).replace('|', "");
        Command::SetInfo(UNIVERSE.into(), format!("|{elements} {name}|").into())
    };
    model.universes().into_iter().filter(|u| is_declared(store, declarations, u.0)).map(command).collect()
}

/// Reads the size of an uninterpreted sort from such a command. Other commands are ignored.
/// Errors: the command's text, if it names an unknown sort or has no size.
pub fn read_universe(store: &Store, model: &mut Model, command: &Command) -> Result<(), String> {
    let Command::SetInfo(key, value) = command else { return Ok(()) };
    if &**key != UNIVERSE {
        return Ok(());
    }
    let foreign = || format!("(set-info {UNIVERSE} {value})");
    let (elements, name) = value.trim_matches('|').split_once(' ').ok_or_else(foreign)?;
    let elements = elements.parse().map_err(|_| foreign())?;
    let is_it =
        |id, sort: &Sort| matches!(sort, Sort::Uninterpreted(..)) && store.sort_text(id).replace('|', "") == name;
    let sort = store.sorts.iter().find(|&(id, sort)| is_it(id, sort)).map(|(id, _)| id).ok_or_else(foreign)?;
    model.set_universe(sort, elements);
    Ok(())
}

/// The `set-info` keyword by which a witness says which root a constant is.
const ROOT: &str = ":root";

/// Returns the commands that pin a constant to a root: `(set-info :root |INDEX C0,C1,… NAME|)` for readers, and for solvers that the
/// polynomial is zero and the isolating interval contains the constant.
fn pin(store: &mut Store, f: FuncId, root: &FieldGenerator) -> Option<[Command; 3]> {
    let x = store.constant_of(f).ok()?;
    let mut summands = Vec::new();
    for (power, c) in root.polynomial().coefficients().iter().enumerate().filter(|(_, c)| !c.is_zero()) {
        let mut factors = vec![store.real(&RBig::from(c.clone()))];
        factors.extend(std::iter::repeat_n(x, power));
        summands.push(if power == 0 { factors[0] } else { store.app(Op::new(Kind::RealMul), &factors).ok()? });
    }
    // An irrational root has a polynomial of at least two terms.
    let sum = store.app(Op::new(Kind::RealAdd), &summands).ok()?;
    let zero = store.real(&RBig::ZERO);
    let is_root = store.eq(sum, zero).ok()?;
    let (low, high) = (store.real(root.interval().0), store.real(root.interval().1));
    let is_inside = store.app(Op::new(Kind::RealLt), &[low, x, high]).ok()?;
    let coefficients: Vec<String> = root.polynomial().coefficients().iter().map(IBig::to_string).collect();
    let name = store.name(store.func(f).name);
    let text = format!("|{} {} {name}|", root.index(), coefficients.join(","));
    Some([Command::SetInfo(ROOT.into(), text.into()), Command::Assert(is_root, None), Command::Assert(is_inside, None)])
}

/// Assigns the roots that such commands name to the constants that the commands declare.
/// Errors: the text of a command that names no root of a declared constant.
pub fn read_roots(store: &Store, model: &mut Model, commands: &[Command]) -> Result<(), String> {
    let limits = &AlgebraicLimits::EVALUATION;
    for command in commands {
        let Command::SetInfo(key, value) = command else { continue };
        if &**key != ROOT {
            continue;
        }
        let read = || {
            let (index, rest) = value.trim_matches(['|', '"']).split_once(' ')?;
            let (coefficients, name) = rest.split_once(' ')?;
            let coefficients = coefficients.split(',').map(|c| c.parse().ok()).collect::<Option<Vec<IBig>>>()?;
            let f = commands.iter().find_map(|command| match command {
                Command::DeclareFun(f) if store.name(store.func(*f).name) == name => Some(*f),
                _ => None,
            })?;
            let root = AlgebraicNumber::root(&IntPolynomial::new(coefficients), index.parse().ok()?, limits).ok()?;
            Some((f, Value::algebraic(root, limits).ok()?))
        };
        let assigned = read().is_some_and(|(f, root)| model.assign(store, f, root).is_ok());
        if !assigned {
            return Err(format!("(set-info {ROOT} {value})"));
        }
    }
    Ok(())
}

/// Reads an assertion `(= (op v …) w)` over values as the witness's choice, if the standard leaves one; other assertions are
/// left to the check.
pub fn read_choice(store: &Store, model: &mut Model, t: TermId) {
    if store.kind(t) != Kind::Eq {
        return;
    }
    let [left, right] = *store.args(t) else { return };
    let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default());
    if evaluator.eval(store, left).is_ok() {
        return;
    }
    let args: Result<Box<[Value]>, _> = store.args(left).iter().map(|&a| evaluator.eval(store, a)).collect();
    if let (Ok(args), Ok(value)) = (args, evaluator.eval(store, right)) {
        model.choose(store.op(left), args, value);
    }
}
