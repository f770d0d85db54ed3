//! Prints small problems: `cargo run -p mutate --example problems -- FIELD SEED FROM TO`.

use mutate::problems::fields::{FIELDS, field};
use mutate::problems::problem;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, seed, from, to] = args.as_slice() else {
        let names: Vec<&str> = FIELDS.iter().map(|f| f.name).collect();
        eprintln!("usage: problems FIELD SEED FROM TO, where FIELD is one of {}", names.join(", "));
        std::process::exit(2);
    };
    let numbers = [seed, from, to].map(|n| n.parse::<u64>().unwrap_or_default());
    let Some(field) = field(name) else {
        eprintln!("there is no field {name}");
        std::process::exit(2);
    };
    for number in numbers[1]..numbers[2] {
        match problem(field, numbers[0], number) {
            Ok(made) => println!("; {name} {number} {:?}\n{}", made.shape, made.store.script_text(&made.script)),
            Err(error) => eprintln!("{error}"),
        }
    }
}
