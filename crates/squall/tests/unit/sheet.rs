//! Unit tests of `src/render/sheet.rs`.

use super::*;

#[test]
fn one_table_is_written_in_three_ways() {
    let mut sheet = Sheet::new([words("bug"), numbers("CPU time"), words("about")]);
    sheet.row(cells!["a|b", SheetCell::seconds(1.0), "wrong by `x_y`, \"twice\""]);
    sheet.row(cells!["longer", None::<u64>, "", "beyond the last column"]);
    sheet.row(cells![BugClass::A]);
    let time = time_text(1.0);
    let lines =
        [format!("a|b     {time:>8}  wrong by `x_y`, \"twice\""), format!("longer  {:>8}", "–"), "A".to_string()];
    assert_eq!(sheet.text(), format!("bug     CPU time  about\n{}\n", lines.join("\n")));
    let rows = format!("| a\\|b | {time} | wrong by `x_y`, \"twice\" |\n| longer | – |  |\n| A |  |  |\n");
    assert_eq!(sheet.markdown(), format!("| bug | CPU time | about |\n|---|---:|---|\n{rows}"));
    assert_eq!(sheet.csv(), "bug,CPU time,about\na|b,1.000,\"wrong by `x_y`, \"\"twice\"\"\"\nlonger,,\nA,,\n");
}
