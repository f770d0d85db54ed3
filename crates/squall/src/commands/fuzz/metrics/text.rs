//! Metrics in the text exposition format of Prometheus (version 0.0.4).

use super::CampaignMetrics;
use ::finding::BugClass;
use std::fmt::Write;

/// Returns all metrics of a campaign.
pub fn exposition(known: &CampaignMetrics) -> String {
    let mut page = Page::default();
    let solvers = known.solvers.join(", ");
    let labels = [("version", env!("CARGO_PKG_VERSION")), ("solvers", solvers.as_str())];
    page.family("squall_info", "gauge", "The campaign's identity.");
    page.sample("squall_info", &labels, 1.0);
    let one = |page: &mut Page, name: &str, kind: &str, help: &str, value: f64| {
        page.family(name, kind, help);
        page.sample(name, &[], value);
    };
    one(&mut page, "squall_running", "gauge", "1 while the campaign runs.", f64::from(u8::from(known.running)));
    one(&mut page, "squall_paused", "gauge", "1 while the user pauses it.", f64::from(u8::from(known.detail.paused)));
    one(&mut page, "squall_campaign_seed", "gauge", "The campaign's seed.", known.seed as f64);
    one(&mut page, "squall_seeds", "gauge", "Seed files given.", known.seeds as f64);
    let working = known.detail.workers.iter().flatten().count();
    one(&mut page, "squall_workers", "gauge", "Worker threads.", known.jobs as f64);
    one(&mut page, "squall_workers_busy", "gauge", "Worker threads that work on a unit.", working as f64);
    one(&mut page, "squall_reduced_total", "counter", "Findings reduced in this run.", known.reduced as f64);
    let pass = known.detail.pass;
    one(&mut page, "squall_pass", "gauge", "The pass over all pairs of seed and solver, from 1.", pass.number as f64);
    one(&mut page, "squall_pass_pairs", "gauge", "Pairs that are not skipped.", pass.pairs as f64);
    one(&mut page, "squall_pass_pairs_done", "gauge", "Pairs visited in this pass.", pass.done as f64);
    let Some(standing) = &known.standing else { return page.text };
    let (counts, tally) = (&standing.counts, &standing.tally);
    one(&mut page, "squall_wall_seconds_total", "counter", "Running time of all runs.", standing.wall_s);
    one(&mut page, "squall_cpu_seconds_total", "counter", "CPU time of squall and the solvers.", standing.cpu_s);
    one(&mut page, "squall_solver_cpu_seconds_total", "counter", "CPU time of the solvers.", standing.solver_cpu_s);
    one(
        &mut page,
        "squall_seeds_skipped",
        "gauge",
        "Seeds that are skipped, since they gave no answer.",
        standing.skipped as f64,
    );
    if let Some(count) = standing.causes {
        one(&mut page, "squall_causes", "gauge", "Causes of reduced findings.", count.causes as f64);
        let help = "Findings that are not reduced and have no known cause.";
        one(&mut page, "squall_not_reduced", "gauge", help, count.not_reduced as f64);
    }
    for (name, n) in counts.named().filter(|(name, _)| *name != "solver_cpu_ns") {
        one(&mut page, &format!("squall_{name}_total"), "counter", help(name), n as f64);
    }
    page.family(
        "squall_findings_total",
        "counter",
        "Confirmed findings by class, of mutants and of seeds sent as they are.",
    );
    for (origin, findings) in [("mutant", &tally.findings), ("seed", &tally.seed_findings)] {
        for class in BugClass::all() {
            let n = findings.get(&class).copied().unwrap_or(0);
            page.sample("squall_findings_total", &[("class", class.letter()), ("origin", origin)], n as f64);
        }
    }
    let others = [("repeat", tally.repeats), ("flaky", tally.flaky), ("unconfirmed", tally.unconfirmed)];
    page.family("squall_hits_total", "counter", "Hits that are not kept as findings.");
    others.iter().for_each(|(kind, n)| page.sample("squall_hits_total", &[("kind", kind)], *n as f64));
    page.family("squall_answers_total", "counter", "Answers of this run by solver.");
    for (solver, answers) in &known.detail.answers {
        for (answer, n) in answers {
            page.sample("squall_answers_total", &[("solver", solver), ("answer", answer)], *n as f64);
        }
    }
    page.text
}

fn help(name: &str) -> &'static str {
    match name {
        "mutants" => "Mutants sent.",
        "seeds" => "Seed files sent as they are.",
        "units" => "Units of work done.",
        "sat" | "unsat" | "unknown" => "Checks with this answer.",
        "timeouts" | "memouts" => "Checks that hit a limit.",
        "errors" => "Checks voided by an error of dialect or options.",
        _ => "See docs/fuzz.md.",
    }
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        self.text.push_str(name);
        for (n, (label, text)) in labels.iter().enumerate() {
            let _ = write!(self.text, "{}{label}=\"{}\"", if n == 0 { '{' } else { ',' }, escaped(text));
        }
        let end = if labels.is_empty() { "" } else { "}" };
        let _ = writeln!(self.text, "{end} {value}");
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
#[path = "../../../../tests/unit/text.rs"]
mod tests;
