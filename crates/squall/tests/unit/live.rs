//! Screens as text, drawn only from events. `SQUALL_BLESS=1` rewrites the expected screens.

use super::model::{Focus, LiveState, OpenedFinding, ScreenKey, ScreenRequest};
use super::view;
use ::finding::CauseCount;
use ::fuzz::CampaignEvent;
use ::fuzz::counts::stats::Snapshot;
use ::fuzz::schedule::pairs::SchedulePass;
use ::fuzz::state::event::{CampaignStatus, Detail, Doing};
use ::fuzz::state::finding_index::FindingCounts;
use finding::FindingEvent;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Returns the cells of the screen for a state.
fn frame_of(model: &LiveState, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("no device is involved");
    terminal.draw(|frame| view::draw(frame, model)).expect("no device is involved");
    terminal.backend().buffer().clone()
}

/// Returns the screen as text.
fn screen(model: &LiveState, width: u16, height: u16) -> String {
    let buffer = frame_of(model, (width, height));
    let rows = buffer.content().chunks(usize::from(width).max(1));
    rows.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>().trim_end().to_string() + "\n")
        .collect()
}

/// Compares a screen with the file of that name.
fn check(name: &str, model: &LiveState, width: u16, height: u16) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unit/live").join(name);
    let seen = screen(model, width, height);
    if std::env::var_os("SQUALL_BLESS").is_some() {
        std::fs::write(&path, &seen).expect("the screen is written");
    }
    let expected = std::fs::read_to_string(&path).expect("a screen");
    assert_eq!(seen, expected, "{name} differs:\n{seen}");
}

fn standing(wall_s: f64, mutants: u64) -> CampaignEvent {
    let counts = Snapshot { mutants, units: mutants / 20, errors: 3, ..Snapshot::default() };
    let tally = FindingCounts::default();
    CampaignEvent::Progress(Box::new(CampaignStatus {
        wall_s,
        cpu_s: 2.0 * wall_s,
        solver_cpu_s: 1.7 * wall_s,
        counts,
        tally,
        causes: Some(CauseCount { causes: 1, not_reduced: 3 }),
        skipped: 2,
        quarantined: 0,
        refused: 0,
        error_texts: Vec::new(),
        unmade_texts: Vec::new(),
    }))
}

fn doing(unit: u64, seed: &str, position: usize, seconds: f64) -> Option<Doing> {
    let (seed, solver) = (Some(seed.to_string()), "z3@4.8.7".to_string());
    Some(Doing { unit, seed, position, solver, mutator: Some("storm".to_string()), mutants: 16, seconds })
}

fn detail(done: usize) -> CampaignEvent {
    let answers = [("sat", 1200), ("unsat", 340), ("unknown", 12), ("timeout", 7), ("crashed", 1)];
    let answers: BTreeMap<String, u64> = answers.map(|(word, n)| (word.to_string(), n)).into();
    CampaignEvent::Detail(Box::new(Detail {
        paused: false,
        workers: vec![doing(80, "seeds/QF_LIA/a.smt2", 4, 0.4), doing(81, "seeds/QF_S/b.smt2", 9, 3.2), None],
        machines: Vec::new(),
        answers: BTreeMap::from([("z3@4.8.7".to_string(), answers)]),
        pass: SchedulePass { number: 1, done, pairs: 1130 },
    }))
}

fn finding(id: &str, class: &str, seed: &str, bytes: usize) -> CampaignEvent {
    CampaignEvent::Finding(Box::new(FindingEvent {
        id: id.to_string(),
        cause: ::finding::Cause {
            symptom: String::new(),
            class: class.parse().expect("a class"),
            origin: ::finding::ScriptOrigin::Mutant,
            solver: "z3@4.8.7".to_string(),
            mode: "plain".to_string(),
            options: String::new(),
            seed: Some(seed.to_string()),
            place: None,
        },
        trust: ::finding::Trust::Certified,
        mutator: Some("storm".to_string()),
        origin: ::finding::FindingOrigin::default(),
        summary: "unsat for a satisfiable script".to_string(),
        bytes,
        folder: format!("run1/findings/{id}"),
    }))
}

