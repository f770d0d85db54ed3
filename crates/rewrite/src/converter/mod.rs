//! Model converters: convert a model of a rewritten goal to a model of the original goal.

mod define;

use define::{define_run, forget, graph};
use semantics::{Model, Stop, UnknownReason};
use smtlib::{FuncId, Store, Symbol, TermId};
use std::fmt::Debug;
use std::sync::Arc;

/// Converts models of the result of some passes to models of their input: the conversions of the passes are applied from the last to the
/// first.
///
/// Cloning is cheap; converters are shared between goals.
#[derive(Clone, Default, Debug)]
pub struct ModelConverter {
    /// The conversions of the last pass, linked to those of earlier passes.
    newest: Option<Arc<ConversionLink>>,
}

#[derive(Debug)]
struct ConversionLink {
    conversions: Vec<Conversion>,
    older: ModelConverter,
}

/// The inverse of one change of the symbols by a pass.
#[derive(Clone, Debug)]
pub enum Conversion {
    /// A symbol was eliminated; its value is that of a closed term over the symbols of the result. A definition may use symbols that
    /// later conversions define, since those are applied before it.
    Define {
        /// The symbol, which takes no arguments.
        symbol: FuncId,
        /// The term, of the symbol's sort.
        term: TermId,
    },
    /// A function symbol was eliminated; it is defined by a term over these variables.
    DefineFunction {
        /// The symbol.
        symbol: FuncId,
        /// Names of its parameters.
        params: Box<[Symbol]>,
        /// The body, in which only these variables are free.
        body: TermId,
    },
    /// A function symbol was eliminated by naming its applications (Ackermann): for the values of the arguments it has the value of the
    /// name. Rows with equal arguments have equal values in every model of the result.
    Graph {
        /// The symbol.
        symbol: FuncId,
        /// Arguments and value, closed terms over the symbols of the result.
        rows: Vec<(Box<[TermId]>, TermId)>,
    },
    /// A fresh symbol was introduced, without earlier meaning.
    Forget(FuncId),
    /// The same, for symbols with values such that two terms of one sort are equal, for any values of all earlier symbols.
    Introduce {
        /// The symbols.
        symbols: Box<[FuncId]>,
        /// A term over them: if it is the symbol itself, the other term is its definition.
        image: TermId,
        /// The equal term, in which none of them occurs.
        of: TermId,
    },
    /// Anything else.
    Custom(Arc<dyn Convert>),
}

impl Conversion {
    /// Makes the conversion for a fresh constant that names a term: `image`, over the constant, equals the term `of`.
    pub fn name(symbol: FuncId, image: TermId, of: TermId) -> Conversion {
        Conversion::Introduce { symbols: [symbol].into(), image, of }
    }
}

/// A conversion with its own code.
pub trait Convert: Send + Sync + Debug {
    /// Converts a model of the pass's result to a model of its input.
    /// Errors: [`ConvertError`], if there is no model of the input, or it cannot be computed.
    fn convert(&self, store: &mut Store, model: Model, stop: &Stop) -> Result<Model, ConvertError>;

    /// As [`ModelConverter::definitions`].
    fn definitions(&self) -> (Vec<(FuncId, TermId)>, usize) {
        (Vec::new(), 1)
    }
}

/// Why there is no model of the input.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConvertError {
    /// A definition has no known value under the model.
    #[error("the value of `{symbol}` cannot be computed from the model: {reason}")]
    Unknown {
        /// The symbol's name.
        symbol: String,
        /// The reason.
        reason: UnknownReason,
    },
    /// A value does not fit its symbol.
    #[error("the value of `{symbol}` cannot be put into the model: {reason}")]
    Value {
        /// The symbol's name.
        symbol: String,
        /// The reason.
        reason: UnknownReason,
    },
    /// Two applications with equal arguments have different values: it is not a model of the result.
    #[error("`{symbol}` would have two values at the same arguments")]
    Conflict {
        /// The symbol's name.
        symbol: String,
    },
    /// A custom conversion failed.
    #[error("{0}")]
    Other(String),
    /// A step by another program was wrong.
    #[error("{by} left a subgoal with a model in which formula {formula} of its goal is false")]
    Wrong {
        /// The program.
        by: Arc<str>,
        /// The formula's index in the goal before the step.
        formula: usize,
    },
    /// Another program did the step without a readable model conversion.
    #[error("{by} gives no way back for models")]
    Lost {
        /// The program.
        by: Arc<str>,
    },
}

