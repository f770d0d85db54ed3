//! The live screen as a frame: a pure function of the model and the terminal's size.

use super::help;
use super::model::{Focus, LiveState, OpenedFinding};
use super::words::{bar, compact, name_of, number, span};
use crate::args::units::time_text;
use crate::render::say::counted;
use ::finding::SolverLabel;
use ::fuzz::state::event::Doing;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Cell, Clear, Paragraph, Row, Sparkline, Table, TableState};

/// The styles of classes, the most important first.
const STYLES: [Style; 3] =
    [Style::new().fg(Color::Red).bold(), Style::new().fg(Color::Magenta), Style::new().fg(Color::Yellow)];

/// The width of the bar of the solvers' share.
const SHARE_WIDTH: usize = 10;
/// The width of the column of sizes: `123,456 → 1,234`.
const BYTES_WIDTH: u16 = 15;
/// Answers with their own column; the others share one.
const ANSWERS: [&str; 4] = ["sat", "unsat", "unknown", "timeout"];

/// Lines for each part of the screen; 0 without room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Heights {
    totals: u16,
    pass: u16,
    now: u16,
    charts: u16,
    findings: u16,
    workers: u16,
    messages: u16,
    keys: u16,
}

/// Draws the screen.
pub fn draw(frame: &mut Frame<'_>, model: &LiveState) {
    let area = frame.area();
    if area.width == 0 || area.height == 0 {
        return;
    }
    let heights = heights(area.height, model.detail.workers.len().max(model.detail.machines.len()));
    let Heights { totals, pass, now, charts, findings, workers, messages, keys } = heights;
    let lines = [1, totals, pass, now, charts, findings, workers, messages, keys].map(Constraint::Length);
    let [head, totals, pass, now, charts, findings, workers, messages, keys] = Layout::vertical(lines).areas(area);
    frame.render_widget(heading(model, head.width), head);
    frame.render_widget(Paragraph::new(totals_line(model)), totals);
    frame.render_widget(Paragraph::new(pass_line(model)), pass);
    frame.render_widget(Paragraph::new(now_line(model)), now);
    let [curve, answers] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length((area.width / 20 * 11).min(56))]).areas(charts);
    draw_curve(frame, model, curve);
    draw_answers(frame, model, answers);
    draw_findings(frame, model, findings);
    match model.detail.machines.is_empty() {
        true => draw_workers(frame, model, workers),
        false => draw_machines(frame, model, workers),
    }
    draw_messages(frame, model, messages);
    frame.render_widget(keys_line(model), keys);
    if let Some(opened) = &model.opened {
        draw_opened(frame, opened, area);
    }
    if model.helps {
        help::draw(frame, area);
    }
}

fn heights(total: u16, workers: usize) -> Heights {
    let mut left = total.saturating_sub(1);
    let mut take = |wanted: u16| {
        let taken = wanted.min(left);
        left -= taken;
        taken
    };
    let [totals, keys, now, pass] = [take(1), take(1), take(1), take(1)];
    let charts = match left {
        30.. => 9,
        14.. => 7,
        10.. => 5,
        _ => 0,
    };
    let left = left - charts;
    let wanted = u16::try_from(workers).unwrap_or(u16::MAX).saturating_add(2);
    let workers = if workers > 0 && left >= 8 { wanted.min(left / 3).max(3) } else { 0 };
    let left = left - workers;
    let messages = match left {
        16.. => 5,
        6.. => 1,
        _ => 0,
    };
    Heights { totals, pass, now, charts, findings: left - messages, workers, messages, keys }
}

