import LockstepPrimitives

/// Randomness that decides when a process dies.
enum Chance {
    /// A number from 0 to below a limit.
    static func below(_ limit: Int) -> Int {
        let bytes = SystemRandomness().bytes(2)
        return (Int(bytes[0]) << 8 | Int(bytes[1])) % limit
    }
}
