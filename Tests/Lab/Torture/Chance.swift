import LockstepPrimitives

/// Where luck decides when a process dies.
enum Chance {
    /// A number from 0 up to a limit, without it.
    static func below(_ limit: Int) -> Int {
        let bytes = SystemRandomness().bytes(2)
        return (Int(bytes[0]) << 8 | Int(bytes[1])) % limit
    }
}
