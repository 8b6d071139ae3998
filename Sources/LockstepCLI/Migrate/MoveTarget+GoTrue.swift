import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepMigration

extension MoveTarget {
    /// Notes what a plan says about GoTrue: its name, its settings, its limits, and what runs with its users.
    ///
    /// - Parameters:
    ///   - api: Its API, which shows the settings.
    ///   - rows: Its database, if users are written there.
    mutating func describeGoTrue(api: GoTrueDirectory, rows: GoTrueDatabase?) {
        title = "GoTrue"
        settings = api
        // RATE_LIMIT_EMAIL_SENT (github.com/supabase/auth, internal/conf).
        usualMailsPerHour = 30
        // Names with a dot are another system's own; only custom providers have one here.
        acceptsProvider = { provider in
            let name = provider.rawValue
            return !name.isEmpty && !name.hasPrefix("sso:") && !name.hasPrefix("oauth_")
                && (!name.contains(".") || name.hasPrefix("custom:"))
        }
        guard let rows else { return }
        road = MoveRoad("by SQL", usersPerSecond: 5000) { () async throws(AuthError) in
            let triggers = try await rows.triggers().filter { $0.events.contains(.insert) }.map(\.function)
            let tables = try await rows.references().map { table in
                table.table + (table.rows.map { $0 == 0 ? "" : " (\($0) rows)" } ?? "")
            }
            return [
                MoveEffect("triggers on auth.users that will run", triggers), MoveEffect("tables that refer to users", tables),
            ].filter { !$0.names.isEmpty || $0.what.hasPrefix("triggers") }
        }
    }
}
