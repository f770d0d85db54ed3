//! The list of keys over the live screen.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Block, Clear, Paragraph};

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

/// Draws the list in the middle of `area`, cut to it.
pub fn draw(frame: &mut Frame<'_>, area: Rect) {
    let lines: Vec<String> = KEYS.iter().map(|(key, what)| format!(" {key:<10} {what} ")).collect();
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) + 2;
    let width = u16::try_from(width).unwrap_or(u16::MAX).min(area.width);
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let block = Block::bordered().title(" keys ").title_alignment(Alignment::Center);
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines.join("\n")).block(block), place);
}
