//! Every operator of every theory, applied once to arguments of its sorts, prints and reads back as the identical term.

use smtlib::signature::{Arity, Pattern, SignatureRow};
use smtlib::{Kind, Op, Scope, Sort, SortId, Store, TermId, parse_term, theories};

/// Indices that suit a row, and widths and formats that suit them.
fn indices(row: &SignatureRow) -> (u32, u32) {
    match (row.kind, row.indices) {
        (_, 0) => (0, 0),
        (Kind::BvExtract, _) => (5, 2),
        (_, 1) => (3, 0),
        (Kind::ReLoop, _) => (2, 4),
        _ => (4, 6),
    }
}

/// A sort that the pattern accepts. Bit-vectors of number 0 have 6 bits, of number 1 have 5.
fn sort_of(store: &mut Store, pattern: Pattern, op: Op) -> SortId {
    let bv = |store: &mut Store, width| store.sorts.bitvec(width);
    match pattern {
        Pattern::Bool => SortId::BOOL,
        Pattern::Int | Pattern::Any(0) => SortId::INT,
        Pattern::Real | Pattern::Any(_) => SortId::REAL,
        Pattern::String => SortId::STRING,
        Pattern::RegLan => SortId::REGLAN,
        Pattern::RoundingMode => SortId::ROUNDING_MODE,
        Pattern::Array => store.sorts.array(SortId::INT, SortId::REAL),
        Pattern::Seq => store.sorts.seq(SortId::INT),
        Pattern::Set => store.sorts.set(SortId::INT),
        Pattern::Relation(_) => {
            let fields = if op.kind == Kind::RelIden { 1 } else { 2 };
            let tuple = store.sorts.tuple(&[SortId::INT; 2][..fields]).expect("few fields");
            store.sorts.set(tuple)
        }
        Pattern::Bag => store.sorts.bag(SortId::INT),
        Pattern::FiniteField => store.sorts.finite_field(7u8.into()).expect("a prime"),
        Pattern::Bv(0) => bv(store, 6),
        Pattern::Bv(_) => bv(store, 5),
        Pattern::BvExact(width) => bv(store, width),
        Pattern::BvIndexSum => bv(store, op.i + op.j),
        Pattern::Float(_) => store.sorts.float(3, 7),
        Pattern::Function(params, result) => {
            let result = sort_of(store, *result, op);
            let params: Vec<SortId> = params.iter().map(|&param| sort_of(store, param, op)).collect();
            params.into_iter().rev().fold(result, |to, from| store.sorts.intern(Sort::Map(from, to)))
        }
        other => panic!("{other:?} is no argument"),
    }
}

/// A constant of a sort that the pattern accepts.
fn argument(store: &mut Store, scope: &mut Scope, pattern: Pattern, op: Op) -> TermId {
    let sort = sort_of(store, pattern, op);
    let name = format!("c{}", sort.index());
    if parse_term(store, scope, &name).is_err() {
        let text = format!("(declare-const {name} {})", store.sort_text(sort));
        assert!(smtlib::parse_commands(store, scope, &text).errors.is_empty());
    }
    parse_term(store, scope, &name).expect("it is declared")
}

#[test]
fn every_operator_round_trips() {
    let mut store = Store::new();
    let mut scope = Scope::new(&store);
    let mut count = 0;
    for row in theories::rows() {
        let (i, j) = indices(row);
        let op = Op::indexed(row.kind, i, j);
        let lengths: &[usize] = if row.arity == Arity::Exact { &[row.args.len()] } else { &[2, 3, 5] };
        for &length in lengths {
            let patterns: Vec<Pattern> = (0..length).filter_map(|n| row.arg(n, length)).collect();
            let args: Vec<TermId> = patterns.into_iter().map(|p| argument(&mut store, &mut scope, p, op)).collect();
            let term = store.app(op, &args).unwrap_or_else(|e| panic!("{}: {e}", row.name));
            let text = store.term_text(term);
            let again =
                parse_term(&mut store, &mut scope, &text).unwrap_or_else(|e| panic!("{}", e.render(row.name, &text)));
            assert_eq!(again, term, "{text}");
            count += 1;
        }
        // One argument too many, or of another sort, is refused.
        let mut args: Vec<TermId> = row.args.iter().map(|&p| argument(&mut store, &mut scope, p, op)).collect();
        if row.arity == Arity::Exact {
            let one_more = args.first().copied().unwrap_or_else(|| store.bool(true));
            args.push(one_more);
            assert!(store.app(op, &args).is_err(), "{}", row.name);
        }
    }
    assert!(count > 190, "only {count} operators");
    // Every kind but the structural ones has a row; the structural ones have their own tests.
    let without_row = Kind::ALL.iter().filter(|&&k| theories::row(k).is_none()).count();
    assert_eq!(without_row, 24);
}

#[test]
fn every_other_spelling_reads_as_the_standard_one() {
    let mut store = Store::new();
    let mut scope = Scope::new(&store);
    for theory in theories::THEORIES {
        for &(alias, kind) in theory.aliases {
            let row = theories::row(kind).expect("an alias is of an operator");
            let op = Op::indexed(kind, indices(row).0, indices(row).1);
            let args: Vec<TermId> = row.args.iter().map(|&p| argument(&mut store, &mut scope, p, op)).collect();
            let standard = store.app(op, &args).expect("the arguments fit");
            let args: String = args.iter().map(|&a| format!(" {}", store.term_text(a))).collect();
            let head = if row.indices == 1 { format!("(_ {alias} {})", op.i) } else { alias.to_string() };
            let text = if args.is_empty() { head } else { format!("({head}{args})") };
            let read = parse_term(&mut store, &mut scope, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(read, standard, "{text}");
        }
    }
}
