import LockstepPrimitives
import LockstepTestSupport

/// Choices that a seed decides.
struct Dice {
    private let randomness: SeededRandomness

    init(_ seed: UInt64) { randomness = SeededRandomness(seed: seed) }

    func number(_ bound: Int) -> Int {
        Int(randomness.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) % bound
    }

    func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }
}
