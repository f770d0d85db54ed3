//! Names of solvers' own theories, which are carried as text.

/// Sort constructors of z3's and cvc5's own theories.
pub const SORTS: &[&str] = &["Tuple", "Relation", "Unicode", "Char", "UnitTuple", "Table", "Nullable", "SeqLit"];

/// Cardinalities and sums of formulas of z3, which are read.
pub const SUMS: [&str; 5] = ["at-most", "at-least", "pble", "pbge", "pbeq"];

/// Operators of cvc5 on the rows of relations and tables, which are read.
pub const ROWS: [&str; 7] =
    ["rel.project", "table.project", "rel.group", "table.group", "rel.aggr", "table.aggr", "rel.table_join"];

const PREFIXES: &[&str] =
    &["seq.", "set.", "bag.", "rel.", "ff.", "table.", "nullable.", "finset.", "sep.", "char.", "bvsize", "fmf.", "@"];

const NAMES: &str = "\
    pto wand sep emp union intersection setminus subset member singleton emptyset univset card join product transpose tclosure iden \
    comprehension insert complement choose is_singleton emptybag transitive-closure as-array map set-has-size default array-ext sin \
    cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp pi real.pi euler csc sec cot arccos arcsin arctan arccsc arcsec \
    arccot mkbv witness set.comprehension eqrange str.indexof_re str.replace_re_nonempty str.last_indexof re.reverse re.derivative \
    re.of.pred fp.to_ieee_bv_unspecified eval int.log2 int.ispow2 to_fp_bv bvite @bv from_bools bit bool-to-bv bv2bool is-char Char";

/// Whether an unknown operator belongs to some solver's own theory, so that its command is carried as text.
pub fn is_extension(name: &str) -> bool {
    PREFIXES.iter().any(|p| name.starts_with(p)) || NAMES.split(' ').any(|own| own == name)
}
