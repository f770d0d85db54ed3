//! The live screen of a recorded campaign, for pictures.

use super::model::LiveState;
use super::view;
use ::finding::CauseCount;
use ::fuzz::CampaignEvent;
use ::fuzz::counts::stats::Snapshot;
use ::fuzz::persist::history::CampaignRun;
use ::fuzz::state::event::{CampaignStatus, Detail};
use ::fuzz::state::finding_index::FindingCounts;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use std::convert::Infallible;
use triage::hit_groups::HitGroups;

/// Draws the live screen at the end of a run, on a terminal of the given columns and lines.
///
/// Workers are not shown: none is busy.
/// Errors: none, since no device is involved.
pub fn last_screen(
    run: &CampaignRun,
    folder: &str,
    totals: &Snapshot,
    (causes, count): (HitGroups, CauseCount),
    size: (u16, u16),
) -> Result<Buffer, Infallible> {
    let mut model = LiveState::new(None);
    model.solvers.clone_from(&run.solvers);
    model.out = folder.to_string();
    model.has_seeds = run.seeds > 0;
    for point in &run.points {
        model.apply(&CampaignEvent::Progress(Box::new(CampaignStatus {
            wall_s: point.wall_s,
            cpu_s: point.cpu_s,
            solver_cpu_s: point.solver_cpu_s,
            counts: Snapshot { mutants: point.mutants, ..*totals },
            tally: FindingCounts::default(),
            causes: Some(count),
            skipped: run.seeds_skipped,
            quarantined: 0,
            refused: 0,
            error_texts: Vec::new(),
        })));
    }
    // Points are recorded less often than the live screen gets progress.
    model.curve.step_s = run.points.last().map_or(0.0, |end| end.wall_s) / model.curve.rates.len().max(1) as f64;
    let mut answers = Detail::default();
    for row in &run.cells {
        let of_solver = answers.answers.entry(row.key.solver.clone()).or_default();
        for (word, n) in &row.cell.answers {
            *of_solver.entry(word.clone()).or_default() += n;
        }
    }
    model.apply(&CampaignEvent::Detail(Box::new(answers)));
    model.causes = causes;
    frame_of(&model, size)
}

/// Returns the cells of the screen for a state.
pub fn frame_of(model: &LiveState, (width, height): (u16, u16)) -> Result<Buffer, Infallible> {
    let mut terminal = Terminal::new(TestBackend::new(width, height))?;
    terminal.draw(|frame| view::draw(frame, model))?;
    Ok(terminal.backend().buffer().clone())
}
