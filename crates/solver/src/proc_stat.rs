//! The numbers in `/proc/PID/stat` of a process (proc(5)).

use std::time::Duration;

/// The kernel's data of a process at one moment.
pub struct Stat {
    pid: u32,
    /// The fields after the program's name, from the third, the state, on.
    fields: String,
}

impl Stat {
    /// Reads the data of a process, alive or not yet waited for; `None` if it is gone.
    pub fn of(pid: u32) -> Option<Stat> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, the second field, may contain blanks and parentheses.
        Some(Stat { pid, fields: text.rsplit(')').next()?.to_string() })
    }

    /// Returns a field by its number in proc(5), from 3 on.
    fn field(&self, number: usize) -> Option<u64> {
        self.fields.split_whitespace().nth(number.checked_sub(3)?)?.parse().ok()
    }

    /// Returns its pid; an option for comparison with others.
    pub fn pid(&self) -> Option<u32> {
        Some(self.pid)
    }

    /// Returns its state, such as `R` or `Z`.
    pub fn state(&self) -> &str {
        self.fields.split_whitespace().next().unwrap_or_default()
    }

    /// Returns its parent.
    pub fn parent(&self) -> Option<u32> {
        self.field(4)?.try_into().ok()
    }

    /// Returns its process group.
    pub fn group(&self) -> Option<u32> {
        self.field(5)?.try_into().ok()
    }

    /// Returns its session.
    pub fn session(&self) -> Option<u32> {
        self.field(6)?.try_into().ok()
    }

    /// Returns its start time, in ticks since the system's start.
    pub fn start_time(&self) -> Option<u64> {
        self.field(22)
    }

    /// Returns its user and system time, with a resolution of 10 ms.
    pub fn cpu(&self) -> Duration {
        Duration::from_millis((self.field(14).unwrap_or(0) + self.field(15).unwrap_or(0)) * 10)
    }

    /// Returns the same including children that it has waited for.
    pub fn cpu_with_waited(&self) -> Duration {
        self.cpu() + Duration::from_millis((self.field(16).unwrap_or(0) + self.field(17).unwrap_or(0)) * 10)
    }
}

/// Returns the soft and hard limits of a process's CPU time in seconds, each `None` if unlimited; `None` if the process is gone.
pub fn cpu_limit(pid: u32) -> Option<(Option<u64>, Option<u64>)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let mut words = text.lines().find_map(|line| line.strip_prefix("Max cpu time"))?.split_whitespace();
    let mut limit = || words.next().map(|word| word.parse().ok());
    Some((limit()?, limit()?))
}

/// Returns the children of a process, of all its threads; `None` if the kernel does not list them.
pub fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

/// Returns the CPU time of a process group: that of its processes, and of the children that they have waited for. Reads all of `/proc`.
pub fn cpu_of_group(group: u32) -> Duration {
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(Stat::of).filter(|stat| stat.group() == Some(group)).map(|stat| stat.cpu_with_waited()).sum()
}
