//! Second parents: the logics and statuses of seeds, and which seeds can be combined.

use crate::under_test::Target;
use corpus::seed::{Seed, SeedSource};
use mutate::rng::RandomStream;
use oracle::translate;
use smtlib::{Status, Store};
use solver::outcome::{Answer, SolverOutcome};
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::sync::OnceLock;
use std::time::Duration;

/// The number of seeds tried as the partner of one.
const TRIES: u32 = 12;

/// The maximum CPU time of the reference solver to determine the status of a seed.
const PATIENCE: Duration = Duration::from_secs(1);

/// The properties that decide whether two seeds can be combined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartnerLabel {
    /// Its logic.
    pub logic: Option<Box<str>>,
    /// The status of each check.
    pub statuses: Vec<Option<Status>>,
}

impl PartnerLabel {
    /// Returns the statuses as letters: `s`, `u`, and `-` where it is unknown.
    pub fn letters(&self) -> String {
        let letter = |status: &Option<Status>| match status {
            Some(Status::Sat) => 's',
            Some(Status::Unsat) => 'u',
            Some(Status::Unknown) | None => '-',
        };
        self.statuses.iter().map(letter).collect()
    }

    /// Makes a label from a logic and the letters of [`PartnerLabel::letters`].
    pub fn of_letters(logic: Option<&str>, letters: &str) -> PartnerLabel {
        let status = |letter: char| match letter {
            's' => Some(Status::Sat),
            'u' => Some(Status::Unsat),
            _ => None,
        };
        PartnerLabel { logic: logic.map(Into::into), statuses: letters.chars().map(status).collect() }
    }
}

/// The parts of the campaign that finding labels needs.
pub(crate) trait LabelContext {
    /// Returns the seeds of the campaign.
    fn seeds(&self) -> &[SeedSource];
    /// Returns the reference solver, if there is one.
    fn reference(&self) -> Option<&Target>;
    /// Returns the limits of one solver run.
    fn limits(&self) -> &ProcessLimits;
    /// Asks a solver. `None` if the campaign ends meanwhile, or the solver cannot be run.
    fn ask(&self, target: &Target, text: &str, purpose: SessionNeeds, limits: &ProcessLimits) -> Option<SolverOutcome>;
    /// Whether the label of a seed, identified by its SHA-256, is refuted.
    fn is_quarantined(&self, sha256: &str) -> bool;
    /// Called for each label found, to store it with the campaign.
    fn labelled(&self, seed: usize, label: &PartnerLabel);
}

/// The labels found so far, one slot per seed; each is found once.
#[derive(Debug)]
pub(crate) struct Labels {
    places: Vec<OnceLock<PartnerLabel>>,
}

impl Labels {
    pub(crate) fn new(seeds: usize) -> Labels {
        Labels { places: (0..seeds).map(|_| OnceLock::new()).collect() }
    }

    /// Restores earlier labels.
    pub(crate) fn restore(&self, known: &[(usize, PartnerLabel)]) {
        for (number, label) in known {
            if let Some(place) = self.places.get(*number) {
                let _ = place.set(label.clone());
            }
        }
    }

    /// Sets the status of every instance of a seed, if known: from the file itself, its folder, or the reference solver.
    pub(crate) fn apply(&self, number: usize, seed: &mut Seed, context: &dyn LabelContext) -> &PartnerLabel {
        let label = self.places[number].get_or_init(|| {
            let label = find(seed, context);
            context.labelled(number, &label);
            label
        });
        for (instance, status) in seed.instances.iter_mut().zip(&label.statuses) {
            instance.status = *status;
        }
        label
    }

    /// Returns a seed that can be combined with another one, read into `store`: of the same logic, with a check whose status is the same
    /// or unknown. The check is the second of the pair.
    pub(crate) fn partner(
        &self,
        of: (&PartnerLabel, usize),
        store: &Store,
        choices: &mut RandomStream,
        context: &dyn LabelContext,
    ) -> Option<(usize, Seed, usize)> {
        let (label, instance) = of;
        let wanted = label.statuses.get(instance).copied().flatten();
        for _ in 0..TRIES {
            let number = choices.index(self.places.len());
            // Looked up only to save the reading: an unknown label gives the same result below.
            if self.places[number].get().is_some_and(|other| other.logic != label.logic) {
                continue;
            }
            let Ok(mut seed) = context.seeds()[number].load_into(store.clone()) else { continue };
            let is_wrong = context.is_quarantined(&seed.sha256);
            if is_wrong || self.apply(number, &mut seed, context).logic != label.logic {
                continue;
            }
            let fits = |status: Option<Status>| wanted.is_none() || status.is_none() || status == wanted;
            let checks: Vec<usize> = (0..seed.instances.len()).filter(|&n| fits(seed.instances[n].status)).collect();
            if !checks.is_empty() {
                let check = checks[choices.index(checks.len())];
                return Some((number, seed, check));
            }
        }
        None
    }
}

fn find(seed: &Seed, context: &dyn LabelContext) -> PartnerLabel {
    let own = corpus::own_statuses(seed).0;
    let mut statuses: Vec<Option<Status>> =
        seed.instances.iter().map(|i| own.get(i.check).copied().flatten()).collect();
    if statuses.iter().all(Option::is_none) {
        statuses = of_reference(seed, context).unwrap_or(statuses);
    }
    let logic = seed.instances.first().and_then(|i| i.logic).map(|logic| seed.store.name(logic).into());
    PartnerLabel { logic, statuses }
}

/// Returns the reference solver's answer, for seeds with one check: only then the answer surely belongs to it.
fn of_reference(seed: &Seed, context: &dyn LabelContext) -> Option<Vec<Option<Status>>> {
    let reference = context.reference().filter(|reference| !reference.tested.solver.is_builtin())?;
    let limits = context.limits();
    let limits = ProcessLimits { script_cpu: Some(PATIENCE), ..limits.clone() };
    let text = translate::script(&seed.store, &seed.script.commands, &reference.tested);
    if seed.instances.len() != 1 || reference.tested.misread(&text).is_some() {
        return None;
    }
    let outcome = context.ask(reference, &text, SessionNeeds::SINGLE, &limits)?;
    let [check] = &outcome.answers[..] else { return None };
    Some(vec![match check.answer {
        Answer::Sat => Some(Status::Sat),
        Answer::Unsat => Some(Status::Unsat),
        _ => None,
    }])
}
