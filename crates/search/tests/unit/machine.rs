//! Unit tests of `src/machine.rs`.

use super::*;
use crate::lower::lower;
use rewrite::Stop;
use smtlib::Store;

fn program(text: &str) -> Arc<Program> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    let assertions = parsed.script.instances().remove(0).assertions;
    match lower(&mut store, &assertions, &Stop::default()) {
        Ok(lowered) => Arc::new(lowered.program),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[test]
fn nothing_is_compiled_too_late_and_code_takes_over() {
    let program = program("(declare-const x (_ BitVec 8))(assert (bvult x #x05))(check-sat)");
    let input = |value: u64| {
        let mut input = program.layout.zeros();
        program.layout.set(&mut input, 0, 0, value);
        input
    };
    let run = |machine: &mut ProgramRunner| {
        for value in [3u64, 4, 5, 200] {
            let distance = value.saturating_sub(4);
            assert_eq!(machine.fail_fast(&input(value)).distance, distance, "{value}");
        }
    };
    let mut late = ProgramRunner::new(program.clone(), Executor::Jit, Some(Instant::now()));
    run(&mut late);
    assert!(late.fail_fast.code.is_none() && late.try_all.code.is_none());
    // The interpreter and the code give the same scores.
    let mut machine = ProgramRunner::new(program.clone(), Executor::Auto, None);
    assert!(machine.fail_fast.code.is_none());
    for _ in 0..WORTH_IT {
        run(&mut machine);
    }
    assert_eq!(machine.fail_fast.code.is_some(), jit::AVAILABLE);
    run(&mut machine);
}
