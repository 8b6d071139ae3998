internal import LockstepPrimitives
internal import Synchronization

/// Random numbers from a seed: the same seed gives the same bytes on every machine.
///
/// It is only for the tests of this package, so that no app can use it by mistake. Anyone who knows the seed knows
/// every verifier, nonce and id.
package final class SeededRandomness: Randomness {
    private let state: Mutex<UInt64>

    /// Creates a sequence of bytes.
    package init(seed: UInt64) {
        state = Mutex(seed)
    }

    /// Returns the next bytes of the sequence (SplitMix64).
    ///
    /// - Parameter count: The number of bytes.
    package func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count + 8)
            while bytes.count < count {
                state &+= 0x9e37_79b9_7f4a_7c15
                var word = state
                word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
                word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
                word ^= word >> 31
                for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
            }
            return Array(bytes.prefix(count))
        }
    }
}
