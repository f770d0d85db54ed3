//! Families of seeds by logic and size: what a schedule knows about an untried seed.

use corpus::seed::SeedSource;
use mutate::rng::RandomStream;
use smtlib::sexpr::{ItemKind, TopLevelSexpr, atoms, bare, head, items};
use std::collections::BTreeMap;

/// The number of bytes of a seed searched for its logic; benchmarks set it within their first lines.
const HEAD: usize = 4096;
/// Sizes within this factor are considered equal, in powers of two.
const SIZES_ALIKE: u32 = 2;

/// The families of a campaign's seeds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Families {
    /// The family of each seed.
    of_seed: Vec<usize>,
    /// The seeds of each family in the order of trial: small before large, and in the campaign's own order within one size.
    order: Vec<Vec<usize>>,
}

impl Families {
    /// Sorts seeds into families. Unreadable ones form a family with others of their folder.
    pub fn of(seeds: &[SeedSource], draws: &mut RandomStream) -> Families {
        let looked: Vec<(String, u32)> = seeds.iter().map(look).collect();
        Families::new(&looked, draws)
    }

    /// Makes families from names and sizes, in powers of two of bytes.
    pub fn new(seeds: &[(String, u32)], draws: &mut RandomStream) -> Families {
        let mut names: BTreeMap<&str, usize> = seeds.iter().map(|(name, _)| (name.as_str(), 0)).collect();
        // Numbered by name, so that the same seeds always have the same families.
        names.values_mut().zip(0..).for_each(|(place, n)| *place = n);
        let of_seed: Vec<usize> = seeds.iter().map(|(name, _)| names[name.as_str()]).collect();
        let mut all: Vec<usize> = (0..seeds.len()).collect();
        draws.shuffle(&mut all);
        all.sort_by_key(|seed| seeds[*seed].1 / SIZES_ALIKE);
        let mut order = vec![Vec::new(); names.len()];
        for seed in all {
            order[of_seed[seed]].push(seed);
        }
        Families { of_seed, order }
    }

    /// Returns the number of families.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Returns the family of a seed.
    pub fn of_seed(&self, seed: usize) -> usize {
        self.of_seed[seed]
    }

    /// Returns the seeds of a family, in the order of trial.
    pub fn seeds(&self, family: usize) -> &[usize] {
        &self.order[family]
    }
}

/// Returns a seed's family and size, from its first bytes.
fn look(seed: &SeedSource) -> (String, u32) {
    let (size, head) = seed.head(HEAD).unwrap_or_default();
    let folder = || seed.name().rsplit('/').nth(1).unwrap_or_default().to_string();
    (logic(&head).unwrap_or_else(folder), size.checked_ilog2().unwrap_or(0))
}

/// Returns the logic that a text sets near its beginning.
fn logic(beginning: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(beginning);
    let command = |item: TopLevelSexpr| (item.kind == ItemKind::List).then(|| &text[item.span]);
    let command = items(&*text).filter_map(command).find(|command| head(command) == "set-logic")?;
    let name = &command[atoms(command).nth(1)?];
    (name.len() <= 64).then(|| bare(name).to_string())
}
