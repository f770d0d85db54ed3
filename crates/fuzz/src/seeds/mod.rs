//! Seeds in a campaign: their models, which go together, and those in quarantine.

pub mod models;
pub mod partner;
pub mod quarantine;
