import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// An entry of the allowlist or of the blocklist: an identifier, or a pattern of addresses.
struct RestrictionRecord: Record {
    enum List: String, ColumnValue {
        case allow
        case block
    }

    var id: String
    var list: List
    /// An address, a number, `*@` and a host, or `*@*.` and a host for the addresses of its subdomains.
    var identifier: String
    /// The invitation that was emailed for the entry.
    var invitationID: String?
    var createdAt: Instant
}

extension RestrictionRecord {
    init() { self.init(id: "", list: .block, identifier: "", createdAt: .distantPast) }

    static let table = Table<RestrictionRecord>(
        "restrictions",
        [
            Column("id", \.id, .key), Column("list", \.list), Column("identifier", \.identifier),
            Column("invitation_id", \.invitationID), Column("created_at", \.createdAt),
        ],
        rules: ["UNIQUE (list, identifier)"])
}