impl ConvertError {
    /// Whether the time was up.
    pub fn is_stopped(&self) -> bool {
        matches!(self, ConvertError::Unknown { reason: UnknownReason::Stopped, .. })
    }
}

impl ModelConverter {
    /// Makes the identity.
    pub fn identity() -> ModelConverter {
        ModelConverter::default()
    }

    /// Makes the converter of one pass. The conversions are applied from the last to the first.
    pub fn new(conversions: Vec<Conversion>) -> ModelConverter {
        ModelConverter::identity().then(conversions)
    }

    /// Returns this converter, followed by a pass with these conversions.
    pub fn then(self, conversions: Vec<Conversion>) -> ModelConverter {
        if conversions.is_empty() {
            return self;
        }
        ModelConverter { newest: Some(Arc::new(ConversionLink { conversions, older: self })) }
    }

    /// Returns this converter, followed by passes with another.
    pub fn compose(&self, later: &ModelConverter) -> ModelConverter {
        let mut links = Vec::new();
        let mut next = &later.newest;
        while let Some(link) = next {
            links.push(link);
            next = &link.older.newest;
        }
        links.into_iter().rev().fold(self.clone(), |all, link| all.then(link.conversions.clone()))
    }

    /// Returns the conversions in the order of application: last pass first, and within a pass the last first.
    fn backwards(&self) -> impl Iterator<Item = &Conversion> {
        let mut next = self.newest.as_ref();
        let links = std::iter::from_fn(move || {
            let link = next?;
            next = link.older.newest.as_ref();
            Some(link)
        });
        links.flat_map(|link| link.conversions.iter().rev())
    }

    /// Returns the conversions that introduced symbols, in the order of the passes.
    pub fn introduced(&self) -> Vec<&Conversion> {
        let is_new = |c: &&Conversion| matches!(c, Conversion::Forget(_) | Conversion::Introduce { .. });
        let mut introduced: Vec<&Conversion> = self.backwards().filter(is_new).collect();
        introduced.reverse();
        introduced
    }

    /// Returns the removed symbols and their definitions, in an order in which a term uses only remaining or earlier symbols; and the
    /// number of other symbols and values that are recovered by more than a term.
    pub fn definitions(&self) -> (Vec<(FuncId, TermId)>, usize) {
        let (mut definitions, mut others) = (Vec::new(), 0);
        for conversion in self.backwards() {
            match conversion {
                Conversion::Define { symbol, term } => definitions.push((*symbol, *term)),
                Conversion::Forget(_) | Conversion::Introduce { .. } => {}
                Conversion::Custom(custom) => {
                    let (more, other) = custom.definitions();
                    definitions.extend(more);
                    others += other;
                }
                Conversion::DefineFunction { .. } | Conversion::Graph { .. } => others += 1,
            }
        }
        (definitions, others)
    }

    /// Converts a model of the last result to a model of the first input. Open symbols on which definitions depend get some value, since
    /// they are free.
    /// Errors: [`ConvertError`], when a definition has no known value in the model, or the time is up.
    pub fn convert(&self, store: &mut Store, mut model: Model, stop: &Stop) -> Result<Model, ConvertError> {
        // Symbols are forgotten at the end: between definitions this would end their runs, and each run has a cost proportional to the
        // number of terms.
        let mut forgotten = Vec::new();
        let mut conversions: Vec<&Conversion> = self.backwards().collect();
        conversions.retain(|conversion| match conversion {
            Conversion::Forget(symbol) => {
                forgotten.push(*symbol);
                false
            }
            Conversion::Introduce { symbols, .. } => {
                forgotten.extend(symbols);
                false
            }
            _ => true,
        });
        let mut rest = conversions.as_slice();
        while let Some(&first) = rest.first() {
            match first {
                Conversion::Define { .. } | Conversion::DefineFunction { .. } => {
                    let (count, after) = define_run(store, model, rest, stop)?;
                    model = after;
                    rest = &rest[count..];
                    continue;
                }
                Conversion::Graph { symbol, rows } => model = graph(store, model, *symbol, rows, stop)?,
                Conversion::Custom(custom) => model = custom.convert(store, model, stop)?,
                Conversion::Forget(_) | Conversion::Introduce { .. } => {}
            }
            rest = &rest[1..];
        }
        forget(store, &mut model, forgotten);
        Ok(model)
    }
}

/// Converters may be chained as long as a strategy runs, so they are dropped without recursion.
impl Drop for ModelConverter {
    fn drop(&mut self) {
        let mut next = self.newest.take();
        while let Some(link) = next {
            next = Arc::into_inner(link).and_then(|mut link| link.older.newest.take());
        }
    }
}
