//! Profiles that extend others: missing fields are inherited.

use crate::profile::{CommandOptions, Profile, ScriptGate};
use crate::version::VersionRange;

impl Profile {
    /// Fills in missing fields from another profile. Lists hold the other's entries followed by its own; but file names of programs, the
    /// wheel, the crate and the build are never inherited, since these belong to another program.
    pub(crate) fn over(self, base: &Profile) -> Profile {
        let base = base.clone();
        let mut dialect = base.dialect;
        for known in &mut dialect {
            known.lacks.retain(|name| !self.has.contains(name));
        }
        Profile {
            name: self.name,
            extends: self.extends,
            family: self.family.or(base.family).or(Some(base.name)),
            title: self.title.or(base.title),
            tracker: self.tracker.or(base.tracker),
            form: joined(base.form, self.form),
            executables: self.executables,
            wheel: self.wheel,
            cargo: self.cargo,
            build: self.build,
            has: self.has,
            // If both define a probe or an input, a default cannot be distinguished from an intended value.
            version: if self.version == Default::default() { base.version } else { self.version },
            input: if self.input == Default::default() { base.input } else { self.input },
            memory: if self.memory == Default::default() { base.memory } else { self.memory },
            options: self.options.over(base.options),
            logics: joined(base.logics, self.logics),
            needs_logic: self.needs_logic || base.needs_logic,
            gives_models: narrower(self.gives_models, base.gives_models),
            simplify: self.simplify.or(base.simplify),
            incremental: narrower(self.incremental, base.incremental),
            incremental_lacks: joined(base.incremental_lacks, self.incremental_lacks),
            script_options: joined(base.script_options, self.script_options),
            gate: ScriptGate {
                numbers: joined(base.gate.numbers, self.gate.numbers),
                words: base.gate.words.into_iter().chain(self.gate.words).collect(),
            },
            continued_execution: self.continued_execution || base.continued_execution,
            reset_works: self.reset_works || base.reset_works,
            variants: base.variants.into_iter().chain(self.variants).collect(),
            dialect: joined(dialect, self.dialect),
            tactic: joined(base.tactic, self.tactic),
            crash: joined(base.crash, self.crash),
            self_check: joined(base.self_check, self.self_check),
            unsupported: joined(base.unsupported, self.unsupported),
            complete: joined(base.complete, self.complete),
            error_texts: joined(base.error_texts, self.error_texts),
            ignore: joined(base.ignore, self.ignore),
            known: joined(base.known, self.known),
            mode: joined(base.mode, self.mode),
            proof: self.proof.or(base.proof),
            experimental_theories: joined(base.experimental_theories, self.experimental_theories),
            choice: joined(base.choice, self.choice),
            switches: joined(base.switches, self.switches),
        }
    }
}

impl CommandOptions {
    fn over(self, base: CommandOptions) -> CommandOptions {
        let own = |own: Vec<String>, base| if own.is_empty() { base } else { own };
        CommandOptions {
            base: own(self.base, base.base),
            added: own(self.added, base.added),
            incremental: own(self.incremental, base.incremental),
            models: own(self.models, base.models),
            cores: own(self.cores, base.cores),
            proofs: own(self.proofs, base.proofs),
            check_proofs: own(self.check_proofs, base.check_proofs),
            validate: own(self.validate, base.validate),
            random_seed: own(self.random_seed, base.random_seed),
        }
    }
}

fn joined<T>(mut first: Vec<T>, second: Vec<T>) -> Vec<T> {
    first.extend(second);
    first
}

/// Returns its own range, or the other's if it includes all versions.
fn narrower(own: VersionRange, base: VersionRange) -> VersionRange {
    if own == VersionRange::default() { base } else { own }
}
