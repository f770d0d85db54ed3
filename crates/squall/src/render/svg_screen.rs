//! A terminal's screen as an SVG picture.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write;

/// The size of a character, in pixels.
const CELL: (usize, usize) = (8, 17);
/// The empty border, in pixels.
const BORDER: usize = 10;
/// The default colours of text and background.
const TEXT: &str = "#d6deeb";
const GROUND: &str = "#11161e";

/// The style of a run of characters.
#[derive(Clone, Copy, PartialEq, Eq)]
struct CellLook {
    text: &'static str,
    ground: &'static str,
    is_bold: bool,
    is_dim: bool,
}

/// Draws a screen. The picture needs no other file and no script.
pub fn svg_of(screen: &Buffer) -> String {
    let (columns, lines) = (usize::from(screen.area.width), usize::from(screen.area.height));
    let (width, height) = (columns * CELL.0 + 2 * BORDER, lines * CELL.1 + 2 * BORDER);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{GROUND}\"/>\n"
    );
    for (line, cells) in screen.content().chunks(columns.max(1)).enumerate() {
        let mut column = 0;
        for run in cells.chunk_by(|a, b| look(a) == look(b)) {
            draw(&mut svg, run, column, line);
            column += run.len();
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Adds cells of the same style, from a column of a line on.
fn draw(svg: &mut String, run: &[Cell], column: usize, line: usize) {
    let Some(look) = run.first().map(look) else { return };
    let (x, y) = (BORDER + column * CELL.0, BORDER + line * CELL.1);
    let width = run.len() * CELL.0;
    // Writing to a string cannot fail.
    if look.ground != GROUND {
        let (height, ground) = (CELL.1, look.ground);
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>");
    }
    let text: String = run.iter().map(Cell::symbol).collect();
    if text.trim().is_empty() {
        return;
    }
    let weight = if look.is_bold { " font-weight=\"bold\"" } else { "" };
    let opacity = if look.is_dim { " opacity=\"0.6\"" } else { "" };
    // A text length keeps columns aligned with any font.
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{}\" textLength=\"{width}\" fill=\"{}\"{weight}{opacity} xml:space=\"preserve\">{}</text>",
        y + 13,
        look.text,
        escaped(&text)
    );
}

fn look(cell: &Cell) -> CellLook {
    let (mut text, mut ground) = (colour(cell.fg, TEXT), colour(cell.bg, GROUND));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut text, &mut ground);
    }
    let has = |modifier| cell.modifier.contains(modifier);
    CellLook { text, ground, is_bold: has(Modifier::BOLD), is_dim: has(Modifier::DIM) }
}

/// Returns the colours that the screens use; any other is the default.
fn colour(colour: Color, otherwise: &'static str) -> &'static str {
    match colour {
        Color::Red => "#ff6b6b",
        Color::Green => "#7ddf64",
        Color::Yellow => "#ffd166",
        Color::Magenta => "#d78bff",
        Color::Cyan => "#5fd7ff",
        _ => otherwise,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    /// Checks the elements of a one-line picture between the background and the end.
    fn check(text: &str, style: Style, expect: &[&str]) {
        let mut screen = Buffer::empty(Rect::new(0, 0, 8, 1));
        screen.set_string(0, 0, text, style);
        let svg = svg_of(&screen);
        let lines: Vec<&str> = svg.lines().collect();
        assert_eq!(lines[2..lines.len() - 1], *expect, "{svg}");
        roxmltree::Document::parse(&svg).expect("it is XML");
    }

    #[test]
    fn cells_that_look_alike_are_one_text() {
        let plain = "<text x=\"10\" y=\"23\" textLength=\"64\" fill=\"#d6deeb\" xml:space=\"preserve\">";
        check("        ", Style::new(), &[]);
        check("ab", Style::new(), &[&format!("{plain}ab      </text>")]);
        check("a<&> b  ", Style::new(), &[&format!("{plain}a&lt;&amp;&gt; b  </text>")]);
        check(
            "12345678",
            Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
            &[
                "<text x=\"10\" y=\"23\" textLength=\"64\" fill=\"#ff6b6b\" font-weight=\"bold\" xml:space=\"preserve\">12345678</text>",
            ],
        );
        check(
            "12345678",
            Style::new().add_modifier(Modifier::REVERSED),
            &[
                "<rect x=\"10\" y=\"10\" width=\"64\" height=\"17\" fill=\"#d6deeb\"/>",
                "<text x=\"10\" y=\"23\" textLength=\"64\" fill=\"#11161e\" xml:space=\"preserve\">12345678</text>",
            ],
        );
    }
}
