//! Tests of `passes::solve_eqs`.

use dashu_int::UBig;
use rewrite::passes::solve_eqs::odd_inverse;

#[test]
fn odd_numbers_have_inverses() {
    for width in [1u32, 2, 7, 8, 64, 65, 200] {
        for c in [1u32, 3, 5, 127, 255, 99_999_999] {
            let modulus = UBig::ONE << width as usize;
            let c = UBig::from(c) % &modulus;
            match odd_inverse(width, &c) {
                Some(inverse) => assert_eq!((c * inverse) % &modulus, UBig::ONE % &modulus),
                None => assert_ne!(c.trailing_zeros(), Some(0)),
            }
        }
        assert_eq!(odd_inverse(width, &UBig::from(6u8)), None);
    }
}
