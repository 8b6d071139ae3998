import LockstepDirectory
import LockstepMigration
import LockstepPrimitives

/// The names of users in a report: their ids on the source, and with `--show-addresses` also by their addresses.
struct UserNames: Sendable {
    /// Whether addresses are shown.
    let showsAddresses: Bool
    private var addresses: [ExactString: String] = [:]

    /// The option that shows addresses.
    static let option = Option("show-addresses", .none, "also show the addresses of users, and values that contain an address")

    /// Reads the addresses from the source, if they are requested.
    init(_ ids: [String], _ session: MoveSession, _ invocation: Invocation) async throws {
        showsAddresses = invocation.has("show-addresses")
        guard showsAddresses else { return }
        for start in stride(from: 0, to: ids.count, by: 100) {
            let some = Array(ids[start..<min(start + 100, ids.count)])
            for (id, user) in zip(some, try await session.ends.source.directory.users(ids: some)) {
                addresses[id.exact] = user?.email ?? user?.phone
            }
        }
    }

    /// The user in a text.
    subscript(id: String) -> String {
        addresses[id.exact].map { "\(id.visible) (\($0.visible))" } ?? id.visible
    }

    /// The members that name the user in JSON.
    func members(_ id: String) -> JSONObject {
        var members: JSONObject = ["source": .string(id)]
        if let address = addresses[id.exact] { members["address"] = .string(address) }
        return members
    }
}
