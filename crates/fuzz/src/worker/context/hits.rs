//! What is done with a hit: it is counted, confirmed and saved as a finding.

use super::{MAX_SEED_COPY, UnitContext};
use crate::counts::stats::add;
use crate::state::event::CampaignEvent;
use crate::state::finding_index::{GroupKey, HitWorth};
use crate::under_test::Target;
use crate::worker::job::JobContext;
use crate::worker::{record, refuted};
use finding::folder::{FindingFile, SentFile};
use finding::record::Effort;
use finding::{BugClass, Finding, FindingKind, FindingOrigin, symptom};
use oracle::Hit;
use oracle::candidate::{Candidate, ScriptSource};
use oracle::confirm::{self, Dropped};
use oracle::model_oracle::{self, Examined, ScriptVerdict};
use oracle::question::asking_for_models;
use oracle::tested::TestedSolver;
use solver::session::SessionNeeds;

/// A hit because of the solver's own error message about its model.
#[derive(Clone, Copy)]
struct Accused<'a> {
    candidate: Candidate<'a>,
    /// The candidate's text, with a request for models.
    asking: &'a str,
    /// The solver's model, judged.
    examined: &'a Examined,
}

impl<'c> UnitContext<'c> {
    /// Confirms a hit and passes it on, or counts it.
    pub(crate) fn hit(&self, key: &GroupKey, candidate: Candidate<'_>, job: &JobContext<'_>, target: &Target) {
        let campaign = self.campaign;
        // A stand-in is wrong on purpose, for measurements.
        if target.tested.solver.is_builtin() {
            return;
        }
        // Counted separately, so that their group stays open for texts that the solver reads correctly. A crash is a crash whatever the
        // text means.
        if candidate.hit.class != BugClass::D && target.tested.misread(candidate.text).is_some() {
            return add(&self.counters.misread, 1);
        }
        let worth = match campaign.source.worth(key, candidate.text.len()) {
            HitWorth::NewCause if !self.is_wanted(key, &candidate, job, target) => HitWorth::Nothing,
            worth => worth,
        };
        if worth != HitWorth::Nothing {
            self.examine(key, candidate, job, target);
        }
        let confirmed = self.confirm_cpu.take();
        self.counters.confirmed(confirmed);
        if worth != HitWorth::NewCause {
            self.counters.known(candidate.outcome.cpu + confirmed);
        }
    }

    /// Whether a hit may have an unknown cause, according to earlier reductions of its kind.
    fn is_wanted(&self, key: &GroupKey, candidate: &Candidate<'_>, job: &JobContext<'_>, target: &Target) -> bool {
        if !symptom::needs_reduction(key.class, &key.symptom) {
            return true;
        }
        let ScriptSource::Mutant { mutator, parameters, .. } = candidate.source else { return true };
        let theory = parameters.iter().find(|(name, _)| *name == "theory").map(|(_, theory)| theory.as_str());
        let seed = candidate.source.has_seed().then_some((job.seed.name.as_str(), job.logic));
        let kind = FindingKind {
            class: key.class,
            solver: target.tested.label.clone(),
            mode: key.mode.clone(),
            options: key.options.clone(),
            origin: FindingOrigin::new(mutator, &key.mode, theory, seed),
        };
        self.campaign.source.is_wanted(key, &kind)
    }

    /// Confirms a hit, or the one that its model makes of it.
    fn examine(&self, key: &GroupKey, candidate: Candidate<'_>, job: &JobContext<'_>, target: &Target) {
        let asking = asking_for_models(candidate.text);
        match confirm::accused_model(candidate, &asking, &target.tested) {
            Some(examined) => {
                self.confirm_cpu.add(examined.outcome.cpu);
                self.accused(Accused { candidate, asking: &asking, examined: &examined }, key, job, target);
            }
            None => self.confirm(key, candidate, job, target),
        }
    }

