//! The stated bounds of one evaluation.

/// What evaluation may spend before a term is unknown. None of them changes a value; they only decide when to give up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvalLimits {
    /// Steps of one call of `eval`: a term visited is one step, and every 64 bits or array entry written another.
    pub steps: u64,
    /// The largest domain a quantifier or lambda is enumerated over, in elements (of all its variables together).
    pub domain: u64,
    /// Instances tried, in one call of `eval`, of quantifiers over larger or infinite domains.
    pub instances: u64,
    /// The widest integer, in bits, that multiplication, powers and shifts may make.
    pub bits: usize,
    /// How deep calls and binders may nest.
    pub nesting: usize,
    /// Steps for regular expressions, see [`WorkBudget`](crate::strings::WorkBudget).
    pub regex_steps: u64,
    /// Bytes of the large values (numbers, strings, arrays) that one evaluator may make in its life.
    pub memory: usize,
    /// Remembered results of function calls.
    pub call_memo: usize,
    /// Steps and steps for regular expressions of all calls of `eval` of one evaluator in its life. After them every term that takes a step is
    /// unknown.
    pub life: u64,
}

impl EvalLimits {
    /// For one of many scripts, whose assertions and terms share what one alone might take: some seconds.
    pub const ONE_OF_MANY: EvalLimits = EvalLimits { life: 20_000_000, ..EvalLimits::DEFAULT };

    pub(crate) const DEFAULT: EvalLimits = EvalLimits {
        steps: 20_000_000,
        domain: 1 << 16,
        instances: 1 << 14,
        bits: 1 << 20,
        nesting: 20_000,
        regex_steps: crate::strings::WorkBudget::DEFAULT_STEPS,
        memory: 1 << 26,
        call_memo: 1 << 16,
        life: u64::MAX,
    };
}

impl Default for EvalLimits {
    fn default() -> EvalLimits {
        EvalLimits::DEFAULT
    }
}
