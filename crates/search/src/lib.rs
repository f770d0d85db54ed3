//! The fuzzing solver: satisfying assignments found by search over compiled constraints.
