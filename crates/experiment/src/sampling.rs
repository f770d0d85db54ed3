//! Stratified sampling: a representative subset of the problems.

use crate::problem::{BenchProblem, SuiteManifest};
use search::rng::Random;
use smtlib::Status;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// The width of a bin of published times, in seconds, and where the last one begins, as in the JFS paper's evaluation
/// (`result-info-histogram-inv-pick` in the `smt-runner` of its artifact).
const BIN: u64 = 5;
const LAST: u64 = 120;

/// The strata of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SampleStrata {
    /// By suite and known answer: each stratum has its share of the sample.
    #[default]
    Answer,
    /// By suite, then published times, the solvers of the manifest in turn. A bin of few files is as likely as one of many: hard files are
    /// not lost among easy ones.
    Time,
}

impl FromStr for SampleStrata {
    type Err = String;

    fn from_str(text: &str) -> Result<SampleStrata, String> {
        match text {
            "answer" => Ok(SampleStrata::Answer),
            "time" => Ok(SampleStrata::Time),
            _ => Err(format!("problems are not sampled by '{text}'; choose answer or time")),
        }
    }
}

impl Display for SampleStrata {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SampleStrata::Answer => "answer",
            SampleStrata::Time => "time",
        })
    }
}

/// Draws at most `count` of the problems, in their order. The same seed gives the same sample.
/// Errors: the strata are published times, and the manifest has none for these problems.
pub fn sample(
    problems: Vec<BenchProblem>,
    manifest: &SuiteManifest,
    (strata, count): (SampleStrata, usize),
    seed: u64,
) -> Result<Vec<BenchProblem>, String> {
    if count >= problems.len() {
        return Ok(problems);
    }
    let mut random = Random::from_seed(seed);
    let mut groups: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (n, problem) in problems.iter().enumerate() {
        let answer = match strata {
            SampleStrata::Answer => problem.expected.first().copied().flatten().map_or("unknown", Status::word),
            SampleStrata::Time => "",
        };
        groups.entry((&problem.suite, answer)).or_default().push(n);
    }
    let groups: Vec<Vec<usize>> = groups.into_values().collect();
    let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
    let mut chosen = BTreeSet::new();
    for (group, share) in groups.into_iter().zip(shares(&sizes, count)) {
        chosen.extend(match strata {
            SampleStrata::Answer => any(group, share, &mut random),
            SampleStrata::Time => by_time(&problems, &group, manifest, share, &mut random)?,
        });
    }
    let numbered = problems.into_iter().enumerate();
    Ok(numbered.filter(|(n, _)| chosen.contains(n)).map(|(_, problem)| problem).collect())
}

/// Distributes `count` places over groups in proportion to their sizes, by the method of Webster and Sainte-Laguë, with at least one place
/// per group if there are enough.
fn shares(sizes: &[usize], count: usize) -> Vec<usize> {
    let mut shares = vec![0usize; sizes.len()];
    for _ in 0..count {
        let open = (0..sizes.len()).filter(|&n| shares[n] < sizes[n]);
        // The first group without a place, else the one whose size over 2 places + 1 is largest.
        let claim = |n: &usize| match shares[*n] {
            0 => (1, sizes[*n] as f64),
            places => (0, sizes[*n] as f64 / (2 * places + 1) as f64),
        };
        let next = open.max_by(|a, b| {
            let ((first_a, size_a), (first_b, size_b)) = (claim(a), claim(b));
            first_a.cmp(&first_b).then(size_a.total_cmp(&size_b)).then(b.cmp(a))
        });
        match next {
            Some(n) => shares[n] += 1,
            None => break,
        }
    }
    shares
}

/// Draws from a group uniformly.
fn any(mut group: Vec<usize>, share: usize, random: &mut Random) -> Vec<usize> {
    let take = |_| (!group.is_empty()).then(|| group.swap_remove(random.index(group.len())));
    (0..share).map_while(take).collect()
}

/// Draws from a group by the published times of its files. The solvers take turns; each draws a file from its histogram, a bin with a
/// probability inversely proportional to the number of files left in it. Files that a solver did not solve are in the last bin.
fn by_time(
    problems: &[BenchProblem],
    group: &[usize],
    manifest: &SuiteManifest,
    share: usize,
    random: &mut Random,
) -> Result<Vec<usize>, String> {
    let mut histograms = Vec::new();
    for solver in &manifest.solvers {
        let mut bins: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        let mut is_timed = false;
        for &n in group {
            let cell = manifest.rows.get(&problems[n].name).and_then(|row| row.published.get(solver));
            let time = cell.and_then(|cell| cell.parse::<f64>().ok()).filter(|time| *time >= 0.0);
            is_timed |= time.is_some();
            let bin = time.map_or(LAST, |time| (time as u64).min(LAST)) / BIN;
            bins.entry(bin).or_default().push(n);
        }
        if is_timed {
            histograms.push(bins.into_values().collect::<Vec<_>>());
        }
    }
    if histograms.is_empty() {
        let suite = group.first().map_or("", |&n| &problems[n].suite);
        return Err(format!("no manifest.tsv has published times for the files of {suite}; sample by answer instead"));
    }
    let mut chosen: Vec<usize> = Vec::new();
    'all: loop {
        for bins in &mut histograms {
            if chosen.len() == share {
                break 'all;
            }
            // Files drawn for another solver are removed from this one's histogram, too.
            bins.iter_mut().for_each(|bin| bin.retain(|n| !chosen.contains(n)));
            bins.retain(|bin| !bin.is_empty());
            let Some(bin) = unlikely(bins, random) else { break 'all };
            let at = random.index(bins[bin].len());
            chosen.push(bins[bin].swap_remove(at));
        }
    }
    Ok(chosen)
}

/// Draws a bin with a probability inversely proportional to its size.
fn unlikely(bins: &[Vec<usize>], random: &mut Random) -> Option<usize> {
    let weight = |bin: &Vec<usize>| 1.0 / bin.len() as f64;
    let sum: f64 = bins.iter().map(weight).sum();
    let mut at = (random.bits() >> 11) as f64 / (1u64 << 53) as f64 * sum;
    let hit = bins.iter().position(|bin| {
        at -= weight(bin);
        at < 0.0
    });
    hit.or(bins.len().checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn places_are_shared_in_proportion() {
        let check =
            |sizes: &[usize], count, expect: &[usize]| assert_eq!(shares(sizes, count), expect, "{sizes:?} {count}");
        check(&[60, 30, 10], 10, &[6, 3, 1]);
        check(&[60, 30, 10], 3, &[1, 1, 1]);
        check(&[60, 30, 10], 2, &[1, 1, 0]);
        check(&[97, 1, 1, 1], 20, &[17, 1, 1, 1]);
        check(&[2, 2], 100, &[2, 2]);
        check(&[], 5, &[]);
        check(&[5, 5], 0, &[0, 0]);
    }
}
