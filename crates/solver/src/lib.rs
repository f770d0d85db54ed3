//! Solver programs: profiles, installed versions, processes and answers.
