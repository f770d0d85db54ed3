//! The numbers that `/proc/PID/stat` tells of a process (proc(5)).

use std::time::Duration;

/// What the kernel says of a process at one moment.
pub struct Stat {
    pid: u32,
    /// The fields behind the program's name, from the third, the state, on.
    fields: String,
}

impl Stat {
    /// Of a process, alive or not yet waited for; none if it is gone.
    pub fn of(pid: u32) -> Option<Stat> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, the second field, may hold blanks and parentheses.
        Some(Stat { pid, fields: text.rsplit(')').next()?.to_string() })
    }

    /// A field by its number in proc(5), from 3 on.
    fn field(&self, number: usize) -> Option<u64> {
        self.fields.split_whitespace().nth(number.checked_sub(3)?)?.parse().ok()
    }

    /// Its number; an option as what is compared with it.
    pub fn pid(&self) -> Option<u32> {
        Some(self.pid)
    }

    /// Its state, such as `R` or `Z`.
    pub fn state(&self) -> &str {
        self.fields.split_whitespace().next().unwrap_or_default()
    }

    /// The process that started it.
    pub fn parent(&self) -> Option<u32> {
        self.field(4)?.try_into().ok()
    }

    /// Its process group.
    pub fn group(&self) -> Option<u32> {
        self.field(5)?.try_into().ok()
    }

    /// Its session.
    pub fn session(&self) -> Option<u32> {
        self.field(6)?.try_into().ok()
    }

    /// When it was started, in ticks since the system was.
    pub fn start_time(&self) -> Option<u64> {
        self.field(22)
    }

    /// The user and system time it has used, to a hundredth of a second.
    pub fn cpu(&self) -> Duration {
        Duration::from_millis((self.field(14).unwrap_or(0) + self.field(15).unwrap_or(0)) * 10)
    }

    /// The same with that of the children that it has waited for.
    pub fn cpu_with_waited(&self) -> Duration {
        self.cpu() + Duration::from_millis((self.field(16).unwrap_or(0) + self.field(17).unwrap_or(0)) * 10)
    }
}

/// The limit of a process on its CPU time in seconds, soft and hard, each none where it is unlimited; none if the process is gone.
pub fn cpu_limit(pid: u32) -> Option<(Option<u64>, Option<u64>)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let mut words = text.lines().find_map(|line| line.strip_prefix("Max cpu time"))?.split_whitespace();
    let mut limit = || words.next().map(|word| word.parse().ok());
    Some((limit()?, limit()?))
}

/// The children of a process, whichever of its threads started them; none where the kernel does not tell.
pub fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

/// The CPU time that a process group has used: that of its processes, and of the children that they have waited for. It reads all of
/// `/proc`.
pub fn cpu_of_group(group: u32) -> Duration {
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(Stat::of).filter(|stat| stat.group() == Some(group)).map(|stat| stat.cpu_with_waited()).sum()
}
