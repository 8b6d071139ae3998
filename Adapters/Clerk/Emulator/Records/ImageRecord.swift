import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// A picture that was uploaded, of a user or an organization.
struct ImageRecord: Record {
    var id: String
    var type: String
    var bytes: [UInt8]
}

extension ImageRecord {
    init() { self.init(id: "", type: "", bytes: []) }

    static let table = Table<ImageRecord>(
        "images",
        [
            Column("id", \.id, .key), Column("type", \.type), Column("bytes", \.bytes),
        ])
}
