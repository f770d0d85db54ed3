//! The live screen as a frame: a pure function of the model and the terminal's size.

use super::model::{LiveState, OpenedFinding};
use super::tables::{block, draw_answers, draw_findings, draw_machines, draw_workers, sizes};
use super::words::{bar, number, span};
use crate::render::say::counted;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Sparkline};

/// The width of the bar of the solvers' share.
const SHARE_WIDTH: usize = 10;

/// The keys and what they do; `docs/watching.md` says more.
const KEYS: [(&str, &str); 9] = [
    ("q, Ctrl-C", "end with the summary; a second time: at once"),
    ("p, space", "pause, or go on: units in progress finish"),
    ("s", "skip the seed of the marked or slowest worker"),
    ("Tab", "move between causes and workers"),
    ("↑ ↓, k j", "mark another line"),
    ("PgUp PgDn", "mark one ten lines away; Home End: first, last"),
    ("Enter, →", "open the marked cause: its data and script"),
    ("Esc, ←", "close what is open"),
    ("?, h", "show these keys; any key closes them"),
];

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
        draw_help(frame, area);
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

/// Draws the list in the middle of `area`, cut to it.
fn draw_help(frame: &mut Frame<'_>, area: Rect) {
    let lines: Vec<String> = KEYS.iter().map(|(key, what)| format!(" {key:<10} {what} ")).collect();
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) + 2;
    let width = u16::try_from(width).unwrap_or(u16::MAX).min(area.width);
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let block = Block::bordered().title(" keys ").title_alignment(Alignment::Center);
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines.join("\n")).block(block), place);
}

#[cfg(test)]
#[path = "../../../../tests/unit/view.rs"]
mod tests;
