//! Findings and campaigns of strangers.
