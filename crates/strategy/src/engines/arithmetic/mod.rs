//! Linear arithmetic: atoms as linear constraints, and the procedures that decide conjunctions of them.

pub mod difference;
pub mod integer;
pub mod linear;
pub mod potential;
pub mod scaled;
pub mod shorter;
pub mod simplex;
pub mod tableau;

pub use crate::constraint::{LinearConstraint, LinearForm, LinearRelation};
pub use integer::{ArithmeticAnswer, Conjunction};
pub use linear::{LinearError, LinearReader};
