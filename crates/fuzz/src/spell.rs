//! Scripts as a target wants them spelled.

use crate::target::Target;
use smtlib::{Command, Printer, Store};

/// What declares, asserts, moves levels and checks. `:status` is never sent (design invariant 3), nor are options the target
/// does not know, nor questions whose answers nobody reads.
pub fn script(store: &Store, commands: &[Command], target: &Target) -> String {
    let mut text = String::new();
    let mut printer = Printer::new(store, &target.spelling.dialect);
    for command in commands {
        let kept = match command {
            Command::SetOption(key, _) => target.spelling.keeps_option(key),
            Command::SetInfo(..) | Command::GetModel | Command::GetValue(_) | Command::Echo(_) | Command::Query(_) => {
                false
            }
            Command::SetLogic(logic) => target.knows_logic(store.name(*logic)),
            Command::Exit => break,
            _ => true,
        };
        if kept {
            printer.command(command, &mut text);
            text.push('\n');
        }
    }
    text
}

/// A script of another target's in this one's spelling; none where it does not read.
pub(crate) fn again(text: &str, target: &Target) -> Option<String> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    parsed.errors.is_empty().then(|| script(&store, &parsed.script.commands, target))
}
