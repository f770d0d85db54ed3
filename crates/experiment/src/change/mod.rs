//! From a change between two commits to the functions of a map that it concerns.

pub mod source;

use crate::coverage::focus::SourcePlace;
use crate::coverage::map::{FunctionMap, MappedFunction, source_name};
use anyhow::Result;
use solver::build::git::{CommitChanges, GitRepository};
use source::{ParsedSource, SourceItem, SourceLanguage};
use std::collections::BTreeSet;

/// How many levels of callers are searched for a function that the map knows.
const LEVELS: usize = 3;
/// A name that more functions of other files have is too common to be the changed one.
const MOST_NAMESAKES: usize = 8;
/// The maximum number of callers followed: more call something that everything calls.
const MOST_CALLERS: usize = 200;

/// A changed function or macro.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ChangedItem {
    /// The path of its file.
    pub path: String,
    /// The last part of its name.
    pub name: String,
}

/// The functions that a change concerns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// The hash of the commit after it.
    pub after: String,
    /// The changed functions and macros.
    pub items: BTreeSet<ChangedItem>,
    /// The places in the map.
    pub places: Vec<SourcePlace>,
    /// Changed items that the map knows only through callers, and those it does not know at all, in words.
    pub told: Vec<String>,
}

impl Change {
    /// Returns what a range of commits changes, and where the map has it.
    /// Errors: the range names no commits, or git fails.
    pub fn of(repository: &GitRepository, range: &str, map: &FunctionMap) -> Result<Change> {
        let changes = repository.changes(range)?;
        let mut change = Change { after: changes.after.clone(), ..Change::default() };
        change.find_items(repository, &changes)?;
        let mut functions: BTreeSet<&MappedFunction> = BTreeSet::new();
        for item in &change.items {
            let known = known(map, item);
            let is_executed = known.iter().any(|function| is_executed(map, function));
            functions.extend(known);
            if is_executed {
                continue;
            }
            let (callers, words) = callers(repository, &changes.after, map, item)?;
            functions.extend(callers);
            change.told.push(words);
        }
        change.places = functions.into_iter().map(|function| SourcePlace::Function(function.name.clone())).collect();
        Ok(change)
    }

    /// Adds the functions and macros that have changed lines, before or after.
    fn find_items(&mut self, repository: &GitRepository, changes: &CommitChanges) -> Result<()> {
        for file in &changes.files {
            let path = &file.path;
            if SourceLanguage::of(path).is_none() {
                self.told.push(format!("{path} is neither C, C++ nor Rust: not used"));
                continue;
            }
            let mut outside = 0u32;
            for (commit, ranges) in [(&changes.before, &file.before), (&changes.after, &file.after)] {
                if ranges.is_empty() {
                    continue;
                }
                let text = repository.file_at(commit, path)?.unwrap_or_default();
                let Some(parsed) = ParsedSource::of(path, &text) else {
                    self.told.push(format!("{path} is too large, so it is generated: not used"));
                    continue;
                };
                let items = parsed.items();
                for (first, last) in ranges {
                    let touched = innermost(&items, *first, *last);
                    outside += u32::from(touched.is_empty());
                    let changed =
                        touched.into_iter().map(|item| ChangedItem { path: path.clone(), name: item.name.clone() });
                    self.items.extend(changed);
                }
            }
            if outside > 0 {
                self.told.push(format!("{path}: {outside} changed places are in no function: not used"));
            }
        }
        Ok(())
    }
}

/// Returns the items with lines of a range, without those that contain another such item with all of the range.
fn innermost(items: &[SourceItem], first: u32, last: u32) -> Vec<&SourceItem> {
    let touched: Vec<&SourceItem> = items.iter().filter(|item| item.first <= last && first <= item.last).collect();
    let holds = |item: &SourceItem| item.first <= first && last <= item.last;
    let size = |item: &SourceItem| item.last - item.first;
    let least = touched.iter().filter(|item| holds(item)).map(|item| size(item)).min();
    touched.into_iter().filter(|item| least.is_none_or(|least| holds(item) && size(item) == least)).collect()
}

/// Returns the functions of a map that are a changed one: those of its name in its file, or else the few of its name in others.
fn known<'m>(map: &'m FunctionMap, item: &ChangedItem) -> Vec<&'m MappedFunction> {
    let base = |function: &&MappedFunction| {
        let source = source_name(&function.name);
        let last = source.rsplit("::").next().unwrap_or_default();
        last == item.name || (last == "operator" && item.name.starts_with("operator"))
    };
    let here: Vec<&MappedFunction> = map.of_file(&item.path).into_iter().filter(base).collect();
    match here.is_empty() {
        false => here,
        true => Some(map.named(&item.name)).filter(|named| named.len() <= MOST_NAMESAKES).unwrap_or_default(),
    }
}

fn is_executed(map: &FunctionMap, function: &MappedFunction) -> bool {
    (0..map.inputs.len()).any(|input| map.count(function, input) > 0)
}

/// Returns the nearest callers that the map knows as executed, and what to say of them.
fn callers<'m>(
    repository: &GitRepository,
    commit: &str,
    map: &'m FunctionMap,
    item: &ChangedItem,
) -> Result<(Vec<&'m MappedFunction>, String)> {
    let shown = format!("{} ({})", item.name, item.path);
    let mut names = BTreeSet::from([item.name.clone()]);
    for _ in 0..LEVELS {
        let words: Vec<String> = names.iter().cloned().collect();
        let mut users: BTreeSet<ChangedItem> = BTreeSet::new();
        for path in repository.files_with(commit, &words, &SourceLanguage::patterns())? {
            let text = repository.file_at(commit, &path)?.unwrap_or_default();
            let used = ParsedSource::of(&path, &text).map(|parsed| parsed.users(&names)).unwrap_or_default();
            users.extend(used.into_iter().map(|user| ChangedItem { path: path.clone(), name: user.name }));
        }
        let found = users.iter().flat_map(|user| known(map, user)).filter(|function| is_executed(map, function));
        let found: Vec<&MappedFunction> = found.collect();
        if !found.is_empty() {
            return Ok((found, format!("nothing of the map executes {shown} itself; its callers are used")));
        }
        if users.is_empty() || users.len() > MOST_CALLERS {
            break;
        }
        names = users.into_iter().map(|user| user.name).collect();
    }
    Ok((Vec::new(), format!("nothing of the map executes {shown}: not used")))
}
