//! Campaigns over solver variants, modes and logics, and the causes that they find, after research question 1 of STORM (ESEC/FSE 2020).

pub mod arms;
pub mod causes;