fn heading(model: &LiveState, width: u16) -> Paragraph<'static> {
    let mut left = " squall".to_string();
    if !model.solvers.is_empty() {
        left.push_str(&format!("  {}", model.solvers.join(", ")));
    }
    if !model.out.is_empty() {
        left.push_str(&format!("  in {}", model.out));
    }
    let mut right = match (model.ending, model.detail.paused) {
        (true, _) => "ending  ".to_string(),
        (false, true) => "PAUSED  ".to_string(),
        (false, false) => String::new(),
    };
    match (model.left_s(), model.limit) {
        (Some(left), Some(limit)) => {
            right.push_str(&format!("{} left of {} ", span(left), span(limit.as_secs_f64())));
        }
        _ => right.push_str(&format!("{} ", span(model.run_s()))),
    }
    let width = usize::from(width);
    let room = width.saturating_sub(right.chars().count() + 1);
    let left = match left.chars().count() > room {
        true => left.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
        false => left,
    };
    let gap = width.saturating_sub(left.chars().count() + right.chars().count());
    let style = Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD);
    Paragraph::new(Line::styled(format!("{left}{}{right}", " ".repeat(gap)), style))
}

fn totals_line(model: &LiveState) -> Line<'static> {
    let Some(standing) = &model.standing else { return Line::raw("") };
    let counts = &standing.counts;
    let share = if standing.cpu_s > 0.0 { standing.solver_cpu_s / standing.cpu_s } else { 0.0 };
    let mut line = Line::from(vec![
        Span::raw(format!(" {} mutants  {}/s", number(counts.mutants), number(model.curve.recent()))),
        Span::raw(format!("  {} units", number(counts.units))),
        Span::raw(format!("  solver {} {:.0} % of CPU", bar(share, SHARE_WIDTH), 100.0 * share)),
    ]);
    for (n, what, colour) in [(counts.errors, "errors", Color::Yellow), (counts.crashed, "crashed", Color::Red)] {
        if n > 0 {
            line.push_span(Span::styled(format!("  {what} {}", number(n)), colour));
        }
    }
    line
}

fn pass_line(model: &LiveState) -> Line<'static> {
    let pass = model.detail.pass;
    if pass.pairs == 0 || !model.has_seeds {
        return Line::raw("");
    }
    let what = if model.solvers.len() > 1 { "pairs of seed and solver" } else { "seeds" };
    let share = 100.0 * pass.done as f64 / pass.pairs as f64;
    let mut text = format!(
        " pass {}: {} of {} {what} ({share:.0} %)",
        pass.number,
        number(pass.done as u64),
        number(pass.pairs as u64)
    );
    match model.pass_left_s() {
        _ if pass.done == pass.pairs => {}
        Some(left) => text.push_str(&format!(", about {} more", span(left))),
        None => {}
    }
    let skipped = model.standing.as_ref().map_or(0, |standing| standing.skipped);
    if skipped > 0 {
        text.push_str(&format!("; {} skipped", number(skipped as u64)));
    }
    Line::raw(text)
}

/// Describes the current work.
fn now_line(model: &LiveState) -> Line<'static> {
    let waiting = model.cause_count().map_or(0, |count| count.not_reduced);
    let is_over = model.left_s() == Some(0.0);
    let first = match (&model.standing, model.ending, is_over, model.detail.paused) {
        (None, ..) => "reading seeds and starting solvers",
        (_, true, ..) => "ending: units in progress and the last reductions finish",
        (_, _, true, _) => "time is up: units in progress and the last reductions finish",
        (_, _, _, true) => "paused: units in progress finish, none begins",
        _ => "testing",
    };
    let second = match &model.reducing {
        Some((id, (before, now))) => {
            format!("; reducing {} bytes: {id}", sizes(*before, Some(*now).filter(|now| now < before)))
        }
        None if waiting > 0 => format!("; {} not reduced", counted(waiting, "finding")),
        None => String::new(),
    };
    // On a narrow screen the first part may hide the second, so a reduction comes first.
    let first = if model.reducing.is_some() { first.split(':').next().unwrap_or(first) } else { first };
    Line::raw(format!(" now: {first}{second}"))
}

/// The width of the column of solvers; a single one is in the heading instead.
fn solver_width(model: &LiveState, area: Rect) -> u16 {
    match (model.solvers.len(), area.width) {
        (..=1, _) => 0,
        (_, 100..) => 16,
        _ => 10,
    }
}

