//! HTML pages and Markdown: templates, the style, and escaping.

use anyhow::Result;
use minijinja::{AutoEscape, Environment, HtmlEscape, Value, context};

const STYLE: &str = include_str!("templates/style.css");

/// The template that draws a plot.
pub const CHART: &str = include_str!("templates/chart.html.j2");

/// Templates by name. Values in a template whose name ends in `.html` are escaped.
/// Errors: a malformed template.
pub fn templates(all: &[(&'static str, &'static str)]) -> Result<Environment<'static>> {
    let mut templates = Environment::new();
    templates
        .set_auto_escape_callback(|name| if name.ends_with(".html") { AutoEscape::Html } else { AutoEscape::None });
    templates.add_filter("code", code);
    templates.add_template("base.html", include_str!("templates/base.html.j2"))?;
    for (name, text) in all {
        templates.add_template(name, text)?;
    }
    Ok(templates)
}

/// Text as HTML; text between two backticks is code.
fn code(text: String) -> Value {
    let escaped = HtmlEscape(&text).to_string();
    let parts: Vec<&str> = escaped.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return Value::from_safe_string(escaped);
    }
    let part = |(n, part): (usize, &&str)| if n % 2 == 0 { part.to_string() } else { format!("<code>{part}</code>") };
    Value::from_safe_string(parts.iter().enumerate().map(part).collect())
}

/// Renders a page with its values, our style and version.
/// Errors: a value that the template needs is missing.
pub fn page(templates: &Environment<'_>, name: &str, values: Value) -> Result<String> {
    let common = context! {
        // Our own text needs no escaping.
        style => Value::from_safe_string(STYLE.to_string()),
        version => env!("CARGO_PKG_VERSION"),
    };
    Ok(templates.get_template(name)?.render(context! { ..values, ..common })?)
}

/// Adds the filters `plain`, `spans` and `fence` to templates.
pub fn add_filters(templates: &mut Environment<'_>) {
    templates.add_filter("plain", plain);
    templates.add_filter("spans", spans);
    templates.add_filter("fence", fence);
}

/// Escapes text within a line: it has no markup, begins no mention or link, and ends no table cell.
pub fn plain(text: String) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' => {
                out.push('\\');
                out.push(c);
            }
            // A mention would notify a person.
            '@' if !before.is_alphanumeric() => out.push_str("@\u{200b}"),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// As [`plain`], but text between two backticks stays code.
pub fn spans(text: String) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return plain(text);
    }
    let part = |(n, part): (usize, &&str)| match n % 2 {
        0 => plain((*part).to_string()),
        _ => format!("`{}`", part.replace(['\n', '\r'], " ")),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Returns a block of code, fenced by more backticks than the longest run in it.
fn fence(text: String, language: String) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

#[cfg(test)]
#[path = "../../tests/unit/markup.rs"]
mod tests;
