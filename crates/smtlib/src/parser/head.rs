//! Heads of applications: plain, indexed and qualified identifiers, and their application to operands.

use super::frame::{AppliedHead, HeadRole};
use super::reader::{Parser, shorten};
use crate::error::Error;
use crate::lexer::{Token, TokenKind};
use crate::literal;
use crate::names::MAP_APPLICATION;
use crate::op::{Kind, Op};
use crate::signature::{Arity, Mismatch, SignatureRow};
use crate::sort::SortId;
use crate::standard::Binding;
use crate::standard::STANDARD;
use crate::symbol::FuncId;
use crate::symbol::Symbol;
use crate::term::TermId;
use crate::theories::{extensions, heaps};
use dashu_int::IBig;

impl Parser<'_> {
    pub(super) fn named_head(&mut self, symbol: Symbol, token: Token) -> Result<AppliedHead, Error> {
        match self.scope.get(symbol) {
            Binding::Theory(group) => Ok(AppliedHead::Theory { group, indices: [0; 2], count: 0 }),
            // A constant may have an operator's name: applied, the name means the operator.
            Binding::Func(f) => Ok(match self.scope.theory_group(symbol) {
                Some(group) if self.is_plain_constant(f) => AppliedHead::Theory { group, indices: [0; 2], count: 0 },
                _ => AppliedHead::Func(f),
            }),
            Binding::Constructor(d, c) => Ok(AppliedHead::Constructor(d, c, None)),
            Binding::Selector(d, c, f) => Ok(AppliedHead::Selector(d, c, f)),
            Binding::Tester(d, c) => Ok(AppliedHead::Tester(d, c)),
            Binding::Term(t) => Ok(AppliedHead::Value(t)),
            Binding::Overloaded(number) => Ok(AppliedHead::Overloaded(number, HeadRole::Plain, None)),
            Binding::Opaque => Err(Error::opaque(token.span())),
            Binding::Unbound if self.store.name(symbol) == MAP_APPLICATION => Ok(AppliedHead::ApplyMap),
            Binding::Unbound => {
                let heap = self.heap_operator(symbol).map(AppliedHead::Heap);
                heap.or_else(|| self.built_in_head(symbol)).map_or_else(|| self.unbound(symbol, token), Ok)
            }
        }
    }

    /// Returns the operator with arguments of this name, if there is a heap.
    fn heap_operator(&self, symbol: Symbol) -> Option<Kind> {
        self.scope.heap?;
        heaps::ROWS.iter().find(|row| row.name == self.store.name(symbol) && !row.args.is_empty()).map(|row| row.kind)
    }

    fn is_plain_constant(&self, f: FuncId) -> bool {
        let func = self.store.func(f);
        func.params.is_empty() && !matches!(self.store.sorts.get(func.result), crate::Sort::Map(..))
    }

    /// After `(_`: an indexed constant, or the application of a map.
    pub(super) fn underscore(&mut self, at: Token) -> Result<Option<TermId>, Error> {
        let token = self.peek()?;
        if token.kind == TokenKind::Open {
            return self.push_apply(AppliedHead::ApplyMap, at);
        }
        if matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            let symbol = self.store.symbols.intern(self.name_of(token));
            if matches!(self.scope.get(symbol), Binding::Term(_) | Binding::Func(_)) {
                return self.push_apply(AppliedHead::ApplyMap, at);
            }
        }
        let (symbol, token) = self.symbol("an indexed identifier")?;
        match self.store.name(symbol) {
            "char" => {
                let digits = self.next()?;
                let value = u32::from_str_radix(self.text(digits).get(2..).unwrap_or(""), 16);
                let value =
                    value.ok().filter(|&v| digits.kind == TokenKind::Hexadecimal && v <= literal::MAX_CODE_POINT);
                let Some(value) = value else {
                    return Err(Error::new(digits.span(), "not a code point").help("expected #x0 to #x2FFFF"));
                };
                self.expect(TokenKind::Close, "`)`")?;
                Ok(Some(self.store.string(&[value])))
            }
            "as-array" => {
                let (f, at) = self.symbol("a function")?;
                self.expect(TokenKind::Close, "`)`")?;
                let Binding::Func(f) = self.scope.get(f) else {
                    return Err(Error::new(at.span(), "not a declared function"));
                };
                self.store.as_array(f).map(Some).map_err(|e| Error::new(at.span(), e.to_string()))
            }
            name if decimal_suffix(name, "bv").is_some() => {
                let value =
                    decimal_suffix(name, "bv").and_then(|digits| self.number(digits)).and_then(literal::numeral);
                let at = self.peek()?;
                let width = self.index("a width")?;
                self.expect(TokenKind::Close, "`)`")?;
                let Some(value) = value.filter(|_| (1..=crate::signature::MAX_WIDTH).contains(&width)) else {
                    return Err(Error::new(token.start..at.end, "a bit-vector literal out of range").help(format!(
                        "expected a width of 1 to {} and at most {} digits, all long numbers together",
                        crate::signature::MAX_WIDTH,
                        literal::MAX_LONG_DIGITS
                    )));
                };
                Ok(Some(self.store.bitvec(width, &value)))
            }
            _ => match self.indexed_head(symbol, token)? {
                AppliedHead::Theory { group, indices, count } => {
                    self.theory_app(group, &indices[..count as usize], &[], token).map(Some)
                }
                _ => Err(Error::new(token.span(), "this needs an operand").help("write ((_ is c) t)")),
            },
        }
    }

    /// After `(_ name`, up to and including `)`.
    fn indexed_head(&mut self, symbol: Symbol, token: Token) -> Result<AppliedHead, Error> {
        if let Some(head) = self.indexed_operator(token) {
            return Ok(head);
        }
        if let Some(head) = self.indexed_tuple(symbol, token)? {
            return Ok(head);
        }
        if let Some(head) = self.indexed_sum(symbol, token)? {
            return Ok(head);
        }
        if self.store.name(symbol) == "map" && self.scope.get(symbol) == Binding::Unbound {
            return self.map_head();
        }
        match (self.store.name(symbol), self.scope.get(symbol)) {
            // No theory has an indexed symbol of this name, so a declaration of the plain name hides nothing.
            ("is", _) => {
                let head = self.constructor_name()?;
                self.expect(TokenKind::Close, "`)`")?;
                Ok(head)
            }
            ("update" | "update-field", _) => {
                let (name, at) = self.symbol("a selector")?;
                self.expect(TokenKind::Close, "`)`")?;
                match self.scope.get(name) {
                    Binding::Selector(d, c, f) => Ok(AppliedHead::Update(d, c, f)),
                    Binding::Overloaded(number) => Ok(AppliedHead::Overloaded(number, HeadRole::Update, None)),
                    _ => Err(Error::new(at.span(), "not a selector")),
                }
            }
            (_, Binding::Theory(group)) => {
                let mut indices = [0u32; 2];
                let mut count = 0;
                loop {
                    let next = self.peek()?;
                    match next.kind {
                        TokenKind::Close => break,
                        TokenKind::Numeral if count < 2 => indices[count] = self.index("an index")?,
                        TokenKind::Numeral => return Err(Error::new(next.span(), "too many indices")),
                        _ => return Err(self.unexpected(next, "a numeral index or `)`")),
                    }
                    count += 1;
                }
                self.next()?;
                if count == 0 {
                    return Err(Error::new(token.span(), "an indexed identifier without index"));
                }
                Ok(AppliedHead::Theory { group, indices, count: count as u8 })
            }
            (_, Binding::Opaque) => Err(Error::opaque(token.span())),
            (name, _) if extensions::is_extension(name) => Err(Error::opaque(token.span())),
            _ => {
                let name = shorten(self.store.name(symbol)).to_string();
                Err(Error::new(token.span(), format!("`{name}` takes no indices")))
            }
        }
    }

    /// Returns the tester of a constructor, whose name may be written `(cons (T) List)` or `(as cons S)` in `(_ is …)`.
    fn constructor_name(&mut self) -> Result<AppliedHead, Error> {
        let qualified = self.peek()?.kind == TokenKind::Open;
        if qualified {
            self.next()?;
            let word = self.peek()?;
            if word.kind == TokenKind::Symbol && self.text(word) == "as" {
                self.next()?;
            }
        }
        let (name, at) = self.symbol("a constructor")?;
        if qualified {
            while self.peek()?.kind != TokenKind::Close {
                self.skip_expression("a sort")?;
            }
            self.next()?;
        }
        match self.scope.get(name) {
            Binding::Constructor(d, c) => Ok(AppliedHead::Tester(d, c)),
            Binding::Overloaded(number) => Ok(AppliedHead::Overloaded(number, HeadRole::Tester, None)),
            Binding::Opaque => Err(Error::opaque(at.span())),
            _ => Err(Error::new(at.span(), format!("`{}` is no constructor", self.store.name(name)))),
        }
    }

    /// After `((`: the head of an application in parentheses.
    pub(super) fn compound_head(&mut self, at: Token) -> Result<AppliedHead, Error> {
        let token = self.next()?;
        if token.kind != TokenKind::Symbol {
            return Err(self.unexpected(token, "`_` or `as`"));
        }
        match self.text(token) {
            "_" => {
                let (symbol, token) = self.symbol("an indexed identifier")?;
                self.indexed_head(symbol, token)
            }
            "as" => self.qualified_head(),
            _ => Err(Error::new(at.start..token.end, "an operator cannot be a term here")
                .help("expected (_ f i …) or (as f S); a map is applied by (_ m t)")),
        }
    }

    /// After `(as`, up to and including `)`.
    fn qualified_head(&mut self) -> Result<AppliedHead, Error> {
        let token = self.next()?;
        if token.kind == TokenKind::Open {
            // (as (_ f i) S)
            self.skip_expression("an identifier")?;
            return Err(Error::new(token.span(), "an indexed identifier with a sort").help("leave the `as` out"));
        }
        if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            return Err(self.unexpected(token, "an identifier"));
        }
        let symbol = self.store.symbols.intern(self.name_of(token));
        let sort = self.sort()?;
        self.expect(TokenKind::Close, "`)`")?;
        match (self.store.name(symbol), self.scope.get(symbol)) {
            ("const", Binding::Unbound) => Ok(AppliedHead::ConstArray(sort)),
            ("seq.empty", Binding::Unbound) if matches!(self.store.sorts.get(sort), crate::Sort::Seq(_)) => {
                let empty = self.store.empty_sequence(sort);
                empty.map(AppliedHead::Value).map_err(|e| Error::new(token.span(), e.to_string()))
            }
            (name @ ("set.empty" | "set.universe"), Binding::Unbound) => {
                let kind = if name == "set.empty" { Kind::SetEmpty } else { Kind::SetUniverse };
                match self.store.sorts.get(sort) {
                    crate::Sort::Set(_) => Ok(AppliedHead::SetConstant(kind, sort)),
                    _ => Err(Error::opaque(token.span())),
                }
            }
            ("sep.nil", Binding::Unbound) => match self.scope.heap.filter(|heap| heap.0 == sort) {
                Some(heap) => {
                    let nil = self.store.heap_term(Kind::SepNil, heap, &[]);
                    nil.map(AppliedHead::Value).map_err(|e| Error::new(token.span(), e.to_string()))
                }
                None => Err(Error::opaque(token.span())),
            },
            ("bag.empty", Binding::Unbound) => match self.store.sorts.get(sort) {
                // A table is a bag of tuples.
                crate::Sort::Extension(..) => Err(Error::opaque(token.span())),
                _ => Ok(AppliedHead::BagEmpty(sort)),
            },
            (name, Binding::Unbound) if signed_suffix(name, "ff").is_some() => {
                let too_long = || Error::new(token.span(), "this number has too many digits");
                let value = signed_suffix(name, "ff")
                    .and_then(|digits| self.number(digits))
                    .and_then(literal::integer)
                    .ok_or_else(too_long)?;
                self.element(sort, &value, token).map(AppliedHead::Value)
            }
            (_, Binding::Func(f)) => Ok(AppliedHead::FuncAs(f, sort)),
            (_, Binding::Constructor(d, c)) => Ok(AppliedHead::Constructor(d, c, Some(sort))),
            (_, Binding::Overloaded(number)) => Ok(AppliedHead::Overloaded(number, HeadRole::Plain, Some(sort))),
            (_, Binding::Term(t)) => Ok(AppliedHead::Value(t)),
            (_, Binding::Theory(group)) => Ok(AppliedHead::Theory { group, indices: [0; 2], count: 0 }),
            _ => match self.named_head(symbol, token)? {
                AppliedHead::Constructor(d, c, None) => Ok(AppliedHead::Constructor(d, c, Some(sort))),
                head => Ok(head),
            },
        }
    }

    /// Returns the field element for an integer.
    pub(super) fn element(&mut self, sort: SortId, value: &IBig, at: Token) -> Result<TermId, Error> {
        match self.store.sorts.field_order(sort).cloned() {
            Some(order) => Ok(self.store.field_element(&order, value)),
            None => {
                let sort = self.store.sort_text(sort);
                Err(Error::new(at.span(), format!("`{}` is not a finite field", shorten(&sort)))
                    .help("expected (_ FiniteField p) after a constant ffN"))
            }
        }
    }

    /// After `(as` where a term is expected.
    pub(super) fn qualified_constant(&mut self) -> Result<TermId, Error> {
        let at = self.peek()?;
        match self.qualified_head()? {
            AppliedHead::Value(t) => Ok(t),
            head => self.apply(head, &[], at),
        }
    }

    /// Whether a head alone is a term already.
    pub(super) fn is_constant(&self, head: AppliedHead) -> bool {
        match head {
            AppliedHead::Theory { group, .. } => STANDARD.groups[group as usize].iter().any(|r| r.args.is_empty()),
            AppliedHead::Func(f) | AppliedHead::FuncAs(f, _) => self.store.func(f).params.is_empty(),
            AppliedHead::Constructor(d, c, _) => self.store.datatype(d).constructors[c as usize].fields.is_empty(),
            AppliedHead::Value(_) | AppliedHead::SetConstant(..) | AppliedHead::BagEmpty(_) => true,
            _ => false,
        }
    }

    /// Returns an application, all its operands read.
    pub(super) fn apply(&mut self, head: AppliedHead, args: &[TermId], at: Token) -> Result<TermId, Error> {
        let result = match head {
            AppliedHead::Theory { group, indices, count } => {
                return self.theory_app(group, &indices[..count as usize], args, at);
            }
            AppliedHead::Func(f) => match self.store.apply(f, args) {
                Ok(term) => Ok(term),
                Err(error) => self.apply_coerced(f, args).or_else(|| self.apply_as_map(f, args)).ok_or(error),
            },
            AppliedHead::FuncAs(f, sort) => match self.store.apply_at(f, args, sort) {
                Ok(term) => Ok(term),
                Err(error) => self.apply_as_map(f, args).ok_or(error),
            },
            AppliedHead::Overloaded(number, role, sort) => {
                return self.apply_overloaded(number, role, sort, args, at);
            }
            AppliedHead::Constructor(d, c, sort) => {
                let plain = self.store.construct(d, c as usize, args, sort);
                plain.or_else(|e| {
                    let fields = &self.store.datatype(d).constructors[c as usize].fields;
                    let sorts: Vec<SortId> = fields.iter().map(|f| f.1).collect();
                    let coerced = self.coerce(&sorts, args).ok_or(e)?;
                    self.store.construct(d, c as usize, &coerced, sort)
                })
            }
            AppliedHead::Tester(d, c) => match *args {
                [t] => self.store.tester(d, c as usize, t),
                _ => return Err(Error::new(at.span(), "a tester takes one term")),
            },
            AppliedHead::Selector(d, c, f) => match *args {
                [t] => self.store.selector(d, c as usize, f as usize, t),
                _ => return Err(Error::new(at.span(), "a selector takes one term")),
            },
            AppliedHead::Update(d, c, f) => match *args {
                [t, v] => self.store.update(d, c as usize, f as usize, t, v),
                _ => return Err(Error::new(at.span(), "a field update takes a term and a value")),
            },
            AppliedHead::ConstArray(sort) => match *args {
                [element] => {
                    let mut element = element;
                    if let crate::Sort::Array(_, e) | crate::Sort::Map(_, e) = *self.store.sorts.get(sort)
                        && let Some(coerced) = self.coerce(&[e], &[element])
                    {
                        element = coerced[0];
                    }
                    match self.store.sorts.get(sort) {
                        // Maps are arrays in one solver.
                        crate::Sort::Map(..) => self.store.constant_map(sort, element),
                        _ => self.store.const_array(sort, element),
                    }
                }
                _ => return Err(Error::new(at.span(), "a constant array takes one term")),
            },
            AppliedHead::SetConstant(kind, sort) if args.is_empty() => self.store.set_constant(kind, sort),
            AppliedHead::SetConstant(..) => return Err(Error::new(at.span(), "a constant set takes no terms")),
            AppliedHead::BagEmpty(sort) if args.is_empty() => self.store.empty_bag(sort),
            AppliedHead::BagEmpty(_) => return Err(Error::new(at.span(), "the empty bag takes no terms")),
            AppliedHead::Tuple(head) => return self.apply_tuple(head, args, at),
            AppliedHead::Sum(sum) => return self.apply_sum(sum, args, at),
            AppliedHead::MapArrays(mapped) => return self.apply_to_elements(mapped, args, at),
            AppliedHead::Heap(kind) => {
                let Some(heap) = self.scope.heap else { return Err(Error::opaque(at.span())) };
                let coerced = self.coerce(&[heap.0, heap.1], args).filter(|_| kind == Kind::SepPto);
                self.store.heap_term(kind, heap, coerced.as_deref().unwrap_or(args))
            }
            AppliedHead::Value(map) if args.is_empty() => Ok(map),
            AppliedHead::Value(map) => self.apply_map(map, args),
            AppliedHead::ApplyMap => match args {
                [map, rest @ ..] if !rest.is_empty() => self.apply_map(*map, rest),
                _ => return Err(Error::new(at.span(), "`@` needs a map and its arguments")),
            },
        };
        result.map_err(|e| Error::new(at.span(), e.to_string()))
    }

    pub(super) fn apply_coerced(&mut self, f: FuncId, args: &[TermId]) -> Option<TermId> {
        let params = self.store.func(f).params.clone();
        let coerced = self.coerce(&params, args)?;
        self.store.apply(f, &coerced).ok()
    }

    /// Converts integer arguments to reals where `sorts` require reals, and functions that z3 prints as arrays to maps where they
    /// require maps; `None` if nothing changes.
    pub(super) fn coerce(&mut self, sorts: &[SortId], args: &[TermId]) -> Option<Vec<TermId>> {
        let mut changed = false;
        let new = args.iter().enumerate().map(|(n, &a)| {
            if sorts.get(n) == Some(&SortId::REAL) && self.store.sort(a) == SortId::INT {
                changed = true;
                self.store.to_real(a)
            } else if sorts.get(n).is_some_and(|&s| matches!(self.store.sorts.get(s), crate::Sort::Map(..)))
                && let Some(map) = self.as_map(a)
            {
                changed = true;
                map
            } else if let Some(array) = sorts.get(n).and_then(|&sort| self.store.map_as_array(a, sort)) {
                changed = true;
                array
            } else {
                a
            }
        });
        let new: Vec<TermId> = new.collect();
        changed.then_some(new)
    }

    /// An application of one of a name's operators: the first whose row matches, with integers converted to reals if needed.
    pub(super) fn theory_app(
        &mut self,
        group: u32,
        indices: &[u32],
        args: &[TermId],
        at: Token,
    ) -> Result<TermId, Error> {
        let rows: &'static [&'static SignatureRow] = &STANDARD.groups[group as usize];
        match self.first_fit(rows, indices, args).or_else(|| self.lenient(rows, indices, args)) {
            Some(term) => Ok(term),
            None => Err(self.no_fit(rows, indices, args, at)),
        }
    }

    fn first_fit(&mut self, rows: &[&'static SignatureRow], indices: &[u32], args: &[TermId]) -> Option<TermId> {
        let (i, j) = (indices.first().copied().unwrap_or(0), indices.get(1).copied().unwrap_or(0));
        for row in rows.iter().filter(|r| r.indices as usize == indices.len() && r.takes(args.len())) {
            let op = Op::indexed(row.kind, i, j);
            if let Ok(sort) = self.store.try_row(row, op, args) {
                return Some(self.store.node(op, args, sort));
            }
        }
        // Integer literals and terms used as reals: mixed arithmetic made explicit.
        if !args.iter().any(|&a| self.store.sort(a) == SortId::INT) {
            return None;
        }
        for row in rows.iter().filter(|r| r.indices as usize == indices.len() && r.takes(args.len())) {
            let op = Op::indexed(row.kind, i, j);
            if let Some(term) = self.fit_with_reals(row, op, args) {
                return Some(term);
            }
        }
        None
    }

    fn fit_with_reals(&mut self, row: &SignatureRow, op: Op, args: &[TermId]) -> Option<TermId> {
        let mut args = args.to_vec();
        for _ in 0..=args.len() {
            match self.store.try_row(row, op, &args) {
                Ok(sort) => return Some(self.store.node(op, &args, sort)),
                Err(Mismatch::Argument(n)) if self.store.sort(args[n]) == SortId::INT => {
                    args[n] = self.store.to_real(args[n]);
                }
                // A real met a sort variable that an earlier integer had bound.
                Err(Mismatch::Argument(n)) if self.store.sort(args[n]) == SortId::REAL => {
                    let before = args.clone();
                    for arg in &mut args[..n] {
                        if self.store.sort(*arg) == SortId::INT {
                            *arg = self.store.to_real(*arg);
                        }
                    }
                    if before == args {
                        return None;
                    }
                }
                Err(_) => return None,
            }
        }
        None
    }

    /// Non-standard forms that occur in files and that all solvers understand alike.
    fn lenient(&mut self, rows: &[&'static SignatureRow], indices: &[u32], args: &[TermId]) -> Option<TermId> {
        let row = *rows.first()?;
        match (row.kind, indices, args) {
            (Kind::And | Kind::Or, [], []) => Some(self.store.bool(row.kind == Kind::And)),
            (Kind::Distinct, [], [_]) => Some(self.store.bool(true)),
            // Maps are arrays in one solver.
            (Kind::ArraySelect | Kind::ArrayStore, [], &[whole, ref rest @ ..]) => {
                let sort = self.store.sort(whole);
                if let &crate::Sort::Map(from, to) = self.store.sorts.get(sort) {
                    let rest = self.coerce(&[from, to], rest).unwrap_or_else(|| rest.to_vec());
                    let made = match rest[..] {
                        [index, value] => self.store.updated_map(whole, index, value),
                        _ => self.apply_map(whole, &rest),
                    };
                    if made.is_ok() {
                        return made.ok();
                    }
                }
                let sort = self.store.arrays_of(sort);
                let &crate::Sort::Array(index, element) = self.store.sorts.get(sort) else { return None };
                let sorts = [sort, index, element];
                let arrays = self.coerce(sorts.get(..args.len())?, args)?;
                self.first_fit(rows, &[], &arrays)
            }
            (kind, [], _) if matches!(kind, Kind::Eq | Kind::Distinct | Kind::Ite) || kind.is_traversal() => {
                let maps: Vec<TermId> = args.iter().map(|&a| self.as_map(a).unwrap_or(a)).collect();
                let of_maps = if maps == args { None } else { self.first_fit(rows, &[], &maps) };
                of_maps.or_else(|| {
                    let is_map =
                        |&&a: &&TermId| matches!(self.store.sorts.get(self.store.sort(a)), crate::Sort::Map(..));
                    let array = self.store.arrays_of(self.store.sort(*args.iter().find(is_map)?));
                    let arrays = self.coerce(&vec![array; args.len()], args)?;
                    self.first_fit(rows, &[], &arrays)
                })
            }
            (Kind::ToReal, [], &[t]) if self.store.sort(t) == SortId::REAL => Some(t),
            // An associative operator on one operand is that operand.
            (_, [], &[t]) => {
                let subtracts = |k| {
                    matches!(
                        k,
                        Kind::IntDiv
                            | Kind::RealDiv
                            | Kind::IntSub
                            | Kind::RealSub
                            | Kind::ReDiff
                            | Kind::BagDifferenceSubtract
                            | Kind::BagDifferenceRemove
                    )
                };
                let fits =
                    |r: &&&SignatureRow| r.arity == Arity::LeftAssoc && r.args[0] == r.result && !subtracts(r.kind);
                let sort = self.store.sort(t);
                let binary = rows
                    .iter()
                    .filter(fits)
                    .any(|r| r.result_sort(Op::new(r.kind), &[sort, sort], &mut self.store.sorts) == Ok(sort));
                binary.then_some(t)
            }
            (Kind::BvConcat | Kind::BvSub | Kind::BvXnor, [], [first, rest @ ..]) if rest.len() > 1 => {
                rest.iter().try_fold(*first, |left, &right| self.first_fit(rows, &[], &[left, right]))
            }
            // From the start, which one solver allows to omit.
            (Kind::SeqIndexof, [], &[whole, part]) => {
                let start = self.store.int(&IBig::ZERO);
                self.first_fit(rows, &[], &[whole, part, start])
            }
            // Spellings of regular expression bounds from before 2.6.
            (Kind::ReLoop, [], &[re, low, high]) => {
                let (low, high) = (self.small_constant(low)?, self.small_constant(high)?);
                self.first_fit(rows, &[low, high], &[re])
            }
            (Kind::ReLoop, [low], &[re]) => self.loop_from(*low, re),
            (Kind::ReLoop, [], &[re, low]) => {
                let low = self.small_constant(low)?;
                self.loop_from(low, re)
            }
            (Kind::RePower, [], &[re, n]) => {
                let n = self.small_constant(n)?;
                self.first_fit(rows, &[n], &[re])
            }
            _ => None,
        }
    }

    /// At least `low` times `re`.
    fn loop_from(&mut self, low: u32, re: TermId) -> Option<TermId> {
        let power = self.store.app(Op::indexed(Kind::RePower, low, 0), &[re]).ok()?;
        let star = self.store.app(Op::new(Kind::ReStar), &[re]).ok()?;
        self.store.app(Op::new(Kind::ReConcat), &[power, star]).ok()
    }

    fn small_constant(&self, t: TermId) -> Option<u32> {
        match self.store.constant(t)? {
            crate::Constant::Int(n) => u32::try_from(n).ok(),
            _ => None,
        }
    }

    fn no_fit(&mut self, rows: &[&'static SignatureRow], indices: &[u32], args: &[TermId], at: Token) -> Error {
        let name = rows.first().map_or("", |r| r.name);
        // A solver's own sort under a standard operator. Strings are sequences of characters in one solver, and others apply string
        // operators to sequences. In z3, `(Set T)` is an array.
        let of_sequences =
            |kind: Kind| (Kind::SeqUnit..=Kind::SeqRev).contains(&kind) || kind >= Kind::SeqMap && kind.is_traversal();
        let is_of_sequences = rows.iter().any(|r| of_sequences(r.kind));
        let is_extension = |&a: &TermId| match self.store.sorts.get(self.store.sort(a)) {
            crate::Sort::Extension(..) | crate::Sort::Set(_) => true,
            crate::Sort::Seq(_) => !is_of_sequences,
            crate::Sort::String | crate::Sort::RegLan => is_of_sequences,
            _ => false,
        };
        // One solver reads a real and a binary exponent: `((_ to_fp 8 24) rm 1.5 3)`.
        let scaled = rows.iter().any(|r| r.kind == Kind::FpFromReal) && args.len() == 3;
        if scaled || args.iter().any(is_extension) {
            return Error::opaque(at.span());
        }
        let indexed: Vec<&SignatureRow> =
            rows.iter().copied().filter(|r| r.indices as usize == indices.len()).collect();
        if indexed.is_empty() {
            let expected = rows.first().map_or(0, |r| r.indices);
            return Error::new(at.span(), format!("`{name}` with {} indices", indices.len()))
                .help(format!("expected {expected}"));
        }
        let (i, j) = (indices.first().copied().unwrap_or(0), indices.get(1).copied().unwrap_or(0));
        for row in indexed.iter().filter(|r| r.takes(args.len())) {
            if self.store.try_row(row, Op::indexed(row.kind, i, j), args) == Err(Mismatch::Index) {
                let sorts = self.store.sort_list(args);
                let error = Error::new(at.span(), format!("the indices of `{name}` do not fit ({sorts})"));
                return error.help(match row.kind {
                    Kind::BvExtract => "expected (_ extract i j) with j <= i below the width".to_string(),
                    Kind::IntDivisible | Kind::IntAnd => "expected an index above 0".to_string(),
                    _ => format!("the result must have 1 to {} bits", crate::signature::MAX_WIDTH),
                });
            }
        }
        Error::new(at.span(), self.store.mismatch(name, &indexed, args).to_string())
    }
}

/// Returns the digits after `prefix`, if `name` consists of both.
fn decimal_suffix<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    let digits = name.strip_prefix(prefix)?;
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

/// Returns the digits after `prefix`, optionally signed, if `name` consists of both.
fn signed_suffix<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    let number = name.strip_prefix(prefix)?;
    decimal_suffix(number, if number.starts_with('-') { "-" } else { "" }).map(|_| number)
}
