//! Ways of reducing a wrong `unsat` compared on the same files, after research question 4 of STORM (ESEC/FSE 2020).

pub mod corpus;
pub mod results;
pub mod run;
