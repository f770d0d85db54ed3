//! Conjunctions of polynomial constraints over reals and integers: engines over one reader and one type of polynomials.

mod cover;
pub mod coverings;
mod cut;
pub mod gb;
pub mod icp;
pub mod interval;
pub mod limits;
mod line;
pub mod pcad;
pub mod polynomial;
mod project;
pub mod read;
mod roots;
