//! The default schedule: strategies take turns, and recent improvements of the best score earn longer turns.

use super::StrategyChoice;
use crate::searcher::SearchStrategy;
use crate::searcher::Searcher;

/// The number of executions of a first turn.
const FIRST_TURN: u64 = 2_000;

/// The maximum length of a turn.
const LONGEST_TURN: u64 = 400_000;

/// The minimum length of a turn, as a share of all executions so far.
const SHARE: u64 = 16;

/// The strategies of the default schedule.
const MEMBERS: [StrategyChoice; 3] = [StrategyChoice::Distance, StrategyChoice::Invert, StrategyChoice::Sum];

/// A member with the length of its turns.
struct PortfolioMember {
    strategy: Box<dyn SearchStrategy>,
    turn: u64,
}

/// The schedule.
pub struct Portfolio {
    members: Vec<PortfolioMember>,
    next: usize,
    running: usize,
}

impl Default for Portfolio {
    fn default() -> Self {
        let member = |choice: &StrategyChoice| PortfolioMember { strategy: choice.strategy(), turn: FIRST_TURN };
        let members = MEMBERS.iter().map(member).collect();
        Portfolio { members, next: 0, running: 0 }
    }
}

impl SearchStrategy for Portfolio {
    fn name(&self) -> &'static str {
        "default"
    }

    fn run(&mut self, searcher: &mut Searcher<'_>, executions: u64) -> Option<Vec<u8>> {
        let end = searcher.executions().saturating_add(executions);
        while searcher.executions() < end && !searcher.is_over() {
            self.running = self.next;
            self.next = (self.next + 1) % self.members.len();
            let before = searcher.best();
            let member = &mut self.members[self.running];
            let found = member.strategy.run(searcher, member.turn);
            if found.is_some() {
                return found;
            }
            // A turn that improved the best score earns a longer one, and others a shorter one, but never less than a share of the search
            // so far: long searches should not waste time on switching, and a strategy that failed early may succeed late.
            let improved = match (before, searcher.best()) {
                (Some(before), Some(after)) => after.beats(before),
                _ => true,
            };
            let share = (searcher.executions() / SHARE).clamp(FIRST_TURN, LONGEST_TURN);
            let earned = if improved { member.turn * 2 } else { member.turn / 2 };
            member.turn = earned.clamp(share, LONGEST_TURN);
        }
        None
    }

    fn rejected(&mut self) {
        self.members[self.running].strategy.rejected();
    }
}
