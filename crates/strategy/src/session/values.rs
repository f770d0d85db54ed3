//! Models and values as text: `(get-model)`, `(get-value …)` (SMT-LIB 2.7, section 4.2.6).

use super::Session;
use rewrite::complete::{eval_completing, give_default};
use semantics::{Interpretation, Model, Stop, Value};
use smtlib::printer::quote_symbol;
use smtlib::sexpr::Sexprs;
use smtlib::{Command, Instance, Script, SortId, Store, Symbol, TermId};

/// Completes the model with values for all declared symbols, including irrelevant ones.
pub(super) fn completed(store: &Store, instance: &Instance, mut model: Model) -> Model {
    for command in &instance.declarations {
        if let Command::DeclareFun(f) = command
            && model.interpretation(*f).is_none()
        {
            give_default(store, &mut model, *f);
        }
    }
    model
}

/// Appends the definitions of all declared symbols, and the model's choices where the standard leaves a value open.
pub(super) fn model(session: &mut Session<'_>, out: &mut String) -> Result<(), String> {
    let Some(checked) = &session.checked else { return Ok(()) };
    let Some(model) = &checked.model else { return Ok(()) };
    let declarations = &checked.instance.declarations;
    let failed = |e| format!("no model text: {e}");
    // The standard has no literal for irrational numbers: Z3's notation stands for them.
    let (mut literal, mut roots) = (model.clone(), String::new());
    let mut unnamed = Vec::new();
    for f in model.symbols() {
        if let Some(Interpretation::Value(value)) = model.interpretation(f)
            && let Some(root) = value.root_object()
        {
            literal.remove(f);
            let mut name = String::new();
            quote_symbol(session.store.name(session.store.func(f).name), &mut name);
            match declarations.iter().any(|command| matches!(command, Command::DeclareFun(g) if *g == f)) {
                true => roots.push_str(&format!("(define-fun {name} () Real {root})\n")),
                // The reader of models names the roots inside of values, too.
                false => unnamed.push((f, name, root)),
            }
        }
    }
    let definitions = literal.definitions(&mut session.store, declarations).map_err(failed)?;
    let choices = model.choice_definitions(&mut session.store).map_err(failed)?;
    let store = &session.store;
    let declared: Vec<Symbol> = declarations
        .iter()
        .filter_map(|command| match command {
            Command::DeclareFun(f) => Some(store.func(*f).name),
            _ => None,
        })
        .collect();
    // Elements of uninterpreted sorts are declared, not defined: a model with such elements declares them first.
    let elements = definitions.iter().filter(|c| match c {
        Command::DeclareFun(f) => {
            !declared.contains(&store.func(*f).name) && !unnamed.iter().any(|(root, ..)| root == f)
        }
        _ => false,
    });
    let defined = definitions.iter().filter(|c| match c {
        Command::DefineFun(f) => declared.contains(&store.func(*f).name),
        _ => false,
    });
    let script = Script { commands: elements.chain(defined).chain(&choices).cloned().collect() };
    let mut defined = store.script_text(&script);
    // A name may begin a longer one.
    unnamed.sort_by_key(|(_, name, _)| std::cmp::Reverse(name.len()));
    for (_, name, root) in &unnamed {
        defined = defined.replace(name, root);
    }
    out.push_str("(\n");
    out.push_str(&defined);
    out.push_str(&roots);
    out.push_str(")\n");
    Ok(())
}

/// Appends the values of terms, each after the term as written in the command: a client compares the texts.
pub(super) fn values(
    session: &mut Session<'_>,
    terms: &[TermId],
    command: &str,
    out: &mut String,
) -> Result<(), String> {
    let all = Sexprs::read(command);
    let list = all.top().next().and_then(|command| all.children(command).nth(1));
    let written: Vec<&str> = list.iter().flat_map(|&list| all.children(list)).map(|term| all.text(term)).collect();
    let Some(checked) = &mut session.checked else { return Ok(()) };
    let Some(model) = &mut checked.model else { return Ok(()) };
    out.push('(');
    for (n, &term) in terms.iter().enumerate() {
        let store = &mut session.store;
        let value = eval_completing(store, model, term, &Stop::default())
            .map_err(|unknown| format!("{} has no value: {}", store.term_text(term), unknown.reason))?;
        let sort = store.sort(term);
        let literal = match value.to_term(store, sort) {
            Some(literal) => store.term_text(literal),
            None => value
                .root_object()
                .ok_or_else(|| format!("the value of {} is {}", store.term_text(term), value.why_no_term()))?,
        };
        if n > 0 {
            out.push_str("\n ");
        }
        let term = match written.len() == terms.len() {
            true => written[n].to_string(),
            false => store.term_text(term),
        };
        out.push_str(&format!("({term} {literal})"));
    }
    out.push_str(")\n");
    Ok(())
}

/// Appends the truth of every Boolean term in the assertions with a `:named` name.
pub(super) fn assignment(session: &mut Session<'_>, out: &mut String) -> Result<(), String> {
    let Some(model) = session.checked.as_mut().and_then(|checked| checked.model.as_mut()) else { return Ok(()) };
    let store = &mut session.store;
    let mut pairs = Vec::new();
    for &(name, term) in session.labels.iter().flatten().filter(|(_, term)| store.sort(*term) == SortId::BOOL) {
        let mut text = String::new();
        quote_symbol(store.name(name), &mut text);
        match eval_completing(store, model, term, &Stop::default()) {
            Ok(Value::Bool(value)) => pairs.push(format!("({text} {value})")),
            Ok(_) => {}
            Err(unknown) => return Err(format!("{text} has no value: {}", unknown.reason)),
        }
    }
    out.push_str(&format!("({})\n", pairs.join(" ")));
    Ok(())
}
