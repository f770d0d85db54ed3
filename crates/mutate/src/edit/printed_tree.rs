//! A printed assertion with its places: which span of text is which term, so that a change costs only its own size.
//!
//! The printer's text is parsed against its term. A subterm bound by `let` has one place and a *reference* at each use of
//! its name; a change in it affects all references.

use rustc_hash::FxHashMap;
use smtlib::sexpr::{SexprNode, Sexprs};
use smtlib::{Kind, Sort, SortId, Store, Symbol, TermId};

/// A place: a span of text with its term.
#[derive(Clone, Debug)]
pub struct TermSpan {
    /// The term.
    pub term: TermId,
    /// The span of its text.
    pub span: (u32, u32),
    /// The span of its operator: the whole of a leaf.
    pub head: (u32, u32),
    /// It is the name of a `let` variable; the only child is the place of its value.
    pub is_reference: bool,
    /// Changing it could make the text ill-formed for solvers: it is in a pattern, or under an operator that requires a
    /// literal. Nothing at or below a frozen place is changed.
    pub frozen: bool,
    /// Its text uses a name bound by `let`, so it is meaningless elsewhere.
    pub needs_context: bool,
    /// The variables visible here, see [`PrintedTree::scope`].
    scope: u32,
    children: (u32, u32),
}

/// A printed term and its places. Places are numbered from 0, the whole term; a place comes before its children.
#[derive(Clone, Debug)]
pub struct PrintedTree {
    text: String,
    places: Vec<TermSpan>,
    children: Vec<u32>,
    scopes: Vec<Vec<(Symbol, SortId)>>,
    /// The places that have each place as a child: `above[below[p]..below[p + 1]]`.
    above: Vec<u32>,
    below: Vec<u32>,
}

impl PrintedTree {
    /// Finds the places of `term` in its printed form `text`; `None` if the two do not match.
    pub fn new(store: &Store, term: TermId, text: String) -> Option<PrintedTree> {
        let sexprs = Sexprs::read_whole(&text)?;
        let at = sexprs.top().next()?;
        let mut reader = TreeReader {
            store,
            sexprs: &sexprs,
            places: Vec::new(),
            children: Vec::new(),
            scopes: vec![Vec::new()],
            names: FxHashMap::default(),
            bindings: Vec::new(),
            steps: vec![TreeStep::Place { term, at, scope: 0, frozen: false, fill: Fill::Nothing }],
        };
        reader.run()?;
        let TreeReader { places, children, scopes, .. } = reader;
        let mut tree = PrintedTree { text, places, children, scopes, above: Vec::new(), below: Vec::new() };
        tree.finish()?;
        Some(tree)
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns all places.
    pub fn places(&self) -> &[TermSpan] {
        &self.places
    }

    /// Returns one place.
    pub fn place(&self, number: u32) -> &TermSpan {
        &self.places[number as usize]
    }

    /// Returns the places of a place's children, one per argument.
    pub fn children(&self, number: u32) -> &[u32] {
        let (from, to) = self.places[number as usize].children;
        &self.children[from as usize..to as usize]
    }

    /// Returns the places that have a place as a child.
    pub fn parents(&self, number: u32) -> &[u32] {
        let n = number as usize;
        &self.above[self.below[n] as usize..self.below[n + 1] as usize]
    }

    /// Returns the bound variables visible at a place, each with its sort.
    pub fn scope(&self, number: u32) -> &[(Symbol, SortId)] {
        &self.scopes[self.places[number as usize].scope as usize]
    }

    /// Propagates frozenness down and the need for context up, and inverts the children.
    fn finish(&mut self) -> Option<()> {
        let count = self.places.len();
        let mut degree = vec![0u32; count + 1];
        for p in 0..count {
            let (from, to) = self.places[p].children;
            for slot in from..to {
                let child = self.children[slot as usize] as usize;
                // Invariant: children come later than parents, so one pass each way is enough.
                if child <= p || child >= count {
                    return None;
                }
                degree[child + 1] += 1;
                if self.places[p].frozen {
                    self.places[child].frozen = true;
                }
            }
        }
        for p in (0..count).rev() {
            let (from, to) = self.places[p].children;
            let place = &self.places[p];
            let needs = place.is_reference
                || (from..to).any(|slot| self.places[self.children[slot as usize] as usize].needs_context);
            self.places[p].needs_context = needs;
        }
        for p in 0..count {
            degree[p + 1] += degree[p];
        }
        self.below = degree.clone();
        self.above = vec![0; self.children.len()];
        for p in 0..count {
            let (from, to) = self.places[p].children;
            for slot in from..to {
                let child = self.children[slot as usize] as usize;
                self.above[degree[child] as usize] = p as u32;
                degree[child] += 1;
            }
        }
        Some(())
    }
}

/// The actions on a place once it has its number.
enum Fill {
    Nothing,
    /// A slot of a parent's children.
    Slot(usize),
    /// All references to a `let` variable.
    Binding(usize),
}

enum TreeStep {
    Place {
        term: TermId,
        at: SexprNode,
        scope: u32,
        frozen: bool,
        fill: Fill,
    },
    /// The parts of a binder: its body, patterns and attributes. The slots of its children begin at the last number.
    Body {
        term: TermId,
        at: SexprNode,
        scope: u32,
        frozen: bool,
        slots: usize,
    },
    /// The value of a `let` variable, after all its uses.
    Bound(usize),
}

struct LetBinding {
    value: SexprNode,
    scope: u32,
    term: Option<TermId>,
    waiting: Vec<usize>,
}

struct TreeReader<'r> {
    store: &'r Store,
    sexprs: &'r Sexprs<'r>,
    places: Vec<TermSpan>,
    children: Vec<u32>,
    scopes: Vec<Vec<(Symbol, SortId)>>,
    names: FxHashMap<&'r str, usize>,
    bindings: Vec<LetBinding>,
    steps: Vec<TreeStep>,
}

