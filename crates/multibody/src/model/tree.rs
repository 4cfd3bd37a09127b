//! Order of the bodies: parents first, whatever the order of the input.

use std::cmp::Reverse;

/// Bodies from the world outwards, branch by branch, siblings by name.
///
/// `parents[b]` is the body on which body `b` hangs, none for the world. Bodies on a ring are never
/// reached and are left out.
pub(super) fn outward(parents: &[Option<usize>], names: &[&str]) -> Vec<usize> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut waiting = Vec::new();
    for (body, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(body),
            None => waiting.push(body),
        }
    }
    let mut order = Vec::with_capacity(parents.len());
    waiting.sort_by_key(|body| Reverse(names[*body]));
    while let Some(body) = waiting.pop() {
        order.push(body);
        let next = waiting.len();
        waiting.append(&mut children[body]);
        waiting[next..].sort_by_key(|body| Reverse(names[*body]));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_depends_on_names_and_connections_only() {
        // b hangs on a, d and c on b, e on the world.
        let names = ["d", "a", "e", "b", "c"];
        let parents = [Some(3), None, None, Some(1), Some(3)];
        let order = outward(&parents, &names);
        let said: Vec<_> = order.iter().map(|body| names[*body]).collect();
        assert_eq!(said, ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn a_ring_is_never_reached() {
        let names = ["a", "b", "c"];
        assert_eq!(outward(&[None, Some(2), Some(1)], &names), [0]);
    }
}
