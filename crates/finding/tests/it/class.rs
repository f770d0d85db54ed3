//! Classes of bugs.

use finding::BugClass;

#[test]
fn classes_are_ordered_by_importance() {
    let mut classes = [
        BugClass::R,
        BugClass::S,
        BugClass::C,
        BugClass::E,
        BugClass::D,
        BugClass::P,
        BugClass::X,
        BugClass::B,
        BugClass::A,
    ];
    classes.sort();
    assert!(classes.iter().copied().eq(BugClass::all()));
    assert!(BugClass::all().enumerate().all(|(place, class)| class as usize == place && class.row().class == class));
    assert_eq!(classes.map(BugClass::letter).concat(), "ABXPDECSR");
}

#[test]
fn classes_are_read_as_they_are_written() {
    for class in BugClass::all() {
        assert_eq!(class.to_string().parse(), Ok(class));
        assert_eq!(serde_json::to_string(&class).expect("a text"), format!("\"{class}\""));
    }
    assert!("F".parse::<BugClass>().is_err() && "".parse::<BugClass>().is_err());
}
