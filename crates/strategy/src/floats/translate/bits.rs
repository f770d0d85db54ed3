//! The bits of floats, and floats of bits.

use super::super::choices::{ChoicePart, OpenValue};
use super::super::packing::{MODE_BITS, SmallFormat};
use super::super::terms::FloatTerms;
use super::{MAX_CONVERSIONS, Translation};
use rewrite::PassError;
use semantics::float::RoundingMode;
use smtlib::{Kind, Op, TermId};

impl Translation {
    pub(super) fn bits_of_float(
        &mut self,
        terms: &mut FloatTerms<'_>,
        op: Op,
        f: SmallFormat,
        mode: TermId,
        x: TermId,
    ) -> Result<TermId, PassError> {
        let (value, specified) = terms.float_to_bits(f, mode, x, op.i, op.kind == Kind::FpToSbv);
        let sort = terms.store.sorts.bitvec(op.i);
        let chosen = self.choice(terms, sort);
        // The choice is a function of the arguments.
        let others = self.conversions_to_bits.entry((op, f)).or_default();
        if others.len() >= MAX_CONVERSIONS {
            return Err(PassError::TooLarge { what: "conversions to bit-vectors", limit: MAX_CONVERSIONS });
        }
        for &[m, y, other] in others.iter() {
            let (same_mode, same_float) = (terms.eq(mode, m), terms.eq(x, y));
            let same = terms.and(&[same_mode, same_float]);
            let equal = terms.eq(chosen, other);
            self.constraints.push(terms.store.app(Op::new(Kind::Implies), &[same, equal])?);
        }
        others.push([mode, x, chosen]);
        let open = terms.not(specified);
        self.choices.list.push(OpenValue {
            op,
            args: vec![ChoicePart::Mode(mode), ChoicePart::Float(f, x)],
            value: ChoicePart::Bits(chosen),
            open,
        });
        Ok(terms.ite(specified, value, chosen))
    }

    /// Returns the encoding of a float; for NaN an arbitrary one.
    pub(super) fn ieee_bits(&mut self, terms: &mut FloatTerms<'_>, f: SmallFormat, x: TermId) -> TermId {
        let chosen = match self.nan_bits.get(&f) {
            Some(&chosen) => chosen,
            None => {
                let sort = terms.store.sorts.bitvec(f.width());
                let chosen = self.choice(terms, sort);
                let is_nan = terms.is_nan(f, chosen);
                self.constraints.push(is_nan);
                let (nan, open) = (terms.nan(f), terms.truth(true));
                let (args, value) = (vec![ChoicePart::Float(f, nan)], ChoicePart::Bits(chosen));
                self.choices.list.push(OpenValue { op: Op::new(Kind::FpToIeeeBv), args, value, open });
                self.nan_bits.insert(f, chosen);
                chosen
            }
        };
        let nan = terms.is_nan(f, x);
        terms.ite(nan, chosen, x)
    }
}

/// Returns the constraint on the bits of a float, or of a rounding mode without a format, and the value that they represent.
pub(super) fn value_of_bits(
    terms: &mut FloatTerms<'_>,
    format: Option<SmallFormat>,
    bits: TermId,
) -> Result<(TermId, TermId), PassError> {
    Ok(match format {
        Some(f) => {
            let (is_nan, nan) = (terms.is_nan(f, bits), terms.nan(f));
            let canonical = terms.eq(bits, nan);
            let constraint = terms.store.app(Op::new(Kind::Implies), &[is_nan, canonical])?;
            (constraint, terms.store.app(Op::indexed(Kind::FpFromBits, f.eb, f.sb), &[bits])?)
        }
        None => {
            let count = terms.constant(MODE_BITS, RoundingMode::ALL.len() as i64);
            let mut term = terms.store.app(Op::new(Kind::Rtz), &[])?;
            for kind in [Kind::Rtn, Kind::Rtp, Kind::Rna, Kind::Rne] {
                let mode = RoundingMode::of(kind).unwrap_or(RoundingMode::Rne);
                let is = terms.is_mode(bits, mode);
                let constant = terms.store.app(Op::new(kind), &[])?;
                term = terms.store.app(Op::new(Kind::Ite), &[is, constant, term])?;
            }
            (terms.less(bits, count), term)
        }
    })
}
