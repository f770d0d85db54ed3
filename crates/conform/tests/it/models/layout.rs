//! Changes the layout of texts: other blanks, line breaks and comments between their tokens, found character by character here, without
//! any parser of the program.

use crate::mutated_examples::mutation::Random;

/// The possible separators of two tokens.
const BETWEEN: &[&str] = &[
    " ",
    "\n",
    "\t",
    "\r\n",
    " ;\n",
    ";)\n",
    " ;\"\n",
    ";|(\n ",
    "\n; (define-fun x () Int 3)\n",
    " ;\"\" || ;;\r\n\t",
];

/// Returns the text with other blanks and comments; where `everywhere`, also at parentheses without any.
pub fn laid_out(text: &str, everywhere: bool, random: &mut Random) -> String {
    let mut out = String::with_capacity(2 * text.len());
    let mut hidden_by: Option<char> = None;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if let Some(closing) = hidden_by {
            out.push(c);
            // A doubled quote closes the string and opens it again.
            if c == closing {
                hidden_by = None;
            }
            continue;
        }
        match c {
            ' ' | '\n' => {
                // Next to a parenthesis no blank is needed.
                let needed = !out.ends_with(['(', ')']) && !matches!(characters.peek(), Some('(' | ')'));
                match random.below(4) {
                    0 => out.push_str(BETWEEN[random.below(BETWEEN.len())]),
                    1 if everywhere && !needed => {}
                    _ => out.push(c),
                }
            }
            '(' | ')' if everywhere => {
                let before = random.below(8) == 0;
                out.push_str(if before { BETWEEN[random.below(BETWEEN.len())] } else { "" });
                out.push(c);
                let after = random.below(8) == 0;
                out.push_str(if after { BETWEEN[random.below(BETWEEN.len())] } else { "" });
            }
            ';' => {
                // A comment of the solver's own stays.
                out.push(c);
                hidden_by = Some('\n');
            }
            '"' | '|' => {
                out.push(c);
                hidden_by = Some(c);
            }
            _ => out.push(c),
        }
    }
    out
}
