//! The tables of the live screen: answers, findings, and workers.

use super::model::{Focus, LiveState};
use super::words::{compact, name_of, number, span};
use crate::args::units::time_text;
use ::finding::SolverLabel;
use ::fuzz::state::event::Doing;
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Cell, Row, Table, TableState};

/// The styles of classes, the most important first.
const STYLES: [Style; 3] =
    [Style::new().fg(Color::Red).bold(), Style::new().fg(Color::Magenta), Style::new().fg(Color::Yellow)];
/// The width of the column of sizes: `123,456 → 1,234`.
const BYTES_WIDTH: u16 = 15;
/// Answers with their own column; the others share one.
const ANSWERS: [&str; 4] = ["sat", "unsat", "unknown", "timeout"];

/// Returns a bordered block, highlighted if it has the focus.
pub fn block(title: String, is_focused: bool) -> Block<'static> {
    let style = if is_focused { Style::new().fg(Color::Cyan) } else { Style::new() };
    Block::bordered().border_style(style).title(Span::styled(format!(" {title} "), Modifier::BOLD))
}

pub fn draw_answers(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
    let header = ["answers"].into_iter().chain(ANSWERS).chain(["other"]);
    let header = Row::new(header.enumerate().map(|(n, word)| aligned(word.to_string(), n > 0))).bold();
    let mut answers: Vec<_> = model.detail.answers.iter().collect();
    answers.sort_by(|(a, _), (b, _)| SolverLabel::order(a, b));
    let rows = answers.into_iter().map(|(solver, answers)| {
        let own = ANSWERS.iter().map(|word| answers.get(*word).copied().unwrap_or(0));
        let all: u64 = answers.values().sum();
        let other = all - own.clone().sum::<u64>();
        let numbers = own.chain([other]).map(|n| aligned(compact(n), true));
        Row::new([aligned(solver.clone(), false)].into_iter().chain(numbers))
    });
    let widths = [Constraint::Fill(1), Constraint::Length(5), Constraint::Length(5), Constraint::Length(7)];
    let widths = widths.into_iter().chain([Constraint::Length(7), Constraint::Length(5)]);
    let table = Table::new(rows, widths).header(header).column_spacing(1);
    frame.render_widget(table.block(block("answers of this run".to_string(), false)), area);
}

fn aligned(text: String, right: bool) -> Cell<'static> {
    let line = Line::raw(text);
    Cell::from(if right { line.right_aligned() } else { line })
}

