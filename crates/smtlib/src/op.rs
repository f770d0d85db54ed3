//! Operators of term nodes.

use crate::sort::DatatypeId;
use crate::symbol::{BinderId, ConstantId, FuncId, MatchId};

impl Kind {
    /// Whether its first argument is a function that is applied to the elements of a collection.
    pub fn is_traversal(self) -> bool {
        (Kind::SetMap..=Kind::SeqFoldli).contains(&self)
    }
}

/// An operator with its indices: `((_ extract 7 0) x)` has kind `Extract`, `i = 7`, `j = 0`.
///
/// Each [`Kind`] documents `i` and `j`; otherwise both are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Op {
    /// Which operator.
    pub kind: Kind,
    /// First index.
    pub i: u32,
    /// Second index.
    pub j: u32,
}

impl Op {
    /// Makes an operator without indices.
    pub const fn new(kind: Kind) -> Op {
        Op { kind, i: 0, j: 0 }
    }

    /// Returns an operator with indices.
    pub const fn indexed(kind: Kind, i: u32, j: u32) -> Op {
        Op { kind, i, j }
    }

    /// Returns the literal of a [`Kind::Constant`] node.
    pub fn constant(self) -> Option<ConstantId> {
        (self.kind == Kind::Constant).then_some(ConstantId(self.i))
    }

    /// Returns the function of an application, a function value or an `as-array`.
    pub fn func(self) -> Option<FuncId> {
        matches!(self.kind, Kind::Apply | Kind::FuncValue | Kind::AsArray).then_some(FuncId(self.i))
    }

    /// Returns the binder of a quantifier or lambda.
    pub fn binder(self) -> Option<BinderId> {
        matches!(self.kind, Kind::Forall | Kind::Exists | Kind::Lambda).then_some(BinderId(self.i))
    }

    /// Returns the cases of a `match`.
    pub fn cases(self) -> Option<MatchId> {
        (self.kind == Kind::Match).then_some(MatchId(self.i))
    }

    /// Returns the datatype and constructor number of a constructor, tester, selector or field update.
    pub fn constructor(self) -> Option<(DatatypeId, usize)> {
        match self.kind {
            Kind::Construct | Kind::Test => Some((DatatypeId(self.i), self.j as usize)),
            Kind::Select | Kind::Update => Some((DatatypeId(self.i), (self.j >> 16) as usize)),
            _ => None,
        }
    }

