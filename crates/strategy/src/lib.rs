//! Goals, tactics, tacticals and probes: decision engines orchestrated by a strategy language.