pub fn draw_findings(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
    let causes = &model.causes;
    let title = match model.cause_count() {
        _ if causes.is_empty() => "no findings yet".to_string(),
        Some(count) => format!("findings: {count}; the most important first"),
        None => "findings, the most important first".to_string(),
    };
    let solver = solver_width(model, area);
    // A column without room is dropped, so that the others stay readable.
    let columns = [
        ("class", 0, Constraint::Length(5)),
        ("bytes", 30, Constraint::Length(BYTES_WIDTH)),
        ("solver", if solver > 0 { 0 } else { u16::MAX }, Constraint::Length(solver)),
        ("what", 50, Constraint::Fill(3)),
        ("mode", 100, Constraint::Length(20)),
        ("seed", 0, Constraint::Fill(1)),
    ];
    let shown = columns.map(|(_, least, _)| area.width >= least);
    let row =
        |cells: [Cell<'static>; 6]| Row::new(cells.into_iter().zip(shown).filter(|(_, is)| *is).map(|(cell, _)| cell));
    let header = row(columns.map(|(name, ..)| aligned(name.to_string(), name == "bytes")));
    let rows = causes.ranked().into_iter().map(|cause| {
        let style = STYLES.get(cause.cause.class as usize).copied().unwrap_or_default();
        row([
            Cell::from(format!("  {}", cause.cause.class)).style(style),
            aligned(sizes(cause.bytes, cause.reduced), true),
            Cell::from(cause.cause.solver.clone()),
            // The solver has its own column, or is in the heading.
            Cell::from(
                cause.summary.strip_prefix(&format!("{} ", cause.cause.solver)).unwrap_or(&cause.summary).to_string(),
            ),
            Cell::from(cause.cause.mode.clone()),
            Cell::from(cause.cause.seed.as_deref().map_or("generated".to_string(), name_of)),
        ])
    });
    let widths = columns.iter().zip(shown).filter(|(_, is)| *is).map(|((.., width), _)| *width);
    let is_focused = model.focus == Focus::Findings;
    let highlight = if is_focused { Style::new().reversed() } else { Style::new() };
    let table = Table::new(rows, widths).header(header.bold()).column_spacing(1).row_highlight_style(highlight);
    let table = if area.height >= 4 { table.block(block(title, is_focused)) } else { table };
    let mut state = TableState::default().with_selected((!causes.is_empty()).then_some(model.marked));
    frame.render_stateful_widget(table, area, &mut state);
}

/// Returns the size of a script, original and reduced.
pub fn sizes(found: usize, reduced: Option<usize>) -> String {
    match reduced {
        None => number(found as u64),
        Some(reduced) => format!("{} → {}", number(found as u64), number(reduced as u64)),
    }
}

pub fn draw_workers(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
    let rows = model.detail.workers.iter().enumerate().map(|(n, doing)| {
        let name = Cell::from(format!("{:>3}", n + 1));
        match doing {
            None => {
                Row::new([name, Cell::from("–"), Cell::from(if model.detail.paused { "paused" } else { "waiting" })])
            }
            Some(doing) => Row::new([
                name,
                Cell::from(format!("unit {}", doing.unit)),
                Cell::from(doing.mutator.clone().unwrap_or_else(|| "reading".to_string())),
                aligned(number(doing.mutants), true),
                aligned(time_text(doing.seconds), true),
                Cell::from(doing.solver.clone()),
                Cell::from(origin(doing)),
            ]),
        }
    });
    let widths = [
        Constraint::Length(3),
        Constraint::Length(12),
        Constraint::Length(12),
        Constraint::Length(5),
        Constraint::Length(7),
        Constraint::Length(solver_width(model, area)),
        Constraint::Fill(1),
    ];
    let is_focused = model.focus == Focus::Workers;
    let highlight = if is_focused { Style::new().reversed() } else { Style::new() };
    let table = Table::new(rows, widths).column_spacing(1).row_highlight_style(highlight);
    let solver = if solver_width(model, area) > 0 { "solver, " } else { "" };
    let title = format!("workers: unit, mutator, mutants, time, {solver}seed");
    let any = !model.detail.workers.is_empty();
    let mut state = TableState::default().with_selected(any.then_some(model.worker));
    frame.render_stateful_widget(table.block(block(title, is_focused)), area, &mut state);
}

/// Returns the source of a worker's mutants.
fn origin(doing: &Doing) -> String {
    doing.seed.as_deref().map_or("generated, no seed".to_string(), name_of)
}

/// Workers on other machines.
pub fn draw_machines(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
    let machines = &model.detail.machines;
    let rows = machines.iter().map(|machine| {
        Row::new([
            Cell::from(machine.name.clone()),
            aligned(format!("{} of {}", machine.busy, machine.jobs), true),
            aligned(number(machine.units), true),
            aligned(number(machine.mutants), true),
            aligned(format!("{} ago", span(machine.seen_s)), true),
        ])
    });
    let widths = [
        Constraint::Fill(1),
        Constraint::Length(10),
        Constraint::Length(9),
        Constraint::Length(11),
        Constraint::Length(10),
    ];
    let is_focused = model.focus == Focus::Workers;
    let highlight = if is_focused { Style::new().reversed() } else { Style::new() };
    let table = Table::new(rows, widths).column_spacing(1).row_highlight_style(highlight);
    let title = format!("{} workers: busy, units, mutants, last message", number(machines.len() as u64));
    let mut state = TableState::default().with_selected(Some(model.worker));
    frame.render_stateful_widget(table.block(block(title, is_focused)), area, &mut state);
}

/// Returns the width of the column of solvers; a single one is in the heading instead.
fn solver_width(model: &LiveState, area: Rect) -> u16 {
    match (model.solvers.len(), area.width) {
        (..=1, _) => 0,
        (_, 100..) => 16,
        _ => 10,
    }
}