fn begun() -> LiveState {
    let mut model = LiveState::new(Some(Duration::from_secs(600)));
    model.apply(&CampaignEvent::Started {
        seed: 0,
        seeds: 1130,
        solvers: vec!["z3@4.8.7".to_string()],
        profiles: vec!["z3".to_string()],
        jobs: 3,
        out: "run1".to_string(),
        resumed: None,
    });
    model
}

/// Returns a campaign after a minute, with three causes of findings, one of them reduced.
fn running() -> LiveState {
    let mut model = begun();
    for second in 0..=60_u32 {
        let sent = f64::from(second) * 150.0 + 60.0 * f64::from(second).sin() * f64::from(second.min(20)) / 4.0;
        model.apply(&standing(f64::from(second), sent.max(0.0) as u64));
        model.apply(&detail(second as usize * 4));
    }
    model.apply(&finding("A-1", "A", "seeds/QF_S/one.smt2", 4801));
    model.apply(&finding("A-2", "A", "seeds/QF_S/one.smt2", 1801));
    model.apply(&finding("B-1", "B", "seeds/QF_LIA/two.smt2", 912));
    model.apply(&finding("D-1", "D", "seeds/LIA/three.smt2", 12_345));
    model.apply(&CampaignEvent::Reduced {
        id: "A-2".to_string(),
        bytes: (1801, 97),
        finished: true,
        truth: "certified".to_string(),
        vector: finding::AnswerVector::default(),
    });
    model
}

#[test]
fn the_screen_looks_as_expected() {
    check("begun-80x24.txt", &begun(), 80, 24);
    check("running-80x24.txt", &running(), 80, 24);
    check("running-120x40.txt", &running(), 120, 40);
    check("running-40x12.txt", &running(), 40, 12);
    check("running-20x5.txt", &running(), 20, 5);
    let mut paused = running();
    paused.key(ScreenKey::Pause);
    paused.key(ScreenKey::Switch);
    paused.key(ScreenKey::Move(1));
    check("paused-80x24.txt", &paused, 80, 24);
    let mut opened = running();
    let lines =
        ["solver    z3@4.8.7", "", "; reduced.smt2", "(declare-const x Int)", "(check-sat)"].map(str::to_string);
    opened.opened = Some(OpenedFinding { title: "class A: unsat".to_string(), lines: lines.to_vec(), top: 2 });
    check("opened-80x24.txt", &opened, 80, 24);
}

#[test]
fn a_key_shows_the_keys() {
    let mut model = running();
    assert_eq!(model.key(ScreenKey::Help), None);
    check("help-80x24.txt", &model, 80, 24);
    check("help-60x12.txt", &model, 60, 12);
    model.key(ScreenKey::Help);
    model.reducing = Some(("B-1".to_string(), (912, 120)));
    check("reducing-60x12.txt", &model, 60, 12);
    model.apply(&standing(601.0, 9000));
    check("over-140x45.txt", &model, 140, 45);
    model.key(ScreenKey::Help);
    // Any key closes the list, and does nothing else.
    assert_eq!((model.key(ScreenKey::Pause), model.helps, model.detail.paused), (None, false, false));
    model.key(ScreenKey::Help);
    assert_eq!((model.key(ScreenKey::Help), model.helps), (None, false));
    model.key(ScreenKey::Help);
    assert_eq!((model.key(ScreenKey::Quit), model.ending), (Some(ScreenRequest::Quit), true));
}

#[test]
fn no_size_is_too_small_or_too_large() {
    let mut opened = running();
    opened.opened =
        Some(OpenedFinding { title: "class A".to_string(), lines: vec!["(check-sat)".to_string(); 9], top: 100 });
    let mut helps = running();
    helps.key(ScreenKey::Help);
    for model in [LiveState::default(), begun(), running(), opened, helps] {
        for width in (0..24).step_by(2).chain([1, 80, 300]) {
            for height in (0..16).step_by(3).chain([1, 2, 24, 100]) {
                screen(&model, width, height);
            }
        }
    }
}

