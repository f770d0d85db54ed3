//! Campaigns: seeds in, workers, oracles, findings out.
