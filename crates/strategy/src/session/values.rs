//! Models and values as text: `(get-model)`, `(get-value …)` (SMT-LIB 2.7, section 4.2.6).

use super::Session;
use rewrite::complete::{eval_completing, give_default};
use semantics::{Model, Stop};
use smtlib::{Command, Instance, Script, Store, Symbol, TermId};

/// The model with a value for every declared symbol, those that do not matter too.
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

/// Appends the definitions of all declared symbols, and what the model chooses where the standard leaves a value open.
pub(super) fn model(session: &mut Session<'_>, out: &mut String) -> Result<(), String> {
    let Some(checked) = &session.checked else { return Ok(()) };
    let Some(model) = &checked.model else { return Ok(()) };
    let declarations = &checked.instance.declarations;
    let failed = |e| format!("no model text: {e}");
    let definitions = model.definitions(&mut session.store, declarations).map_err(failed)?;
    let choices = model.choice_definitions(&mut session.store).map_err(failed)?;
    let store = &session.store;
    let declared: Vec<Symbol> = declarations
        .iter()
        .filter_map(|command| match command {
            Command::DeclareFun(f) => Some(store.func(*f).name),
            _ => None,
        })
        .collect();
    // Elements of uninterpreted sorts are declared, not defined: a model that has some declares them first.
    let elements = definitions.iter().filter(|c| match c {
        Command::DeclareFun(f) => !declared.contains(&store.func(*f).name),
        _ => false,
    });
    let defined = definitions.iter().filter(|c| match c {
        Command::DefineFun(f) => declared.contains(&store.func(*f).name),
        _ => false,
    });
    let script = Script { commands: elements.chain(defined).chain(&choices).cloned().collect() };
    out.push_str("(\n");
    out.push_str(&store.script_text(&script));
    out.push_str(")\n");
    Ok(())
}

/// Appends the values of terms.
pub(super) fn values(session: &mut Session<'_>, terms: &[TermId], out: &mut String) -> Result<(), String> {
    let Some(checked) = &mut session.checked else { return Ok(()) };
    let Some(model) = &mut checked.model else { return Ok(()) };
    out.push('(');
    for (n, &term) in terms.iter().enumerate() {
        let store = &mut session.store;
        let value = eval_completing(store, model, term, &Stop::default())
            .map_err(|unknown| format!("{} has no value: {}", store.term_text(term), unknown.reason))?;
        let sort = store.sort(term);
        let literal = value
            .to_term(store, sort)
            .ok_or_else(|| format!("the value of {} is {}", store.term_text(term), value.why_no_term()))?;
        if n > 0 {
            out.push_str("\n ");
        }
        out.push_str(&format!("({} {})", store.term_text(term), store.term_text(literal)));
    }
    out.push_str(")\n");
    Ok(())
}
