//! `lift-if`: an `ite` in the arguments of a predicate or function moves outwards, until it is one of formulas.

use crate::goal::Goal;
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass};
use crate::walk::TermMap;
use smtlib::{Kind, Store, TermId};

/// The pass.
pub static LIFT_IF: RewritePass = RewritePass {
    name: "lift-if",
    about: "moves every ite out of the arguments it stands in, so that only formulas are chosen between",
    example: Example {
        before: "(declare-const p Bool)(declare-const x Int)(assert (< (+ (ite p x 3) 1) 2))",
        after: &["(ite p (< (+ x 1) 2) (< (+ 3 1) 2))"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut inner = settings.watch(store);
    let mut lifted = TermMap::default();
    PassResult::rebuilt(store, goal, settings, |store, u| lift(store, u, &mut lifted, &mut inner))
}

/// A step for a term.
enum LiftTask {
    /// Find its lifted form.
    Lift(TermId),
    /// Combine the lifted forms of its two variants under the condition.
    Join { whole: TermId, condition: TermId, then: TermId, otherwise: TermId },
}

/// Returns the lifted form of a term with lifted children: `f(ite(c, a, b))` as `ite(c, f(a), f(b))`, and so on inside both.
fn lift(store: &mut Store, root: TermId, done: &mut TermMap, watch: &mut PassMeter<'_>) -> Result<TermId, PassError> {
    let mut tasks = vec![LiftTask::Lift(root)];
    while let Some(task) = tasks.pop() {
        watch.tick(store)?;
        match task {
            LiftTask::Lift(t) => {
                if done.get(t).is_some() {
                    continue;
                }
                let Some(place) = choice_in(store, t) else {
                    done.insert(t, t);
                    continue;
                };
                let mut args = store.args(t).to_vec();
                let choice = store.args(args[place]).to_vec();
                args[place] = choice[1];
                let then = store.with_args(t, &args);
                args[place] = choice[2];
                let otherwise = store.with_args(t, &args);
                tasks.push(LiftTask::Join { whole: t, condition: choice[0], then, otherwise });
                tasks.push(LiftTask::Lift(otherwise));
                tasks.push(LiftTask::Lift(then));
            }
            LiftTask::Join { whole, condition, then, otherwise } => {
                let then = done.get(then).unwrap_or(then);
                let otherwise = done.get(otherwise).unwrap_or(otherwise);
                let choice = store.app(smtlib::Op::new(Kind::Ite), &[condition, then, otherwise])?;
                done.insert(whole, choice);
            }
        }
    }
    Ok(done.get(root).unwrap_or(root))
}

/// Returns the index of the first argument that is an `ite` of terms to lift out of `t`.
fn choice_in(store: &Store, t: TermId) -> Option<usize> {
    // An `ite` among the branches of another is in the right place, and nothing moves out of a binder's scope.
    if matches!(store.kind(t), Kind::Ite | Kind::Forall | Kind::Exists | Kind::Lambda | Kind::Match) {
        return None;
    }
    store.args(t).iter().position(|&a| store.kind(a) == Kind::Ite && !store.is_bool(a))
}
