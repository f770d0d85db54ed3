//! Operators of term nodes.

use crate::sort::{DatatypeId, SortId};
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

    /// Returns the sorts of locations and data of the heap that an operator of separation logic is about.
    pub fn heap(self) -> Option<(SortId, SortId)> {
        (Kind::SepEmp..=Kind::SepWand).contains(&self.kind).then_some((SortId(self.i), SortId(self.j)))
    }

    /// Whether it is one of z3's orders.
    pub fn is_order(self) -> bool {
        (Kind::PartialOrder..=Kind::PiecewiseOrder).contains(&self.kind)
    }

    /// Returns the field number of a selector or field update.
    pub fn field(self) -> Option<usize> {
        matches!(self.kind, Kind::Select | Kind::Update).then_some((self.j & 0xffff) as usize)
    }
}

macro_rules! kinds {
    ($($name:ident $doc:literal,)*) => {
        /// Every operator this program understands. The rows that give names and typing are in [`crate::theories`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u16)]
        pub enum Kind { $(#[doc = $doc] $name,)* }

        impl Kind {
            /// All kinds, in declaration order, so that `ALL[k as usize] == k`.
            pub const ALL: &'static [Kind] = &[$(Kind::$name,)*];
        }
    };
}

kinds! {
    // Structure: these have no row in a theory table.
    Constant "A literal; `i` is its [`ConstantId`].",
    Variable "A bound variable; `i` is its [`Symbol`](crate::Symbol), its sort the node's.",
    Apply "A declared or defined function applied to all its arguments; `i` is its [`FuncId`].",
    FuncValue "A declared function used as a value of a map sort (SMT-LIB 2.7); `i` is its [`FuncId`].",
    ApplyMap "A value of a map sort applied to one argument.",
    Forall "`forall`; `i` is its [`BinderId`]; children: body, then the terms of its patterns.",
    Exists "`exists`; like `Forall`.",
    Lambda "`lambda`; like `Forall`; its sort is a map or, as some solvers read it, an array.",
    Match "`match`; `i` is its [`MatchId`]; children: the scrutinee, then one body per case.",
    Construct "A datatype's constructor; `i` datatype, `j` constructor number.",
    Test "`(_ is c)`; `i` datatype, `j` constructor number.",
    Select "A selector; `i` datatype, `j` constructor number in the upper, field number in the lower 16 bits.",
    Update "`(_ update sel)`: a copy with one field changed; numbers as in `Select`.",
    ConstArray "`((as const (Array I E)) e)`.",
    SeqEmpty "`(as seq.empty (Seq T))`, the empty sequence of the node's sort.",
    AsArray "`(_ as-array f)`, a function as an array, in models; `i` is its [`FuncId`].",

    // Core.
    True "`true`.",
    False "`false`.",
    Not "`not`.",
    Implies "`=>`.",
    And "`and`.",
    Or "`or`.",
    Xor "`xor`.",
    Eq "`=`.",
    Distinct "`distinct`.",
    Ite "`ite`.",

    // Ints.
    IntNeg "Unary minus on integers.",
    IntSub "Integer `-` of two or more.",
    IntAdd "Integer `+`.",
    IntMul "Integer `*`.",
    IntDiv "`div`, rounding so that the remainder is not negative.",
    IntMod "`mod`, never negative.",
    IntAbs "`abs`.",
    IntLe "Integer `<=`.",
    IntLt "Integer `<`.",
    IntGe "Integer `>=`.",
    IntGt "Integer `>`.",
    IntDivisible "`(_ divisible n)`; `i` is `n`.",
    IntAnd "`iand` of width `i` (an extension of two solvers).",
    IntPow2 "`(int.pow2 x)`, 2 to the x, an extension.",
    IntPow "`^` or `**` on integers, an extension.",
    IntRem "`rem`, an extension: `mod` times the sign of the divisor.",
    IntPiand "`(piand k x y)`, an extension: `iand` of width k.",

    // Reals.
    RealNeg "Unary minus on reals.",
    RealSub "Real `-` of two or more.",
    RealAdd "Real `+`.",
    RealMul "Real `*`.",
    RealDiv "`/`.",
    RealLe "Real `<=`.",
    RealLt "Real `<`.",
    RealGe "Real `>=`.",
    RealGt "Real `>`.",
    RealPow "`^` on reals, an extension.",
    RealAbs "`abs` on reals, an extension.",
    RealSqrt "`sqrt`, an extension: the root that is not negative.",

    // Reals_Ints.
    ToReal "`to_real`.",
    ToInt "`to_int`, the floor.",
    IsInt "`is_int`.",

    // ArraysEx.
    ArraySelect "`select`.",
    ArrayStore "`store`.",

    // FixedSizeBitVectors.
    BvConcat "`concat`.",
    BvExtract "`(_ extract i j)`.",
    BvNot "`bvnot`.",
    BvAnd "`bvand`.",
    BvOr "`bvor`.",
    BvNeg "`bvneg`.",
    BvAdd "`bvadd`.",
    BvMul "`bvmul`.",
    BvUdiv "`bvudiv`; all ones by zero.",
    BvUrem "`bvurem`; the dividend by zero.",
    BvShl "`bvshl`.",
    BvLshr "`bvlshr`.",
    BvUlt "`bvult`.",
    BvNand "`bvnand`.",
    BvNor "`bvnor`.",
    BvXor "`bvxor`.",
    BvXnor "`bvxnor`.",
    BvComp "`bvcomp`, one bit.",
    BvSub "`bvsub`.",
    BvSdiv "`bvsdiv`.",
    BvSrem "`bvsrem`, sign of the dividend.",
    BvSmod "`bvsmod`, sign of the divisor.",
    BvAshr "`bvashr`.",
    BvRepeat "`(_ repeat i)`.",
    BvZeroExtend "`(_ zero_extend i)`.",
    BvSignExtend "`(_ sign_extend i)`.",
    BvRotateLeft "`(_ rotate_left i)`.",
    BvRotateRight "`(_ rotate_right i)`.",
    BvUle "`bvule`.",
    BvUgt "`bvugt`.",
    BvUge "`bvuge`.",
    BvSlt "`bvslt`.",
    BvSle "`bvsle`.",
    BvSgt "`bvsgt`.",
    BvSge "`bvsge`.",
    BvNego "`bvnego` (2.7): does negation overflow.",
    BvUaddo "`bvuaddo` (2.7).",
    BvSaddo "`bvsaddo` (2.7).",
    BvUmulo "`bvumulo` (2.7).",
    BvSmulo "`bvsmulo` (2.7).",
    BvUsubo "`bvusubo` (2.7).",
    BvSsubo "`bvssubo` (2.7).",
    BvSdivo "`bvsdivo` (2.7).",
    UbvToInt "`ubv_to_int` (2.7), once `bv2nat`.",
    SbvToInt "`sbv_to_int` (2.7).",
    IntToBv "`(_ int_to_bv i)` (2.7), once `int2bv` and `nat2bv`.",
    BvRedor "`bvredor`, one bit, an extension.",
    BvRedand "`bvredand`, one bit, an extension.",
    BvUltbv "`bvultbv`: `bvult` as one bit, an extension.",
    BvSltbv "`bvsltbv`: `bvslt` as one bit, an extension.",
    BvExtRotateLeft "`ext_rotate_left`: rotation by a vector, an extension.",
    BvExtRotateRight "`ext_rotate_right`, an extension.",
    BvUmulNoOverflow "`bvumul_noovfl`: the product fits, unsigned; an extension.",
    BvSmulNoOverflow "`bvsmul_noovfl`: the product does not overflow upwards, signed; an extension.",
    BvSmulNoUnderflow "`bvsmul_noudfl`: the product does not overflow downwards, signed; an extension.",

    // FloatingPoint.
    Rne "`RNE`.",
    Rna "`RNA`.",
    Rtp "`RTP`.",
    Rtn "`RTN`.",
    Rtz "`RTZ`.",
    Fp "`(fp sign exponent significand)`.",
    FpPlusInfinity "`(_ +oo i j)`.",
    FpMinusInfinity "`(_ -oo i j)`.",
    FpPlusZero "`(_ +zero i j)`.",
    FpMinusZero "`(_ -zero i j)`.",
    FpNan "`(_ NaN i j)`.",
    FpAbs "`fp.abs`.",
    FpNeg "`fp.neg`.",
    FpAdd "`fp.add`.",
    FpSub "`fp.sub`.",
    FpMul "`fp.mul`.",
    FpDiv "`fp.div`.",
    FpFma "`fp.fma`.",
    FpSqrt "`fp.sqrt`.",
    FpRem "`fp.rem`.",
    FpRoundToIntegral "`fp.roundToIntegral`.",
    FpMin "`fp.min`.",
    FpMax "`fp.max`.",
    FpLeq "`fp.leq`.",
    FpLt "`fp.lt`.",
    FpGeq "`fp.geq`.",
    FpGt "`fp.gt`.",
    FpEq "`fp.eq`, IEEE equality.",
    FpIsNormal "`fp.isNormal`.",
    FpIsSubnormal "`fp.isSubnormal`.",
    FpIsZero "`fp.isZero`.",
    FpIsInfinite "`fp.isInfinite`.",
    FpIsNan "`fp.isNaN`.",
    FpIsNegative "`fp.isNegative`.",
    FpIsPositive "`fp.isPositive`.",
    FpFromBits "`((_ to_fp i j) b)` of the IEEE bits.",
    FpFromFp "`((_ to_fp i j) rm f)` of a float.",
    FpFromReal "`((_ to_fp i j) rm r)` of a real.",
    FpFromSbv "`((_ to_fp i j) rm b)` of a signed bit-vector.",
    FpFromUbv "`((_ to_fp_unsigned i j) rm b)`.",
    FpToUbv "`((_ fp.to_ubv i) rm f)`.",
    FpToSbv "`((_ fp.to_sbv i) rm f)`.",
    FpToReal "`fp.to_real`.",
    FpToIeeeBv "`fp.to_ieee_bv`, an extension.",

    // Strings.
    StrConcat "`str.++`.",
    StrLen "`str.len`.",
    StrLt "`str.<`.",
    StrLe "`str.<=`.",
    StrAt "`str.at`.",
    StrSubstr "`str.substr`.",
    StrPrefixof "`str.prefixof`.",
    StrSuffixof "`str.suffixof`.",
    StrContains "`str.contains`.",
    StrIndexof "`str.indexof`.",
    StrReplace "`str.replace`.",
    StrReplaceAll "`str.replace_all`.",
    StrReplaceRe "`str.replace_re`.",
    StrReplaceReAll "`str.replace_re_all`.",
    StrIsDigit "`str.is_digit`.",
    StrToCode "`str.to_code`.",
    StrFromCode "`str.from_code`.",
    StrToInt "`str.to_int`.",
    StrFromInt "`str.from_int`.",
    StrInRe "`str.in_re`.",
    StrToRe "`str.to_re`.",
    ReNone "`re.none`.",
    ReAll "`re.all`.",
    ReAllchar "`re.allchar`.",
    ReConcat "`re.++`.",
    ReUnion "`re.union`.",
    ReInter "`re.inter`.",
    ReStar "`re.*`.",
    ReComp "`re.comp`.",
    ReDiff "`re.diff`.",
    RePlus "`re.+`.",
    ReOpt "`re.opt`.",
    ReRange "`re.range`.",
    RePower "`(_ re.^ i)`.",
    ReLoop "`((_ re.loop i j) r)`.",
    StrToLower "`str.to_lower`, an extension.",
    StrToUpper "`str.to_upper`, an extension.",
    StrRev "`str.rev`, an extension.",
    StrUpdate "`str.update`, an extension.",

    // Sequences, a theory of several solvers.
    SeqUnit "`seq.unit`.",
    SeqConcat "`seq.++`.",
    SeqLen "`seq.len`.",
    SeqAt "`seq.at`.",
    SeqExtract "`seq.extract`.",
    SeqNth "`seq.nth`, any value if out of range.",
    SeqPrefixof "`seq.prefixof`.",
    SeqSuffixof "`seq.suffixof`.",
    SeqContains "`seq.contains`.",
    SeqIndexof "`seq.indexof`.",
    SeqLastIndexof "`seq.last_indexof`.",
    SeqReplace "`seq.replace`.",
    SeqReplaceAll "`seq.replace_all`.",
    SeqUpdate "`seq.update`.",
    SeqRev "`seq.rev`.",
    // Sets, which are finite; all extensions.
    SetEmpty "`(as set.empty (Set T))`; it has no row in its theory's table, since its arguments do not give its sort.",
    SetUniverse "`(as set.universe (Set T))`, the set of all elements of a finite sort; no row, like `SetEmpty`.",
    SetSingleton "`set.singleton`.",
    SetUnion "`set.union`.",
    SetInter "`set.inter`.",
    SetMinus "`set.minus`.",
    SetMember "`set.member`: an element, then a set.",
    SetSubset "`set.subset`: the first set is part of the second.",
    SetInsert "`set.insert`: elements, then a set.",
    SetCard "`set.card`, the number of elements.",
    SetIsEmpty "`set.is_empty`.",
    SetIsSingleton "`set.is_singleton`.",
    SetComplement "`set.complement`, in a finite sort.",
    SetChoose "`set.choose`, some element of the set, which depends on the set alone; any value of the empty one.",
    SetRange "`set.range`, the integers from the first to the second, both included; empty where the first is greater.",
    // Relations, which are sets of tuples; all extensions.
    RelTranspose "`rel.transpose`: the tuples backwards.",
    RelTclosure "`rel.tclosure`, the smallest transitive relation that has all pairs of a relation.",
    RelJoin "`rel.join`: the last field of the first relation's tuples is the first one of the second's, and is left out.",
    RelProduct "`rel.product`: a tuple of the first relation, then one of the second.",
    RelIden "`rel.iden`: the pairs of each value of a unary relation with itself.",
    RelJoinImage "`rel.join_image`: the values that are related to at least this many; open below 1.",
    // Bags, in which each element has a multiplicity; all extensions.
    BagEmpty "`(as bag.empty (Bag T))`; no row, like `SetEmpty`.",
    BagMake "`bag`: an element and its multiplicity; the empty bag where that is below 1.",
    BagUnionMax "`bag.union_max`: the greater multiplicity of each element.",
    BagUnionDisjoint "`bag.union_disjoint`: the sum of the multiplicities of each element.",
    BagInterMin "`bag.inter_min`: the smaller multiplicity of each element.",
    BagDifferenceSubtract "`bag.difference_subtract`: the second multiplicity subtracted from the first, down to 0.",
    BagDifferenceRemove "`bag.difference_remove`: the first multiplicity of elements that are not in the second bag.",
    BagSubbag "`bag.subbag`: no element of the first bag has a smaller multiplicity in the second.",
    BagCount "`bag.count`, the multiplicity of an element in a bag.",
    BagMember "`bag.member`: an element, then a bag.",
    BagSetof "`bag.setof`: the same elements, each once.",
    BagCard "`bag.card`, the sum of the multiplicities.",
    BagChoose "`bag.choose`, some element of the bag, which depends on the bag alone; any value of the empty one.",

    // Functions applied to all elements of a collection; all extensions. Their first argument is a function.
    SetMap "`set.map`: the values of a function on the elements.",
    SetFilter "`set.filter`: the elements for which a predicate holds.",
    SetFold "`set.fold`: a function of an element and the result so far, the first result, and the set; the \
        order of the elements is open.",
    SetAll "`set.all`: a predicate holds of every element.",
    SetSome "`set.some`: a predicate holds of an element.",
    BagMap "`bag.map`: the values of a function on the elements, the multiplicities of those with one value added.",
    BagFilter "`bag.filter`: the elements for which a predicate holds, with their multiplicities.",
    BagFold "`bag.fold`, as `SetFold`, an element as often as its multiplicity says.",
    BagAll "`bag.all`, as `SetAll`.",
    BagSome "`bag.some`, as `SetSome`.",
    SeqMap "`seq.map`: the sequence of the values of a function on the elements.",
    SeqMapi "`seq.mapi`: as `SeqMap`, of a function of a position and an element, where the first position is given.",
    SeqFoldl "`seq.foldl`: a function of the result so far and an element, the first result, and the sequence, \
        from start to end.",
    SeqFoldli "`seq.foldli`: as `SeqFoldl`, of a function of a position, the result so far and an element; the \
        first position comes before the first result.",

    // Finite fields; all extensions.
    FfAdd "`ff.add`.",
    FfMul "`ff.mul`.",
    FfNeg "`ff.neg`.",
    FfBitsum "`ff.bitsum`: the first argument, twice the second, four times the third and so on.",

    // Separation logic; all extensions, without rows. Their indices are the sorts of the script's heap, see [`Op::heap`].
    SepEmp "`sep.emp`: the heap has no location.",
    SepNil "`(as sep.nil L)`, a location that is in no heap.",
    SepPto "`pto`: the heap has only this location, with this datum.",
    SepStar "`sep`: the heap is the union of disjoint heaps, one for each argument, which holds there.",
    SepWand "`wand`: the second argument holds of the union with each disjoint heap of which the first one holds.",

    // Orders, which a model chooses, for each index and sort one; all extensions.
    PartialOrder "`(_ partial-order i)`: reflexive, antisymmetric and transitive.",
    LinearOrder "`(_ linear-order i)`: a partial order in which any two values are related.",
    TreeOrder "`(_ tree-order i)`: a partial order in which any two values below the same one are related.",
    PiecewiseOrder "`(_ piecewise-linear-order i)`: a tree order in which also any two values above the same one are related.",
}
