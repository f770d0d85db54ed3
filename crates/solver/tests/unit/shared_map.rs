//! Unit tests of `src/coverage/shared_map.rs`.

use super::SharedMap;

#[test]
fn a_map_is_shared_and_cleared() {
    let map = SharedMap::new(1000).expect("memory");
    assert_eq!((map.hits().count(), map.bytes()), (0, 1000));
    // SAFETY: the map is attached for as long as it lives; the second attachment is of the same memory.
    unsafe {
        let other = libc::shmat(map.id(), std::ptr::null(), 0).cast::<u8>();
        other.add(7).write_volatile(255);
        libc::shmdt(other.cast());
    }
    assert_eq!(map.hits().collect::<Vec<_>>(), [7]);
    map.clear();
    assert_eq!(map.hits().count(), 0);
    assert!(SharedMap::new(0).is_err());
}
