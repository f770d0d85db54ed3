//! Finds the functions of a map that a change between two commits affects.

pub mod source;

use crate::coverage::focus::SourcePlace;
use crate::coverage::map::{FunctionMap, MappedFunction, source_name};
use anyhow::Result;
use solver::build::git::{CommitChanges, GitRepository};
use source::{ParsedSource, SourceItem, SourceLanguage};
use std::collections::BTreeSet;

/// The maximum number of caller levels searched for an executed function.
const LEVELS: usize = 3;
/// A name with more functions in other files is too common to match.
const MOST_NAMESAKES: usize = 8;
/// If there are more callers, their own callers are not searched.
const MOST_CALLERS: usize = 200;
/// The maximum number of changed functions and macros that are looked up.
const MOST_ITEMS: usize = 1000;
/// The maximum number of those whose callers are searched.
const MOST_SEARCHED: usize = 20;

/// A changed function or macro.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ChangedItem {
    /// The path of its file.
    pub path: String,
    /// The last part of its qualified name.
    pub name: String,
}

/// The functions that a change concerns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// The changed functions and macros.
    pub items: BTreeSet<ChangedItem>,
    /// Their places in the map, or those of callers.
    pub places: Vec<SourcePlace>,
    /// Messages about items reached only through callers, and about what is not used.
    pub notes: Vec<String>,
}

impl Change {
    /// Finds what a range of commits changes, and where it is in the map.
    /// Errors: the range names no commits, or git fails.
    pub fn of(repository: &GitRepository, range: &str, map: &FunctionMap) -> Result<Change> {
        let changes = repository.changes(range)?;
        let mut change = Change::default();
        change.find_items(repository, &changes)?;
        let mut functions: BTreeSet<&MappedFunction> = BTreeSet::new();
        let mut searched = 0;
        for item in change.items.iter().take(MOST_ITEMS) {
            let known = known(map, item);
            let is_executed = known.iter().any(|function| map.is_executed(function));
            functions.extend(known);
            if is_executed {
                continue;
            }
            searched += 1;
            if searched > MOST_SEARCHED {
                continue;
            }
            let (callers, words) = callers(repository, &changes.after, map, item)?;
            functions.extend(callers);
            change.notes.push(words);
        }
        let more = change.items.len().saturating_sub(MOST_ITEMS) + searched.saturating_sub(MOST_SEARCHED);
        if more > 0 {
            change.notes.push(format!("not used: {more} more functions and macros"));
        }
        let place = |function: &MappedFunction| {
            let path = map.files.get(function.file as usize)?.clone();
            Some(SourcePlace::Lines { path, first: function.line, last: function.line })
        };
        change.places = functions.into_iter().filter_map(place).collect();
        change.places.dedup();
        Ok(change)
    }

    /// Adds the functions and macros with changed lines, in the files before and after.
    fn find_items(&mut self, repository: &GitRepository, changes: &CommitChanges) -> Result<()> {
        for file in &changes.files {
            let path = &file.path;
            if SourceLanguage::of(path).is_none() {
                self.notes.push(format!("not used: {path} is not C, C++ or Rust"));
                continue;
            }
            let (mut outside, mut is_unread) = (false, false);
            for (commit, ranges) in [(&changes.before, &file.before), (&changes.after, &file.after)] {
                if ranges.is_empty() {
                    continue;
                }
                let text = repository.file_at(commit, path)?;
                let Some(parsed) = text.as_ref().and_then(|text| ParsedSource::of(path, text)) else {
                    is_unread = true;
                    continue;
                };
                let items = parsed.items();
                for (first, last) in ranges {
                    let touched = innermost(&items, *first, *last);
                    outside |= touched.is_empty();
                    let changed = touched.into_iter();
                    self.items.extend(changed.map(|item| ChangedItem { path: path.clone(), name: item.name.clone() }));
                }
            }
            if is_unread {
                self.notes.push(format!("not used: {path} is larger than 4 MiB"));
            }
            if outside {
                self.notes.push(format!("not used: lines of {path} outside functions"));
            }
        }
        Ok(())
    }
}

/// Returns the items that overlap a range, without those around a smaller one that contains it.
fn innermost(items: &[SourceItem], first: u32, last: u32) -> Vec<&SourceItem> {
    let touched: Vec<&SourceItem> = items.iter().filter(|item| item.first <= last && first <= item.last).collect();
    let holds = |item: &SourceItem| item.first <= first && last <= item.last;
    let size = |item: &SourceItem| item.last - item.first;
    let least = touched.iter().filter(|item| holds(item)).map(|item| size(item)).min();
    touched.into_iter().filter(|item| least.is_none_or(|least| !holds(item) || size(item) == least)).collect()
}

/// Returns the functions of a map that may be the item: of its name in its file, else, if few, in other files.
fn known<'m>(map: &'m FunctionMap, item: &ChangedItem) -> Vec<&'m MappedFunction> {
    let base = |function: &&MappedFunction| source_name(&function.name).rsplit("::").next() == Some(&item.name);
    let here: Vec<&MappedFunction> = map.of_file(&item.path).into_iter().filter(base).collect();
    match here.is_empty() {
        false => here,
        true => Some(map.named(&item.name)).filter(|named| named.len() <= MOST_NAMESAKES).unwrap_or_default(),
    }
}

/// Returns the nearest executed callers, and a message about them.
fn callers<'m>(
    repository: &GitRepository,
    commit: &str,
    map: &'m FunctionMap,
    item: &ChangedItem,
) -> Result<(Vec<&'m MappedFunction>, String)> {
    let shown = format!("{} ({})", item.name, item.path);
    let mut seen = BTreeSet::from([item.clone()]);
    let mut names = BTreeSet::from([item.name.clone()]);
    for _ in 0..LEVELS {
        let words: Vec<String> = names.iter().cloned().collect();
        let mut users: BTreeSet<ChangedItem> = BTreeSet::new();
        for path in repository.files_with(commit, &words, &SourceLanguage::endings())? {
            let text = repository.file_at(commit, &path)?.unwrap_or_default();
            let used = ParsedSource::of(&path, &text).map(|parsed| parsed.users(&names)).unwrap_or_default();
            users.extend(used.into_iter().map(|user| ChangedItem { path: path.clone(), name: user.name }));
        }
        users.retain(|user| !seen.contains(user));
        let found = users.iter().flat_map(|user| known(map, user)).filter(|function| map.is_executed(function));
        let found: Vec<&MappedFunction> = found.collect();
        if !found.is_empty() {
            return Ok((found, format!("no input executes {shown} itself; its callers are used")));
        }
        if users.is_empty() || users.len() > MOST_CALLERS {
            break;
        }
        names = users.iter().map(|user| user.name.clone()).collect();
        seen.extend(users);
    }
    Ok((Vec::new(), format!("not used: no input executes {shown} or a near caller")))
}
