//! The output of mutator programs: the first lines of frames, complete and truncated.

use solver::frames::{Frame, FrameFailure, read_head};

/// Outputs, complete and truncated, and invalid ones.
pub const EXAMPLES: &[&str] = &[
    "mutant 12\n(check-sat)\n",
    "none 9\r\nno symbolmutant 0\n",
    "mutant 100000\n",
    "mutant 99999999999999999999999\n",
    "(assert true)\n(check-sat)\n",
    "Traceback (most recent call last):\n  File \"mutate.py\", line 3\n",
];

/// The longest body.
const MOST: usize = 1000;

/// Reads bytes as they arrive, one by one.
///
/// # Panics
/// Reads bytes as they arrive, one by one.
pub fn check(bytes: &[u8]) {
    let whole = read_head(bytes, MOST);
    // A first line is short: later bytes cannot matter.
    for end in 0..bytes.len().min(200) {
        match read_head(&bytes[..end], MOST) {
            Ok(None) => {}
            Ok(head) => assert_eq!(Ok(head), whole, "after {end} bytes"),
            // The error message may have grown.
            Err(FrameFailure::NoFrame(_)) => {
                assert!(matches!(whole, Err(FrameFailure::NoFrame(_))), "after {end} bytes")
            }
            Err(failure) => assert_eq!(Err(failure), whole, "after {end} bytes"),
        }
    }
    if let Ok(Some((word, start, length))) = whole {
        assert!(start <= bytes.len() && length <= MOST && !word.is_empty());
        let mut written = Vec::new();
        Frame::new(&word, vec![0; length]).write(&mut written);
        let again = read_head(&written, MOST);
        assert_eq!(again, Ok(Some((word, written.len() - length, length))));
    }
}