#[test]
fn strange_names_do_no_harm_on_the_screen() {
    let mut model = running();
    model.apply(&finding("A-3", "A", "seeds/\u{1b}[2J/日本語\u{202e}.smt2", usize::MAX));
    model.apply(&CampaignEvent::Trouble { message: "\u{1b}]0;title\u{7}\nsecond line".to_string() });
    let seen = screen(&model, 80, 24);
    assert!(seen.chars().all(|c| c == '\n' || !c.is_control()), "{seen:?}");
}

#[test]
fn keys_move_and_ask() {
    let mut model = running();
    let open = |id: &str| {
        let title = format!("class {}: unsat for a satisfiable script", &id[..1]);
        Some(ScreenRequest::Open { title, folder: format!("run1/findings/{id}") })
    };
    assert_eq!(model.key(ScreenKey::Move(9)), None);
    assert_eq!((model.marked, model.key(ScreenKey::Open)), (2, open("D-1")));
    // The most important class comes first, whenever it was found. The mark stays with its finding when another one comes.
    model.apply(&finding("X-1", "X", "seeds/new.smt2", 10));
    assert_eq!((model.marked, model.key(ScreenKey::Open)), (3, open("D-1")));
    model.apply(&finding("C-1", "C", "seeds/new.smt2", 10));
    assert_eq!((model.marked, model.key(ScreenKey::Open)), (3, open("D-1")));
    assert_eq!((model.key(ScreenKey::Move(isize::MIN)), model.marked), (None, 0));
    assert_eq!(model.key(ScreenKey::Open), open("A-2"));
    // The seed that runs longest, or that of the marked worker.
    assert_eq!(model.key(ScreenKey::Skip), Some(ScreenRequest::Skip(9)));
    assert_eq!((model.key(ScreenKey::Switch), model.focus), (None, Focus::Workers));
    assert_eq!(model.key(ScreenKey::Skip), Some(ScreenRequest::Skip(4)));
    model.key(ScreenKey::Move(2));
    assert_eq!(model.key(ScreenKey::Skip), None, "a worker that waits has no seed");
    assert_eq!(
        [model.key(ScreenKey::Pause), model.key(ScreenKey::Pause)],
        [Some(ScreenRequest::Pause(true)), Some(ScreenRequest::Pause(false))]
    );
    // An open finding takes the keys until it is closed.
    model.opened = Some(OpenedFinding { lines: vec![String::new(); 30], ..OpenedFinding::default() });
    assert_eq!([model.key(ScreenKey::Move(12)), model.key(ScreenKey::Pause)], [None, None]);
    assert_eq!(model.opened.as_ref().map(|o| o.top), Some(12));
    model.key(ScreenKey::Close);
    assert_eq!(
        (model.opened.is_none(), model.key(ScreenKey::Quit), model.ending),
        (true, Some(ScreenRequest::Quit), true)
    );
    assert_eq!(begun().key(ScreenKey::Open), None, "nothing is there to be opened");
}

#[test]
fn a_pass_ends_as_it_went() {
    let mut model = begun();
    assert_eq!(model.pass_left_s(), None);
    for second in 0..=10_u32 {
        model.apply(&standing(f64::from(second), 0));
        model.apply(&detail(100 + 10 * second as usize));
    }
    assert_eq!(model.pass_left_s().map(f64::round), Some(93.0), "930 pairs at 10 a second");
    // A new pass begins: the old one gives no estimate.
    let CampaignEvent::Detail(mut next) = detail(0) else { unreachable!("it is one") };
    next.pass.number = 2;
    model.apply(&CampaignEvent::Detail(next));
    assert_eq!(model.pass_left_s(), None);
}

#[test]
fn the_curve_of_a_long_campaign_is_short() {
    let mut model = begun();
    for tick in 0..200_000_u32 {
        model.apply(&standing(f64::from(tick) / 4.0, u64::from(tick) * 5));
    }
    let curve = &model.curve;
    assert!(curve.rates.len() <= super::model::MAX_POINTS && curve.rates.len() >= super::model::MAX_POINTS / 2);
    assert!(curve.rates.iter().all(|rate| (19..=21).contains(rate)), "{:?}", curve.rates);
}
