//! HTML pages: the style and the templates.

use anyhow::Result;
use minijinja::{AutoEscape, Environment, HtmlEscape, Value, context};

const STYLE: &str = include_str!("templates/style.css");

/// The template that draws a plot.
pub const CHART: &str = include_str!("templates/chart.html.j2");

/// Templates by name. Values in a template whose name ends in `.html` are escaped.
///
/// # Errors
/// A malformed template.
pub fn templates(all: &[(&'static str, &'static str)]) -> Result<Environment<'static>> {
    let mut templates = Environment::new();
    templates
        .set_auto_escape_callback(|name| if name.ends_with(".html") { AutoEscape::Html } else { AutoEscape::None });
    templates.add_filter("code", code);
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
///
/// # Errors
/// A value that the template needs is missing.
pub fn page(templates: &Environment<'_>, name: &str, values: Value) -> Result<String> {
    let common = context! {
        // Our own text needs no escaping.
        style => Value::from_safe_string(STYLE.to_string()),
        version => env!("CARGO_PKG_VERSION"),
    };
    Ok(templates.get_template(name)?.render(context! { ..values, ..common })?)
}