    /// Returns the field number of a selector or field update.
    pub fn field(self) -> Option<usize> {
        matches!(self.kind, Kind::Select | Kind::Update).then_some((self.j & 0xffff) as usize)
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Every operator this program understands. The rows that give names and typing are in [`crate::theories`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u16)]
        pub enum Kind { $($(#[$doc])* $name,)* }

        impl Kind {
            /// All kinds, in declaration order, so that `ALL[k as usize] == k`.
            pub const ALL: &'static [Kind] = &[$(Kind::$name,)*];
        }
    };
}

kinds! {
    // Structure: these have no row in a theory table.
    /// A literal; `i` is its [`ConstantId`].
    Constant,
    /// A bound variable; `i` is its [`Symbol`](crate::Symbol), its sort the node's.
    Variable,
    /// A declared or defined function applied to all its arguments; `i` is its [`FuncId`].
    Apply,
    /// A declared function used as a value of a map sort (SMT-LIB 2.7); `i` is its [`FuncId`].
    FuncValue,
    /// A value of a map sort applied to one argument.
    ApplyMap,
    /// `forall`; `i` is its [`BinderId`]; children: body, then the terms of its patterns.
    Forall,
    /// `exists`; like `Forall`.
    Exists,
    /// `lambda`; like `Forall`; its sort is a map or, as some solvers read it, an array.
    Lambda,
    /// `match`; `i` is its [`MatchId`]; children: the scrutinee, then one body per case.
    Match,
    /// A datatype's constructor; `i` datatype, `j` constructor number.
    Construct,
    /// `(_ is c)`; `i` datatype, `j` constructor number.
    Test,
    /// A selector; `i` datatype, `j` constructor number in the upper, field number in the lower 16 bits.
    Select,
    /// `(_ update sel)`: a copy with one field changed; numbers as in `Select`.
    Update,
    /// `((as const (Array I E)) e)`.
    ConstArray,
    /// `(as seq.empty (Seq T))`, the empty sequence of the node's sort.
    SeqEmpty,
    /// `(_ as-array f)`, a function as an array, in models; `i` is its [`FuncId`].
    AsArray,

    // Core.
    /// `true`.
    True,
    /// `false`.
    False,
    /// `not`.
    Not,
    /// `=>`.
    Implies,
    /// `and`.
    And,
    /// `or`.
    Or,
    /// `xor`.
    Xor,
    /// `=`.
    Eq,
    /// `distinct`.
    Distinct,
    /// `ite`.
    Ite,

    // Ints.
    /// Unary minus on integers.
    IntNeg,
    /// Integer `-` of two or more.
    IntSub,
    /// Integer `+`.
    IntAdd,
    /// Integer `*`.
    IntMul,
    /// `div`, rounding so that the remainder is not negative.
    IntDiv,
    /// `mod`, never negative.
    IntMod,
    /// `abs`.
    IntAbs,
    /// Integer `<=`.
    IntLe,
    /// Integer `<`.
    IntLt,
    /// Integer `>=`.
    IntGe,
    /// Integer `>`.
    IntGt,
    /// `(_ divisible n)`; `i` is `n`.
    IntDivisible,
    /// `iand` of width `i` (an extension of two solvers).
    IntAnd,
    /// `(int.pow2 x)`, 2 to the x, an extension.
    IntPow2,
    /// `^` or `**` on integers, an extension.
    IntPow,
    /// `rem`, an extension: `mod` times the sign of the divisor.
    IntRem,

    // Reals.
    /// Unary minus on reals.
    RealNeg,
    /// Real `-` of two or more.
    RealSub,
    /// Real `+`.
    RealAdd,
    /// Real `*`.
    RealMul,
    /// `/`.
    RealDiv,
    /// Real `<=`.
    RealLe,
    /// Real `<`.
    RealLt,
    /// Real `>=`.
    RealGe,
    /// Real `>`.
    RealGt,
    /// `^` on reals, an extension.
    RealPow,
    /// `abs` on reals, an extension.
    RealAbs,

    // Reals_Ints.
    /// `to_real`.
    ToReal,
    /// `to_int`, the floor.
    ToInt,
    /// `is_int`.
    IsInt,

    // ArraysEx.
    /// `select`.
    ArraySelect,
    /// `store`.
    ArrayStore,

    // FixedSizeBitVectors.
    /// `concat`.
    BvConcat,
    /// `(_ extract i j)`.
    BvExtract,
    /// `bvnot`.
    BvNot,
    /// `bvand`.
    BvAnd,
    /// `bvor`.
    BvOr,
    /// `bvneg`.
    BvNeg,
    /// `bvadd`.
    BvAdd,
    /// `bvmul`.
    BvMul,
    /// `bvudiv`; all ones by zero.
    BvUdiv,
    /// `bvurem`; the dividend by zero.
    BvUrem,
    /// `bvshl`.
    BvShl,
    /// `bvlshr`.
    BvLshr,
    /// `bvult`.
    BvUlt,
    /// `bvnand`.
    BvNand,
    /// `bvnor`.
    BvNor,
    /// `bvxor`.
    BvXor,
    /// `bvxnor`.
    BvXnor,
    /// `bvcomp`, one bit.
    BvComp,
    /// `bvsub`.
    BvSub,
    /// `bvsdiv`.
    BvSdiv,
    /// `bvsrem`, sign of the dividend.
    BvSrem,
    /// `bvsmod`, sign of the divisor.
    BvSmod,
    /// `bvashr`.
    BvAshr,
    /// `(_ repeat i)`.
    BvRepeat,
    /// `(_ zero_extend i)`.
    BvZeroExtend,
    /// `(_ sign_extend i)`.
    BvSignExtend,
    /// `(_ rotate_left i)`.
    BvRotateLeft,
    /// `(_ rotate_right i)`.
    BvRotateRight,
    /// `bvule`.
    BvUle,
    /// `bvugt`.
    BvUgt,
    /// `bvuge`.
    BvUge,
    /// `bvslt`.
    BvSlt,
    /// `bvsle`.
    BvSle,
    /// `bvsgt`.
    BvSgt,
    /// `bvsge`.
    BvSge,
    /// `bvnego` (2.7): does negation overflow.
    BvNego,
    /// `bvuaddo` (2.7).
    BvUaddo,
    /// `bvsaddo` (2.7).
    BvSaddo,
    /// `bvumulo` (2.7).
    BvUmulo,
    /// `bvsmulo` (2.7).
    BvSmulo,
    /// `bvusubo` (2.7).
    BvUsubo,
    /// `bvssubo` (2.7).
    BvSsubo,
    /// `bvsdivo` (2.7).
    BvSdivo,
    /// `ubv_to_int` (2.7), once `bv2nat`.
    UbvToInt,
    /// `sbv_to_int` (2.7).
    SbvToInt,
    /// `(_ int_to_bv i)` (2.7), once `int2bv` and `nat2bv`.
    IntToBv,
    /// `bvredor`, one bit, an extension.
    BvRedor,
    /// `bvredand`, one bit, an extension.
    BvRedand,
    /// `bvultbv`: `bvult` as one bit, an extension.
    BvUltbv,
    /// `bvsltbv`: `bvslt` as one bit, an extension.
    BvSltbv,
    /// `ext_rotate_left`: rotation by a vector, an extension.
    BvExtRotateLeft,
    /// `ext_rotate_right`, an extension.
    BvExtRotateRight,
    /// `bvumul_noovfl`: the product fits, unsigned; an extension.
    BvUmulNoOverflow,
    /// `bvsmul_noovfl`: the product does not overflow upwards, signed; an extension.
    BvSmulNoOverflow,
    /// `bvsmul_noudfl`: the product does not overflow downwards, signed; an extension.
    BvSmulNoUnderflow,

    // FloatingPoint.
    /// `RNE`.
    Rne,
    /// `RNA`.
    Rna,
    /// `RTP`.
    Rtp,
    /// `RTN`.
    Rtn,
    /// `RTZ`.
    Rtz,
    /// `(fp sign exponent significand)`.
    Fp,
    /// `(_ +oo i j)`.
    FpPlusInfinity,
    /// `(_ -oo i j)`.
    FpMinusInfinity,
    /// `(_ +zero i j)`.
    FpPlusZero,
    /// `(_ -zero i j)`.
    FpMinusZero,
    /// `(_ NaN i j)`.
    FpNan,
    /// `fp.abs`.
    FpAbs,
    /// `fp.neg`.
    FpNeg,
    /// `fp.add`.
    FpAdd,
    /// `fp.sub`.
    FpSub,
    /// `fp.mul`.
    FpMul,
    /// `fp.div`.
    FpDiv,
    /// `fp.fma`.
    FpFma,
    /// `fp.sqrt`.
    FpSqrt,
    /// `fp.rem`.
    FpRem,
    /// `fp.roundToIntegral`.
    FpRoundToIntegral,
    /// `fp.min`.
    FpMin,
    /// `fp.max`.
    FpMax,
    /// `fp.leq`.
    FpLeq,
    /// `fp.lt`.
    FpLt,
    /// `fp.geq`.
    FpGeq,
    /// `fp.gt`.
    FpGt,
    /// `fp.eq`, IEEE equality.
    FpEq,
    /// `fp.isNormal`.
    FpIsNormal,
    /// `fp.isSubnormal`.
    FpIsSubnormal,
    /// `fp.isZero`.
    FpIsZero,
    /// `fp.isInfinite`.
    FpIsInfinite,
    /// `fp.isNaN`.
    FpIsNan,
    /// `fp.isNegative`.
    FpIsNegative,
    /// `fp.isPositive`.
    FpIsPositive,
    /// `((_ to_fp i j) b)` of the IEEE bits.
    FpFromBits,
    /// `((_ to_fp i j) rm f)` of a float.
    FpFromFp,
    /// `((_ to_fp i j) rm r)` of a real.
    FpFromReal,
    /// `((_ to_fp i j) rm b)` of a signed bit-vector.
    FpFromSbv,
    /// `((_ to_fp_unsigned i j) rm b)`.
    FpFromUbv,
    /// `((_ fp.to_ubv i) rm f)`.
    FpToUbv,
    /// `((_ fp.to_sbv i) rm f)`.
    FpToSbv,
    /// `fp.to_real`.
    FpToReal,
    /// `fp.to_ieee_bv`, an extension.
    FpToIeeeBv,

    // Strings.
    /// `str.++`.
    StrConcat,
    /// `str.len`.
    StrLen,
    /// `str.<`.
    StrLt,
    /// `str.<=`.
    StrLe,
    /// `str.at`.
    StrAt,
    /// `str.substr`.
    StrSubstr,
    /// `str.prefixof`.
    StrPrefixof,
    /// `str.suffixof`.
    StrSuffixof,
    /// `str.contains`.
    StrContains,
    /// `str.indexof`.
    StrIndexof,
    /// `str.replace`.
    StrReplace,
    /// `str.replace_all`.
    StrReplaceAll,
    /// `str.replace_re`.
    StrReplaceRe,
    /// `str.replace_re_all`.
    StrReplaceReAll,
    /// `str.is_digit`.
    StrIsDigit,
    /// `str.to_code`.
    StrToCode,
    /// `str.from_code`.
    StrFromCode,
    /// `str.to_int`.
    StrToInt,
    /// `str.from_int`.
    StrFromInt,
    /// `str.in_re`.
    StrInRe,
    /// `str.to_re`.
    StrToRe,
    /// `re.none`.
    ReNone,
    /// `re.all`.
    ReAll,
    /// `re.allchar`.
    ReAllchar,
    /// `re.++`.
    ReConcat,
    /// `re.union`.
    ReUnion,
    /// `re.inter`.
    ReInter,
    /// `re.*`.
    ReStar,
    /// `re.comp`.
    ReComp,
    /// `re.diff`.
    ReDiff,
    /// `re.+`.
    RePlus,
    /// `re.opt`.
    ReOpt,
    /// `re.range`.
    ReRange,
    /// `(_ re.^ i)`.
    RePower,
    /// `((_ re.loop i j) r)`.
    ReLoop,
    /// `str.to_lower`, an extension.
    StrToLower,
    /// `str.to_upper`, an extension.
    StrToUpper,
    /// `str.rev`, an extension.
    StrRev,
    /// `str.update`, an extension.
    StrUpdate,

    // Sequences, a theory of several solvers.
    /// `seq.unit`.
    SeqUnit,
    /// `seq.++`.
    SeqConcat,
    /// `seq.len`.
    SeqLen,
    /// `seq.at`.
    SeqAt,
    /// `seq.extract`.
    SeqExtract,
    /// `seq.nth`, any value if out of range.
    SeqNth,
    /// `seq.prefixof`.
    SeqPrefixof,
    /// `seq.suffixof`.
    SeqSuffixof,
    /// `seq.contains`.
    SeqContains,
    /// `seq.indexof`.
    SeqIndexof,
    /// `seq.last_indexof`.
    SeqLastIndexof,
    /// `seq.replace`.
    SeqReplace,
    /// `seq.replace_all`.
    SeqReplaceAll,
    /// `seq.update`.
    SeqUpdate,
    /// `seq.rev`.
    SeqRev,
    // Sets, which are finite; all extensions.
    /// `(as set.empty (Set T))`; it has no row in its theory's table, since its arguments do not give its sort.
    SetEmpty,
    /// `(as set.universe (Set T))`, the set of all elements of a finite sort; no row, like `SetEmpty`.
    SetUniverse,
    /// `set.singleton`.
    SetSingleton,
    /// `set.union`.
    SetUnion,
    /// `set.inter`.
    SetInter,
    /// `set.minus`.
    SetMinus,
    /// `set.member`: an element, then a set.
    SetMember,
    /// `set.subset`: the first set is part of the second.
    SetSubset,
    /// `set.insert`: elements, then a set.
    SetInsert,
    /// `set.card`, the number of elements.
    SetCard,
    /// `set.is_empty`.
    SetIsEmpty,
    /// `set.is_singleton`.
    SetIsSingleton,
    /// `set.complement`, in a finite sort.
    SetComplement,
    /// `set.choose`, some element of the set, which depends on the set alone; any value of the empty one.
    SetChoose,
    /// `set.range`, the integers from the first to the second, both included; empty where the first is greater.
    SetRange,
    // Bags, in which each element has a multiplicity; all extensions.
    /// `(as bag.empty (Bag T))`; no row, like `SetEmpty`.
    BagEmpty,
    /// `bag`: an element and its multiplicity; the empty bag where that is below 1.
    BagMake,
    /// `bag.union_max`: the greater multiplicity of each element.
    BagUnionMax,
    /// `bag.union_disjoint`: the sum of the multiplicities of each element.
    BagUnionDisjoint,
    /// `bag.inter_min`: the smaller multiplicity of each element.
    BagInterMin,
    /// `bag.difference_subtract`: the second multiplicity subtracted from the first, down to 0.
    BagDifferenceSubtract,
    /// `bag.difference_remove`: the first multiplicity of elements that are not in the second bag.
    BagDifferenceRemove,
    /// `bag.subbag`: no element of the first bag has a smaller multiplicity in the second.
    BagSubbag,
    /// `bag.count`, the multiplicity of an element in a bag.
    BagCount,
    /// `bag.member`: an element, then a bag.
    BagMember,
    /// `bag.setof`: the same elements, each once.
    BagSetof,
    /// `bag.card`, the sum of the multiplicities.
    BagCard,
    /// `bag.choose`, some element of the bag, which depends on the bag alone; any value of the empty one.
    BagChoose,

    // Functions applied to all elements of a collection; all extensions. Their first argument is a function.
    /// `set.map`: the values of a function on the elements.
    SetMap,
    /// `set.filter`: the elements for which a predicate holds.
    SetFilter,
    /// `set.fold`: a function of an element and the result so far, the first result, and the set; the order of the elements is open.
    SetFold,
    /// `set.all`: a predicate holds of every element.
    SetAll,
    /// `set.some`: a predicate holds of an element.
    SetSome,
    /// `bag.map`: the values of a function on the elements, the multiplicities of those with one value added.
    BagMap,
    /// `bag.filter`: the elements for which a predicate holds, with their multiplicities.
    BagFilter,
    /// `bag.fold`, as `SetFold`, an element as often as its multiplicity says.
    BagFold,
    /// `bag.all`, as `SetAll`.
    BagAll,
    /// `bag.some`, as `SetSome`.
    BagSome,
    /// `seq.map`: the sequence of the values of a function on the elements.
    SeqMap,
    /// `seq.mapi`: as `SeqMap`, of a function of a position and an element, where the first position is given.
    SeqMapi,
    /// `seq.foldl`: a function of the result so far and an element, the first result, and the sequence, from start to end.
    SeqFoldl,
    /// `seq.foldli`: as `SeqFoldl`, of a function of a position, the result so far and an element; the first position comes before the
    /// first result.
    SeqFoldli,

    // Finite fields; all extensions.
    /// `ff.add`.
    FfAdd,
    /// `ff.mul`.
    FfMul,
    /// `ff.neg`.
    FfNeg,
    /// `ff.bitsum`: the first argument, twice the second, four times the third and so on.
    FfBitsum,
}
