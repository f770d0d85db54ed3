//! Tests of `layout`.

use search::layout::Layout;
use search::types::Ty;

#[test]
fn slots_do_not_touch_each_other() {
    let types = [Ty::Bool, Ty::Bits(64), Ty::Mode, Ty::Bits(7), Ty::Bits(200), Ty::Bits(33), Ty::Bool];
    let mut layout = Layout::default();
    for &ty in &types {
        layout.add(ty);
    }
    assert_eq!(layout.bits(), 1 + 64 + 3 + 7 + 200 + 33 + 1);
    for slot in 0..types.len() {
        let mut input = vec![0xff; layout.zeros().len()];
        let words = vec![0; types[slot].words()];
        layout.set_words(&mut input, slot, &words);
        for (other, ty) in types.iter().enumerate() {
            let ones: u32 = layout.words(&input, other).iter().map(|w| w.count_ones()).sum();
            // All ones of a rounding mode are the pattern of mode 2.
            let full = if *ty == Ty::Mode { 1 } else { ty.width() };
            assert_eq!(ones, if other == slot { 0 } else { full }, "slot {other} after clearing {slot}");
        }
    }
}
