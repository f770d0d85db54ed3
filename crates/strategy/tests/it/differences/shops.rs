//! Job shops: every job visits every machine once, in its own order, and a machine does one job at a time.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use std::fmt::Write as _;

/// By job: its operations in their order, each a machine and a duration.
pub struct JobShop(pub Vec<Vec<(usize, i64)>>);

impl JobShop {
    pub fn random(rng: &mut Rng, jobs: usize, machines: usize, longest: i64) -> JobShop {
        let job = |rng: &mut Rng| {
            let mut order: Vec<usize> = (0..machines).collect();
            for k in (1..machines).rev() {
                order.swap(k, rng.random_range(0..=k));
            }
            order.into_iter().map(|machine| (machine, rng.random_range(1..=longest))).collect()
        };
        JobShop((0..jobs).map(|_| job(rng)).collect())
    }

    /// A deadline that is met by one job after the other.
    pub fn loosest(&self) -> i64 {
        self.0.iter().flatten().map(|operation| operation.1).sum()
    }

    /// No schedule is shorter than the longest job, or than the work of a machine.
    pub fn bound(&self) -> i64 {
        let jobs = self.0.iter().map(|job| job.iter().map(|operation| operation.1).sum());
        let on = |machine: usize| self.0.iter().flatten().filter(|o| o.0 == machine).map(|o| o.1).sum();
        jobs.chain((0..self.0[0].len()).map(on)).max().unwrap_or(0)
    }

    /// Whether all jobs can end by a deadline, in integers or in reals, with all numbers multiplied by a factor.
    pub fn script(&self, deadline: i64, real: bool, times: i64) -> String {
        let sort = if real { "Real" } else { "Int" };
        let number = |n: i64| {
            let (n, dot) = (i128::from(n) * i128::from(times), if real { ".0" } else { "" });
            if n < 0 { format!("(- {}{dot})", -n) } else { format!("{n}{dot}") }
        };
        let mut text = format!("(declare-const start {sort})\n");
        for (j, job) in self.0.iter().enumerate() {
            for k in 0..job.len() {
                writeln!(text, "(declare-const s{j}_{k} {sort})").unwrap();
            }
            writeln!(text, "(assert (<= start s{j}_0))").unwrap();
            for k in 1..job.len() {
                writeln!(text, "(assert (>= (- s{j}_{k} s{j}_{}) {}))", k - 1, number(job[k - 1].1)).unwrap();
            }
            let last = job.len() - 1;
            writeln!(text, "(assert (<= (- s{j}_{last} start) {}))", number(deadline - job[last].1)).unwrap();
        }
        let operations = || {
            self.0.iter().enumerate().flat_map(|(j, job)| job.iter().enumerate().map(move |(k, o)| (j, k, o.0, o.1)))
        };
        for (j, k, machine, duration) in operations() {
            for (i, l, _, other) in operations().filter(|o| o.0 < j && o.2 == machine) {
                writeln!(
                    text,
                    "(assert (or (>= (- s{j}_{k} s{i}_{l}) {}) (>= (- s{i}_{l} s{j}_{k}) {})))",
                    number(other),
                    number(duration)
                )
                .unwrap();
            }
        }
        text + "(check-sat)"
    }
}
