import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// An address of the instance itself: a URL where a redirect may end, or a host of the instance.
struct InstanceAddressRecord: Record {
    enum Kind: String, ColumnValue {
        case redirect
        case domain
    }

    var id: String
    var kind: Kind
    /// A URL, or the name of a host.
    var text: String
    var proxyURL: String?
    var createdAt: Instant
    var updatedAt: Instant
}

extension InstanceAddressRecord {
    init() { self.init(id: "", kind: .redirect, text: "", createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<InstanceAddressRecord>(
        "instance_addresses",
        [
            Column("id", \.id, .key), Column("kind", \.kind), Column("text", \.text), Column("proxy_url", \.proxyURL),
            Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ],
        rules: ["UNIQUE (kind, text)"])
}
