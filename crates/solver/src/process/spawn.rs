//! Starts a program so that its limits, its process group and its end with us hold from its first instruction on.
//!
//! Like `posix_spawn` it borrows our memory until the `exec` (`CLONE_VM | CLONE_VFORK`): a plain fork, which a hook of the
//! standard library needs, copies our page tables. Unlike `posix_spawn` it can set limits and the parent-death signal there,
//! before a script that is the program can start the real solver without them.

use rustix::io::{fcntl_dupfd_cloexec, retry_on_intr};
use rustix::process::{Pid, WaitOptions, getpid, waitpid};
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::{io, ptr};

/// The stack of the child until its `exec`, in units of 16 bytes: 64 KiB.
const STACK: usize = 4096;

/// A program to be started.
pub(super) struct ProcessStart<'a> {
    /// The program and its arguments; a program without a `/` is searched in `PATH`.
    pub(super) command: &'a [OsString],
    /// Its standard input, output and error.
    pub(super) streams: [&'a File; 3],
    /// Additional environment variables.
    pub(super) variables: &'a [(&'a str, &'a str)],
    /// The working folder; by default ours.
    pub(super) folder: Option<&'a Path>,
    /// Its limits. One that the system rejects stays as ours.
    pub(super) limits: &'a [(Resource, libc::rlimit)],
    /// Whether the system kills it when this thread ends, for any reason.
    pub(super) ends_with_thread: bool,
}

/// The resource of a kernel limit: its type differs between C libraries.
#[cfg(target_env = "gnu")]
pub(super) type Resource = libc::__rlimit_resource_t;
/// The resource of a kernel limit: its type differs between C libraries.
#[cfg(not(target_env = "gnu"))]
pub(super) type Resource = libc::c_int;

/// All data of the child, prepared before its start: it must not allocate, since our other threads keep running.
struct SpawnPlan {
    /// The candidate paths of the program, in order.
    places: Vec<CString>,
    /// Ends with a null pointer, as the environment does.
    arguments: Vec<*const libc::c_char>,
    environment: Vec<*const libc::c_char>,
    folder: Option<CString>,
    streams: [RawFd; 3],
    limits: Vec<(Resource, libc::rlimit)>,
    /// Our pid if the child must end with us.
    parent: Option<libc::pid_t>,
    /// Why the program could not be started; 0 if it was.
    error: libc::c_int,
}

/// Starts a program in its own process group, with an empty signal mask and its pid as the group's id.
/// Errors: the program cannot be started.
pub(super) fn spawn(start: &ProcessStart<'_>) -> io::Result<Pid> {
    let invalid = || io::Error::from_raw_os_error(libc::EINVAL);
    let words = |words: &[OsString]| -> io::Result<Vec<CString>> {
        words.iter().map(|word| CString::new(word.as_bytes()).map_err(|_| invalid())).collect()
    };
    let arguments = words(start.command)?;
    let environment = words(&environment(start.variables))?;
    let pointers = |words: &[CString]| -> Vec<*const libc::c_char> {
        words.iter().map(|word| word.as_ptr()).chain([ptr::null()]).collect()
    };
    let mut plan = SpawnPlan {
        places: words(&places(start.command.first().ok_or_else(invalid)?))?,
        arguments: pointers(&arguments),
        environment: pointers(&environment),
        folder: start
            .folder
            .map(|folder| CString::new(folder.as_os_str().as_bytes()))
            .transpose()
            .map_err(|_| invalid())?,
        streams: start.streams.map(AsRawFd::as_raw_fd),
        limits: start.limits.to_vec(),
        parent: start.ends_with_thread.then(|| getpid().as_raw_pid()),
        error: 0,
    };
    let mut stack: Vec<MaybeUninit<u128>> = Vec::with_capacity(STACK);
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the signal sets are valid structures. The stack is aligned, ours, and grows down from its end. The plan and the
    // stack outlive the child's use of our memory: this thread stands still until the child's `exec` or exit, and no signal
    // handler of ours can run in the child, since all signals are blocked until their handlers are gone there.
    let pid = unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut before);
        let top = stack.as_mut_ptr().add(STACK).cast();
        let pid = libc::clone(begin, top, flags, (&raw mut plan).cast());
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        Pid::from_raw(pid.max(0)).ok_or(error)?
    };
    // SAFETY: the child wrote it before it ended, behind the compiler's back.
    let error = unsafe { (&raw const plan.error).read_volatile() };
    if error == 0 {
        return Ok(pid);
    }
    // Our child that never became the program; its status is not needed.
    let _ = retry_on_intr(|| waitpid(Some(pid), WaitOptions::empty()));
    Err(io::Error::from_raw_os_error(error))
}