impl<'r> TreeReader<'r> {
    fn run(&mut self) -> Option<()> {
        while let Some(step) = self.steps.pop() {
            match step {
                TreeStep::Place { term, at, scope, frozen, fill } => self.place(term, at, scope, frozen, fill)?,
                TreeStep::Body { term, at, scope, frozen, slots } => self.body(term, at, scope, frozen, slots)?,
                TreeStep::Bound(n) => {
                    // A variable that nothing refers to keeps its text and has no place.
                    if let LetBinding { value, scope, term: Some(term), .. } = self.bindings[n] {
                        self.steps.push(TreeStep::Place {
                            term,
                            at: value,
                            scope,
                            frozen: false,
                            fill: Fill::Binding(n),
                        });
                    }
                }
            }
        }
        Some(())
    }

    fn span(&self, at: SexprNode) -> (u32, u32) {
        let span = self.sexprs.span(at);
        (span.start as u32, span.end as u32)
    }

    /// If `at` is a `let`, records its variables and returns its body. Their values are read after everything else in it.
    fn enter_let(&mut self, at: SexprNode, scope: u32) -> Option<Option<SexprNode>> {
        let Some(parts) = self.sexprs.headed(at, "let") else { return Some(None) };
        let [variables, body] = parts[..] else { return None };
        for pair in self.sexprs.children(variables) {
            let parts: Vec<SexprNode> = self.sexprs.children(pair).collect();
            let [name, value] = parts[..] else { return None };
            let number = self.bindings.len();
            self.bindings.push(LetBinding { value, scope, term: None, waiting: Vec::new() });
            self.names.insert(self.sexprs.text(name), number);
            self.steps.push(TreeStep::Bound(number));
        }
        Some(Some(body))
    }

    fn place(&mut self, term: TermId, at: SexprNode, scope: u32, frozen: bool, fill: Fill) -> Option<()> {
        if let Some(body) = self.enter_let(at, scope)? {
            self.steps.push(TreeStep::Place { term, at: body, scope, frozen, fill });
            return Some(());
        }
        let number = self.places.len() as u32;
        match fill {
            Fill::Nothing => {}
            Fill::Slot(slot) => self.children[slot] = number,
            Fill::Binding(n) => {
                for slot in std::mem::take(&mut self.bindings[n].waiting) {
                    self.children[slot] = number;
                }
            }
        }
        let store = self.store;
        let span = self.span(at);
        let referred = if self.sexprs.is_list(at) { None } else { self.names.get(self.sexprs.text(at)) };
        let count = if referred.is_some() { 1 } else { store.args(term).len() };
        let slots = self.children.len();
        self.children.resize(slots + count, u32::MAX);
        let mut place = TermSpan {
            term,
            span,
            head: span,
            is_reference: referred.is_some(),
            frozen,
            needs_context: false,
            scope,
            children: (slots as u32, (slots + count) as u32),
        };
        if let Some(&n) = referred {
            self.places.push(place);
            let binding = &mut self.bindings[n];
            binding.waiting.push(slots);
            return (*binding.term.get_or_insert(term) == term).then_some(());
        }
        if count == 0 {
            self.places.push(place);
            return Some(());
        }
        let parts: Vec<SexprNode> = self.sexprs.children(at).collect();
        place.head = self.span(*parts.first()?);
        self.places.push(place);
        let kind = store.kind(term);
        match kind {
            Kind::Forall | Kind::Exists | Kind::Lambda => {
                let &[_, _, body] = &parts[..] else { return None };
                let binder = store.binder(store.op(term).binder()?);
                let scope = self.inner(scope, binder.vars.iter().copied());
                self.steps.push(TreeStep::Body { term, at: body, scope, frozen, slots });
            }
            Kind::Match => self.cases(term, &parts, scope, frozen, slots)?,
            _ => {
                // An old-style loop has its bounds after its argument; nothing else has more parts than arguments.
                if parts.len() != count + 1 && kind != Kind::ReLoop {
                    return None;
                }
                let constants = || store.args(term).iter().all(|&a| store.kind(a) == Kind::Constant);
                let literal = matches!(kind, Kind::ConstArray | Kind::FpFromReal | Kind::ReRange)
                    || (matches!(kind, Kind::Fp | Kind::FpFromBits) && constants());
                for (n, &arg) in store.args(term).iter().enumerate().rev() {
                    let at = *parts.get(n + 1)?;
                    let fill = Fill::Slot(slots + n);
                    self.steps.push(TreeStep::Place { term: arg, at, scope, frozen: frozen || literal, fill });
                }
            }
        }
        Some(())
    }

