//! Laws of the passes over all our own seeds: their proposals can be parsed, and those that must not change a value do not.

use dashu_int::IBig;
use mutate::RandomStream;
use reduce::passes::{self, View};
use reduce::plan::{EditPlan, ScriptEdit, terms};
use reduce::query::complete;
use reduce::subject::WitnessValues;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::{Command, Kind, Script, Sort, Store};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Seeds without binders, where every term has one value, and passes that replace terms by equal ones under the witness or drop parts:
/// each of their edits, and any combination, keeps every assertion true.
const KEEP_TRUTH: [&str; 11] = [
    "assertions",
    "queries",
    "options",
    "declarations",
    "truth_values",
    "witness_values",
    "definitions",
    "simplify",
    "fresh_variables",
    "merge_variables",
    "names",
];

/// The pass whose candidates may be parsed with other sorts: under another logic, `1` may be a real number. The judge parses what is
/// sent, so such a candidate is useless but harmless.
const MAY_READ_OTHERWISE: &str = "logic";

/// Edits of one pass examined one by one.
const SINGLE: usize = 16;
/// Random sets of edits of one pass.
const SETS: usize = 4;
/// Larger seeds take too long for their benefit.
const MAX_BYTES: u64 = 20_000;

struct Set {
    store: Store,
    script: Script,
    model: Model,
}

fn seeds(folder: &Path, list: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the seeds are there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            seeds(&path, list);
        } else if path.extension().is_some_and(|e| e == "smt2") && entry.metadata().is_ok_and(|m| m.len() <= MAX_BYTES)
        {
            list.push(path);
        }
    }
}

/// Returns a seed with a random assignment, and its assertions negated where necessary to be true under it; those without a value are
/// left out. `None` if nothing is left.
fn set(path: &Path, random: &mut RandomStream) -> Option<Set> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &text);
    assert!(parsed.errors.is_empty(), "{}", path.display());
    let mut script = parsed.script;
    let declarations: Vec<Command> = script.commands.iter().filter(|c| c.is_declaration()).cloned().collect();
    let mut model = Model::new();
    for command in &declarations {
        let Command::DeclareFun(f) = command else { continue };
        let func = store.func(*f);
        if !func.params.is_empty() {
            continue;
        }
        let value = match store.sorts.get(func.result) {
            Sort::Bool => Value::Bool(random.percent(50)),
            Sort::Int => Value::Int(IBig::from(random.index(20)) - IBig::from(6)),
            Sort::Uninterpreted(..) => {
                model.set_universe(func.result, 2);
                Value::Element { sort: func.result, index: u32::from(random.percent(50)) }
            }
            _ => continue,
        };
        model.assign(&store, *f, value).expect("a value of the constant's sort");
    }
    complete(&mut store, &declarations, &mut model);
    let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default());
    for command in &mut script.commands {
        if let Command::Assert(t, _) = command
            && evaluator.truth(&store, *t) == Some(false)
        {
            *t = store.not(*t);
        }
    }
    script.commands.retain(|c| match c {
        Command::Assert(t, _) => evaluator.truth(&store, *t) == Some(true),
        // Assumptions are not negated.
        Command::CheckSatAssuming(_) => false,
        _ => true,
    });
    script.commands.iter().any(Command::is_check).then_some(Set { store, script, model })
}

fn satisfied(store: &Store, script: &Script, model: &Model) -> bool {
    let mut values = WitnessValues::new(Arc::new(model.clone()));
    script.instances().iter().all(|instance| values.satisfy(store, instance))
}

/// Checks the laws for one pass over one seed.
fn check(pass: &passes::ReductionPass, set: &mut Set, random: &mut RandomStream, name: &str) -> usize {
    let mut values = Some(WitnessValues::new(Arc::new(set.model.clone())));
    let mut model = Some(set.model.clone());
    let check = set.script.instances().len().saturating_sub(1);
    let mut view = View {
        store: &mut set.store,
        script: &set.script,
        check,
        values: values.as_mut(),
        model: model.as_mut(),
        extended: false,
    };
    let edits: Vec<ScriptEdit> = (pass.propose)(&mut view).into_iter().flatten().collect();
    let model = model.expect("it was put there");
    let depends =
        |t| matches!(set.store.kind(t), Kind::Variable | Kind::Forall | Kind::Exists | Kind::Lambda | Kind::Match);
    let is_free = !terms(&set.store, &set.script).into_iter().any(depends);
    let before = is_free && satisfied(&set.store, &set.script, &model);
    let step = edits.len().div_ceil(SINGLE).max(1);
    let mut tries: Vec<Vec<&ScriptEdit>> = edits.iter().step_by(step).map(|edit| vec![edit]).collect();
    for _ in 0..SETS {
        tries.push(edits.iter().filter(|_| random.percent(50)).collect());
    }
    let count = tries.len();
    for some in tries {
        let script = EditPlan::new(some).apply(&mut set.store, &set.script);
        let text = set.store.script_text(&script);
        let mut again = set.store.clone();
        let parsed = smtlib::parse(&mut again, &text);
        if pass.name == MAY_READ_OTHERWISE {
            continue;
        }
        assert!(parsed.errors.is_empty(), "{} on {name}: {:?}\n{text}", pass.name, parsed.errors);
        let holds = satisfied(&set.store, &script, &model);
        assert_eq!(
            holds,
            satisfied(&again, &parsed.script, &model),
            "{} on {name}: it reads back as it is\n{text}",
            pass.name
        );
        if before && KEEP_TRUTH.contains(&pass.name) {
            assert!(holds, "{} on {name} makes an assertion untrue\n{text}", pass.name);
        }
    }
    count
}

#[test]
fn passes_keep_scripts_well_formed_and_the_witness_true() {
    let mut paths = Vec::new();
    seeds(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds"), &mut paths);
    paths.sort();
    assert!(!paths.is_empty());
    let (mut looked_at, mut certified) = (0, 0);
    for (n, path) in paths.iter().enumerate() {
        let mut random = mutate::unit_rng(7, n as u64);
        let Some(mut set) = set(path, &mut random) else { continue };
        certified += usize::from(satisfied(&set.store, &set.script, &set.model));
        let name = path.file_name().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default();
        for pass in passes::REGISTRY {
            looked_at += check(pass, &mut set, &mut random, &name);
        }
    }
    println!("{looked_at} candidates of {} seeds, {certified} of them with a witness", paths.len());
    assert!(certified * 2 > paths.len(), "most seeds have a witness, or the laws say nothing: {certified}");
}
