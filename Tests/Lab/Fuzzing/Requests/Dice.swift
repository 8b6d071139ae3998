internal import LockstepPrimitives
internal import LockstepTestSupport

/// Repeatable randomness that depends only on a seed.
struct Dice {
    private let randomness: SeededRandomness

    init(seed: UInt64) { randomness = SeededRandomness(seed: seed) }

    /// A number from 0 to below `count`.
    func roll(_ count: Int) -> Int {
        Int(randomness.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) % max(1, count)
    }

    /// True once in this many times.
    func hits(oneIn count: Int) -> Bool { roll(count) == 0 }

    func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }

    func bytes(_ count: Int) -> [UInt8] { randomness.bytes(count) }
}