    fn body(&mut self, term: TermId, at: SexprNode, scope: u32, frozen: bool, slots: usize) -> Option<()> {
        if let Some(body) = self.enter_let(at, scope)? {
            self.steps.push(TreeStep::Body { term, at: body, scope, frozen, slots });
            return Some(());
        }
        let args = self.store.args(term);
        let Some(parts) = self.sexprs.headed(at, "!") else {
            let fill = Fill::Slot(slots);
            self.steps.push(TreeStep::Place { term: *args.first()?, at, scope, frozen, fill });
            return (args.len() == 1).then_some(());
        };
        let (&body, attributes) = parts.split_first()?;
        let mut next = 1;
        for pair in attributes.chunks(2) {
            let &[key, value] = pair else { return None };
            let terms: Vec<SexprNode> = match self.sexprs.text(key) {
                ":pattern" => self.sexprs.children(value).collect(),
                ":no-pattern" => vec![value],
                _ => continue,
            };
            for at in terms {
                let fill = Fill::Slot(slots + next);
                self.steps.push(TreeStep::Place { term: *args.get(next)?, at, scope, frozen: true, fill });
                next += 1;
            }
        }
        self.steps.push(TreeStep::Place { term: *args.first()?, at: body, scope, frozen, fill: Fill::Slot(slots) });
        (next == args.len()).then_some(())
    }

    fn cases(&mut self, term: TermId, parts: &[SexprNode], scope: u32, frozen: bool, slots: usize) -> Option<()> {
        let store = self.store;
        let args = store.args(term);
        let &[_, scrutinee, list] = parts else { return None };
        let whole = store.sort(*args.first()?);
        let cases = store.cases(store.op(term).cases()?);
        for (n, (at, case)) in self.sexprs.children(list).zip(cases).enumerate() {
            let inside: Vec<SexprNode> = self.sexprs.children(at).collect();
            let &[_, body] = &inside[..] else { return None };
            let fields = match (case.constructor, store.sorts.get(whole)) {
                // The sorts of a parametric datatype's fields are not computed: nothing is put under such variables.
                (Some(c), Sort::Datatype(d, args)) if args.is_empty() => {
                    let constructor = store.datatype(*d).constructors.get(c as usize)?;
                    constructor.fields.iter().map(|f| Some(f.1)).collect()
                }
                (Some(_), _) => vec![None; case.vars.len()],
                (None, _) => vec![Some(whole); case.vars.len()],
            };
            let vars: Vec<_> = case.vars.iter().zip(fields).filter_map(|(v, s)| Some((((*v)?), s))).collect();
            let hidden: Vec<Symbol> = vars.iter().map(|v| v.0).collect();
            let known = vars.iter().filter_map(|&(v, s)| Some((v, s?)));
            let mut inner: Vec<_> =
                self.scopes[scope as usize].iter().copied().filter(|v| !hidden.contains(&v.0)).collect();
            inner.extend(known);
            self.scopes.push(inner);
            let scope = (self.scopes.len() - 1) as u32;
            let fill = Fill::Slot(slots + n + 1);
            self.steps.push(TreeStep::Place { term: *args.get(n + 1)?, at: body, scope, frozen, fill });
        }
        self.steps.push(TreeStep::Place { term: args[0], at: scrutinee, scope, frozen, fill: Fill::Slot(slots) });
        Some(())
    }

    /// Returns the scope inside a binder; a name hides an outer one.
    fn inner(&mut self, outer: u32, vars: impl Iterator<Item = (Symbol, SortId)> + Clone) -> u32 {
        let mut scope: Vec<_> = self.scopes[outer as usize].clone();
        scope.retain(|v| !vars.clone().any(|w| w.0 == v.0));
        scope.extend(vars);
        self.scopes.push(scope);
        (self.scopes.len() - 1) as u32
    }
}
