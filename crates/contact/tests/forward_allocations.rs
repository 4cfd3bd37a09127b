//! The closed form of one coordinate allocates nothing: a counting allocator says so.
#![allow(clippy::unwrap_used, unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use carom_contact::forward::scalar::ScalarFriction;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is handed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn accelerations_of_one_coordinate_are_found_without_an_allocation() {
    let scalar = ScalarFriction::new(1.0, 0.2, 2.0, 3.0, 0.8.into()).unwrap();
    let before = COUNT.with(Cell::get);
    let mut found = 0;
    for velocity in [1.0, 0.0, -1.0] {
        for k in -50..50 {
            found += scalar.answers(0.1 * f64::from(k), velocity).iter().count();
        }
    }
    assert_eq!(COUNT.with(Cell::get) - before, 0);
    assert!(found > 100, "{found}");
}
