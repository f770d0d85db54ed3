//! Simplification passes over goals, shared by the fuzzing solver and the strategies.
