//! Mutators: seeds with truths in, mutants with truths out.
