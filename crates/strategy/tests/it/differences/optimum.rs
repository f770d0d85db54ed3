//! The shortest schedule of a small job shop, by trying every order on every machine.

use super::shops::JobShop;

impl JobShop {
    /// The least deadline, by trying every order on every machine.
    pub fn optimum(&self) -> i64 {
        let orders = permutations(self.0.len());
        let machines = self.0[0].len();
        let mut best = i64::MAX;
        for mut choice in 0..orders.len().pow(machines as u32) {
            let mut chosen = Vec::new();
            for _ in 0..machines {
                chosen.push(&orders[choice % orders.len()]);
                choice /= orders.len();
            }
            best = best.min(self.length(&chosen).unwrap_or(i64::MAX));
        }
        best
    }

    /// Returns when the last job ends with these orders on the machines; `None` if they wait for each other.
    fn length(&self, orders: &[&Vec<usize>]) -> Option<i64> {
        let (mut next, mut done) = (vec![0; self.0.len()], vec![0; orders.len()]);
        let (mut job_free, mut machine_free) = (vec![0; self.0.len()], vec![0; orders.len()]);
        for _ in 0..self.0.len() * orders.len() {
            let ready =
                |&j: &usize| self.0[j].get(next[j]).is_some_and(|&(machine, _)| orders[machine][done[machine]] == j);
            let j = (0..self.0.len()).find(ready)?;
            let (machine, duration) = self.0[j][next[j]];
            let end = i64::max(job_free[j], machine_free[machine]) + duration;
            (job_free[j], machine_free[machine]) = (end, end);
            next[j] += 1;
            done[machine] += 1;
        }
        job_free.into_iter().max()
    }
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for next in 0..n {
        found = found
            .iter()
            .flat_map(|short| {
                (0..=short.len()).map(move |at| {
                    let mut longer = short.clone();
                    longer.insert(at, next);
                    longer
                })
            })
            .collect();
    }
    found
}
