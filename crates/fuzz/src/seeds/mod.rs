//! Seeds in a campaign: their models, their partners, and the quarantine.

pub mod models;
pub mod partner;
pub mod quarantine;
