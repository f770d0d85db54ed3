//! Budgets: memory, a flag and a deadline.

use semantics::{Exhausted, Meter, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

#[test]
fn memory_is_taken_once() {
    let mut meter = Meter::new(Stop::default(), 100);
    assert_eq!(meter.take(60), Ok(()));
    assert_eq!(meter.take(60), Err(Exhausted::Memory { limit: 100 }));
    assert_eq!(meter.take(40), Ok(()));
    assert_eq!((meter.left(), meter.tick()), (0, Ok(())));
}

#[test]
fn a_flag_and_a_deadline_stop() {
    let flag = Arc::new(AtomicBool::new(false));
    let stop = Stop { deadline: None, cancelled: Some(Arc::clone(&flag)) };
    let mut meter = Meter::new(stop.clone(), 100);
    assert!((0..1000).all(|_| meter.tick().is_ok()));
    flag.store(true, Ordering::Relaxed);
    assert!((0..64).any(|_| meter.tick().is_err()));
    let passed = Stop { deadline: Some(Instant::now()), cancelled: None };
    assert_eq!(passed.check(), Err(Exhausted::Stopped));
    assert_eq!(Meter::new(passed, 1 << 20).take(1 << 13), Err(Exhausted::Stopped));
}