/// Runs in the child: only system calls, since it shares our memory and must neither allocate nor panic.
extern "C" fn begin(plan: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `spawn` gives a plan that lives and is not touched meanwhile; every call below takes integers, or pointers into
    // the plan or to structures on this stack.
    unsafe {
        let plan = &mut *plan.cast::<SpawnPlan>();
        let mut action: libc::sigaction = std::mem::zeroed();
        for signal in 1..=64 {
            let known = libc::sigaction(signal, ptr::null(), &mut action) == 0;
            // Ignored signals stay ignored (`nohup`), except the one that the standard library ignores by itself.
            let goes = action.sa_sigaction != libc::SIG_IGN || signal == libc::SIGPIPE;
            if known && goes && action.sa_sigaction != libc::SIG_DFL {
                action = std::mem::zeroed();
                libc::sigaction(signal, &action, ptr::null_mut());
            }
        }
        libc::setpgid(0, 0);
        if let Some(parent) = plan.parent {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            // If the parent was killed before that line, the child does not notice.
            if libc::getppid() != parent {
                libc::_exit(127);
            }
        }
        if plan.folder.as_ref().is_some_and(|folder| libc::chdir(folder.as_ptr()) != 0) {
            fail(plan, errno());
        }
        for (resource, limit) in &plan.limits {
            libc::setrlimit(*resource, limit);
        }
        for (stream, fd) in (0..).zip(&plan.streams) {
            if libc::dup2(*fd, stream) < 0 {
                fail(plan, errno());
            }
        }
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::pthread_sigmask(libc::SIG_SETMASK, &none, ptr::null_mut());
        let mut error = libc::ENOENT;
        for place in &plan.places {
            libc::execve(place.as_ptr(), plan.arguments.as_ptr(), plan.environment.as_ptr());
            match errno() {
                libc::ENOENT | libc::ENOTDIR => {}
                libc::EACCES => error = libc::EACCES,
                other => fail(plan, other),
            }
        }
        fail(plan, error)
    }
}

/// Ends the child with the reason.
fn fail(plan: &mut SpawnPlan, error: libc::c_int) -> ! {
    // SAFETY: the pointer is a valid reference; `_exit` runs nothing of ours.
    unsafe {
        (&raw mut plan.error).write_volatile(error);
        libc::_exit(127)
    }
}

fn errno() -> libc::c_int {
    // SAFETY: the location is this thread's own, and always valid.
    unsafe { *libc::__errno_location() }
}

/// Returns our environment with these variables added, as `NAME=VALUE`.
fn environment(variables: &[(&str, &str)]) -> Vec<OsString> {
    let inherited = std::env::vars_os().filter(|(name, _)| variables.iter().all(|(own, _)| name != own));
    let own = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let word = |(mut name, value): (OsString, OsString)| {
        name.push("=");
        name.push(value);
        name
    };
    inherited.chain(own).map(word).collect()
}

/// Returns the candidate paths of a program: in the folders of `PATH`, unless it has a `/`. Folders that `PATH` gives relative to the
/// current one are left out: entering another user's folder does not mean trusting its programs.
fn places(program: &OsStr) -> Vec<OsString> {
    if program.as_bytes().contains(&b'/') {
        return vec![program.to_os_string()];
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from_vec(b"/bin:/usr/bin".to_vec()));
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(program).into_os_string()).collect()
}

/// Creates a pipe, its reading end first; neither end is 0, 1 or 2, nor inherited.
pub(super) fn pipe() -> io::Result<(File, File)> {
    let (reader, writer) = io::pipe()?;
    Ok((beyond_streams(OwnedFd::from(reader).into())?, beyond_streams(OwnedFd::from(writer).into())?))
}

/// Moves the file to a number above those of the standard streams: these may be free if we were started without them, and the child's
/// future streams must not be overwritten.
pub(super) fn beyond_streams(file: File) -> io::Result<File> {
    if file.as_raw_fd() > libc::STDERR_FILENO {
        return Ok(file);
    }
    Ok(fcntl_dupfd_cloexec(file, libc::STDERR_FILENO + 1)?.into())
}
