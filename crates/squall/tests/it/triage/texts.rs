//! `reduce` accepts every text that the test command finds interesting, whatever its bytes, its shape and its size.

use super::stage::Stage;

#[test]
fn no_text_is_rejected() {
    let stage = Stage::new();
    let check = |name: &str, text: &[u8], command: &str, expect: &[u8]| {
        std::fs::write(stage.path(name), text).expect("written");
        stage
            .run(&["reduce", name, "--check", command, "-o", "small", "--jobs", "1"])
            .check(0, &["as the command decides"]);
        let small = std::fs::read(stage.path("small")).expect("read");
        assert_eq!(String::from_utf8_lossy(&small), String::from_utf8_lossy(expect), "{name}");
    };
    let needle = "grep -aq needle";
    check("empty", b"", "true", b"");
    check("blank", b" \n\t\r\n", "true", b"");
    check("comments", b"; one\n; two needle\n", needle, b"needle");
    check("carriage-returns", b"(one)\r\n(two needle ; three\r\n)\r\n", needle, b"needle");
    let shape = "sh -c 'tr -d \"\\r\\n\" < \"$1\" | grep -q \"(a.*needle))\"' sh";
    check("shape", b"(x)\r\n(a y\r\n(z needle))\r\n(x)", shape, b"(a (needle))");
    let bytes: Vec<u8> = (0..=255).rev().cycle().take(600).chain(*b"needle").chain(0..=255).collect();
    check("bytes", &bytes, needle, b"needle");
    check("bad-utf-8", b"(a \xff\xfe (needle \xc3))", "LC_ALL=C grep -aqP '\\xfe'", b"\xfe");
    check("open", b"(((a (needle\n(b", needle, b"needle");
    check("closed", b")) a) needle)", needle, b"needle");
    check("quotes", b"(a \"b needle\n(c |d", needle, b"needle");
    // Characters go, too, and what failed is tried again when the rest is gone.
    let program = b"int id(int x, int y) { return x; }\nint main(void) { int a[2] = { 0, 1 }, *b; needle(1 / 0); }\n";
    check("program", program, "sh -c 'tr -d \" \n\" < \"$1\" | grep -q \"in.*needle(1/0)\"' sh", b"inneedle\n(1/0)");
    let deep = 1_000_000;
    check("deep", format!("{}needle{}", "(f ".repeat(deep), ")".repeat(deep)).as_bytes(), needle, b"needle");
    check("deep-and-open", format!("{}needle", "(".repeat(deep)).as_bytes(), needle, b"needle");
    let long = "x".repeat(50_000_000);
    check("long-line", format!("(assert {long})(a needle \"{long}\")").as_bytes(), needle, b"needle");
    // Needed parts of any kind stay.
    check("interesting-as-it-is", b"(a", "grep -qx '(a'", b"(a");
    stage.run(&["reduce", "empty", "--check", "false"]).check(1, &["not interesting"]);
}
