//! An allocator that counts. A test that uses it is a binary of its own and says
//!
//! ```text
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//! ```
#![allow(
    unsafe_code,
    reason = "an allocator that counts cannot be written without"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Of this thread alone: the test harness allocates on its own threads when it likes.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counted.
pub struct Counting;

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Allocations of this thread during some work. The counter is seen to count before.
pub fn allocations(work: impl FnOnce()) -> usize {
    let start = COUNT.with(Cell::get);
    drop(std::hint::black_box(Box::new(start)));
    let before = COUNT.with(Cell::get);
    assert!(
        before > start,
        "the binary must name Counting its allocator"
    );
    work();
    COUNT.with(Cell::get) - before
}
