internal import LockstepEmulation
internal import LockstepPrimitives

/// The consecutive wrong passwords for one account.
struct FailedSignIns: Record {
    var space: Int64 = 0
    var localID = ""
    var count: Int64 = 0
    var lockedUntil: Instant?

    static let table = Table<FailedSignIns>(
        "failed_sign_ins",
        [
            Column("space", \.space, .belongs(to: "spaces (id)")), Column("local_id", \.localID), Column("count", \.count),
            Column("locked_until", \.lockedUntil),
        ], key: ["space", "local_id"], isKeyed: true)
}