fn block(title: String, is_focused: bool) -> Block<'static> {
    let style = if is_focused { Style::new().fg(Color::Cyan) } else { Style::new() };
    Block::bordered().border_style(style).title(Span::styled(format!(" {title} "), Modifier::BOLD))
}

fn draw_curve(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
    let curve = &model.curve;
    let width = usize::from(area.width.saturating_sub(2));
    let shown = &curve.rates[curve.rates.len().saturating_sub(width)..];
    let most = shown.iter().copied().max().unwrap_or(0);
    let title = match curve.rates.len() {
        0 => "mutants/s".to_string(),
        _ => {
            format!("mutants/s, {} at most, {}", number(most), span(shown.len() as f64 * curve.step_s))
        }
    };
    let sparkline = Sparkline::default().data(shown.iter().copied()).max(most.max(1)).style(Color::Green);
    frame.render_widget(sparkline.block(block(title, false)), area);
}

fn draw_answers(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
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

fn draw_findings(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
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

/// The size of a script, original and reduced.
fn sizes(found: usize, reduced: Option<usize>) -> String {
    match reduced {
        None => number(found as u64),
        Some(reduced) => format!("{} → {}", number(found as u64), number(reduced as u64)),
    }
}

fn draw_workers(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
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

/// The source of a worker's mutants.
fn origin(doing: &Doing) -> String {
    doing.seed.as_deref().map_or("generated, no seed".to_string(), name_of)
}

/// Workers on other machines.
fn draw_machines(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
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

fn draw_messages(frame: &mut Frame<'_>, model: &LiveState, area: Rect) {
    let borders = if area.height >= 3 { 2 } else { 0 };
    let room = usize::from(area.height.saturating_sub(borders));
    let first = model.messages.len().saturating_sub(room);
    let lines: Vec<Line<'_>> = model.messages.iter().skip(first).map(|text| Line::raw(format!(" {text}"))).collect();
    let paragraph = Paragraph::new(lines).dim();
    let paragraph = if borders > 0 { paragraph.block(block("messages".to_string(), false)) } else { paragraph };
    frame.render_widget(paragraph, area);
}

fn keys_line(model: &LiveState) -> Paragraph<'static> {
    let text = match (&model.opened, model.ending) {
        (Some(_), _) => " ↑↓ PgUp PgDn scroll  Esc back  q quit",
        (None, true) => " ending: waiting for the last reductions; q again quits at once",
        (None, false) if model.detail.paused => " ? keys  q quit  p go on  s skip seed  Enter open  ↑↓ mark  Tab list",
        (None, false) => " ? keys  q quit  p pause  s skip seed  Enter open  ↑↓ mark  Tab list",
    };
    Paragraph::new(Line::raw(text).dim())
}

fn draw_opened(frame: &mut Frame<'_>, opened: &OpenedFinding, area: Rect) {
    // The heading and the keys are always shown.
    let area = Rect { y: area.y + 1.min(area.height - 1), height: area.height.saturating_sub(2).max(1), ..area };
    frame.render_widget(Clear, area);
    let lines: Vec<Line<'_>> = opened.lines.iter().skip(opened.top).map(|line| Line::raw(line.as_str())).collect();
    let borders = if area.height >= 3 { Borders::ALL } else { Borders::NONE };
    let place = format!(" {} of {} ", (opened.top + 1).min(opened.lines.len()), opened.lines.len());
    let block = Block::new().borders(borders).title(format!(" {} ", opened.title)).title_bottom(place);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_given_twice_or_lost() {
        for total in 1..200 {
            for workers in [0, 1, 2, 8, 300] {
                let h = heights(total, workers);
                let sum = 1 + h.totals + h.pass + h.now + h.charts + h.findings + h.workers + h.messages + h.keys;
                assert_eq!(sum, total, "{h:?}");
                assert!(total < 12 || h.findings >= 4, "{total} {h:?}");
            }
        }
    }
}
