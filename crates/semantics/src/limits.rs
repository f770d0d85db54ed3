//! The bounds of one evaluation.

/// The limits of evaluation, beyond which a term is unknown. They never change a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvalLimits {
    /// Steps of one call of `eval`: a visited term is one step, and so are every 64 bits or array entry written.
    pub steps: u64,
    /// The maximum number of elements (of all its variables together) over which a quantifier or lambda is enumerated.
    pub domain: u64,
    /// Instances tried, in one call of `eval`, of quantifiers over larger or infinite domains.
    pub instances: u64,
    /// The maximum length, in bits, of an integer made by multiplication, powers and shifts.
    pub bits: usize,
    /// How deep calls and binders may nest.
    pub nesting: usize,
    /// Steps for regular expressions, see [`WorkBudget`](crate::strings::WorkBudget).
    pub regex_steps: u64,
    /// Bytes of the large values (numbers, strings, arrays) that one evaluator may make in total.
    pub memory: usize,
    /// Memoised results of function calls.
    pub call_memo: usize,
    /// Steps, including those for regular expressions, of all `eval` calls of one evaluator. After them every term that takes a step is
    /// unknown.
    pub life: u64,
}

impl EvalLimits {
    /// Limits for one of many scripts, shared by all its assertions and terms: some seconds.
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