    /// Handles a solver's message against its own model: our evaluator may refute the model, or prove it right.
    fn accused(&self, accused: Accused<'_>, key: &GroupKey, job: &JobContext<'_>, target: &Target) {
        let Accused { candidate, asking, examined } = accused;
        let as_hit = |hit: &Hit| GroupKey { class: hit.class, symptom: hit.symptom.clone(), ..key.clone() };
        if let ScriptVerdict::Invalid(found) = &examined.verdict
            && let Some(hit) = model_oracle::hit(&examined.verdict)
        {
            let key = as_hit(&hit);
            let purpose = candidate.purpose | SessionNeeds::MODELS;
            let (outcome, false_assertion) = (&examined.outcome, Some(found));
            let candidate = Candidate { hit: &hit, text: asking, purpose, outcome, false_assertion, ..candidate };
            if self.campaign.source.worth(&key, asking.len()) != HitWorth::Nothing {
                self.confirm(&key, candidate, job, target);
            }
            return;
        }
        if examined.verdict != ScriptVerdict::Valid {
            return self.confirm(key, candidate, job, target);
        }
        let hit = Hit { class: BugClass::E, ..candidate.hit.clone() };
        let key = as_hit(&hit).grouped();
        if self.campaign.source.worth(&key, candidate.text.len()) != HitWorth::Nothing {
            self.confirm(&key, Candidate { hit: &hit, ..candidate }, job, target);
        }
    }

    /// Confirms a hit and passes it on, or counts it.
    pub(super) fn confirm(&self, key: &GroupKey, candidate: Candidate<'_>, job: &JobContext<'_>, target: &Target) {
        let campaign = self.campaign;
        let others = campaign.reference.into_iter().chain(campaign.targets).map(|other| &other.tested);
        let others: Vec<&TestedSolver> = others.filter(|other| other.label != target.tested.label).collect();
        match confirm::confirm(candidate, &target.tested, &others) {
            Ok(confirmed) => {
                let key = GroupKey { flaky: !confirmed.repeats.confirmed(), ..key.clone() };
                let build = &self.campaign.config.build;
                let finding = record::finding(&candidate, &confirmed, job, target, &key.mode, build);
                // The owner of the whole campaign adds the effort before this unit.
                let finding = Finding { effort: Some(self.effort()), ..finding };
                let witness = record::witness_file(&candidate).or_else(|| confirmed.witness.clone());
                let output = record::output_file(candidate.outcome, candidate.false_assertion);
                let mut files: Vec<SentFile<'_>> =
                    vec![(FindingFile::Mutant, candidate.text.as_bytes()), (FindingFile::Output, output.as_bytes())];
                if !candidate.earlier.is_empty() {
                    files.push((FindingFile::Predecessors, candidate.earlier.as_bytes()));
                }
                let pair = confirmed.pair.as_ref();
                files.extend(pair.map(|[first, _]| (FindingFile::First, first.as_bytes())));
                files.extend(pair.map(|[_, second]| (FindingFile::Second, second.as_bytes())));
                files.extend(witness.as_ref().map(|text| (FindingFile::Witness, text.as_bytes())));
                let seed = self.seed_of(candidate.source, job);
                files.extend(seed.as_ref().map(|bytes| (FindingFile::Seed, bytes.as_slice())));
                campaign.source.found(&key, &finding, &files);
            }
            Err(Dropped::NotRun(_)) => {}
            Err(reason) => {
                let told = (!candidate.hit.class.needs_another()).then(|| CampaignEvent::Unconfirmed {
                    class: candidate.hit.class,
                    solver: target.tested.label.clone(),
                    seed: candidate.source.has_seed().then(|| job.seed.name.clone()),
                    reason: reason.to_string(),
                });
                campaign.source.unconfirmed(key, told);
                if matches!(candidate.source, ScriptSource::Seed)
                    && let Some(entry) =
                        refuted::quarantine_entry(candidate, &reason, job.seed, &target.tested, &others)
                {
                    campaign.source.quarantine(entry, candidate.text);
                }
            }
        }
    }

    /// Returns the effort of the current unit; its wall-clock time is the campaign's.
    fn effort(&self) -> Effort {
        let counts = self.counters.snapshot();
        Effort { mutants: counts.mutants, wall_s: 0.0, cpu_s: counts.solver_cpu().as_secs_f64() }
    }

    /// Returns the seed of a script, to be stored with it. `None` if the script is the seed, if it was generated, or if the seed is large
    /// and its name and hash must suffice.
    fn seed_of(&self, source: &ScriptSource, job: &JobContext<'_>) -> Option<Vec<u8>> {
        if !source.has_seed() || matches!(source, ScriptSource::Seed) {
            return None;
        }
        let bytes = self.campaign.config.seeds.get(job.slot.seed)?.bytes().ok()?;
        (bytes.len() <= MAX_SEED_COPY).then_some(bytes)
    }
}
