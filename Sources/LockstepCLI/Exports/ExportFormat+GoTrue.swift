import LockstepDirectory
import LockstepEmulation
import LockstepGoTrueDatabase
import LockstepPrimitives

extension ExportFormat {
    /// The rows of `auth.users` as psql (`\copy … CSV HEADER`) and the platform's editor write them, joined with those of
    /// `auth.identities` and `auth.mfa_factors` in files of their own.
    static let goTrue = [
        ExportFormat(
            provider: "gotrue", title: "GoTrue's auth.users (CSV)", syntax: .table(columns: nil),
            files: ["identities", "factors"],
            recognizes: { names in ["id", "encrypted_password", "raw_app_meta_data"].allSatisfy(names.contains) },
            // A row that was only marked as deleted is nobody.
            includes: { $0.goTrueText("deleted_at") == nil },
            reader: { inputs in
                func table(_ member: String, _ name: String, _ columns: [String]) throws(UsageError) -> IndexedTable? {
                    guard let path = inputs.files[member] else { return nil }
                    return try IndexedTable(
                        path, by: "user_id", requiring: columns,
                        remedy: "Export the table again: psql -c \"\\copy auth.\(name) TO '\(name).csv' CSV HEADER\".")
                }
                let identities = try table("identities", "identities", ["provider", "identity_data"])
                let factors = try table("factors", "mfa_factors", ["factor_type", "status"])
                return { try SeedUser(row: $0, identities, factors) }
            },
            gaps: [
                Gap(
                    concerns: { $0.notShown.contains(DirectoryFeature.identities.rawValue) },
                    sentence: { users in
                        users == 0
                            ? nil
                            : "The identities of \(users) users are unknown. Export auth.identities, and name the file in "
                                + "\"from.identities\"."
                    }),
                Gap(
                    concerns: { $0.notShown.contains(DirectoryFeature.factors.rawValue) },
                    sentence: { users in
                        users == 0
                            ? nil
                            : "The second factors of \(users) users are unknown. Export auth.mfa_factors, and name the file in "
                                + "\"from.factors\"."
                    }),
            ],
            remedy: "Export the table again: psql -c \"\\copy auth.users TO 'users.csv' CSV HEADER\".")
    ]
}

extension SeedUser {
    fileprivate init(row: JSONObject, _ identities: IndexedTable?, _ factors: IndexedTable?) throws {
        guard let id = row.goTrueText("id") else { throw UsageError("The row has no \"id\".") }
        let own = try identities.map { try $0.records(of: id) }
        var user: JSONObject = [:]
        for name in ["id", "aud", "role", "email", "phone"] { user[name] = row.goTrueText(name).map(JSON.string) }
        for (column, name) in [("raw_app_meta_data", "app_metadata"), ("raw_user_meta_data", "user_metadata")] {
            user[name] = try row.goTrueObject(column).map(JSON.object)
        }
        let times = ["email_confirmed_at", "phone_confirmed_at", "last_sign_in_at", "created_at", "updated_at", "banned_until"]
        for name in times { user[name] = try row.goTrueTime(name) }
        for name in ["is_sso_user", "is_anonymous"] { user[name] = try row.goTrueFlag(name) }
        user["identities"] = try own.map { .array(try $0.map { .object(try Self.identity($0)) }) } ?? .null
        let list = try factors.map { try $0.records(of: id).map(Self.factor) }
        var read = try DirectoryUser(
            goTrueRow: user, password: row.goTrueText("encrypted_password") ?? "", factors: list ?? [], now: SystemClock().now)
        if list == nil { read.notShown.insert(.factors) }
        self.init(read)
    }

    private static func identity(_ row: JSONObject) throws -> JSONObject {
        var identity: JSONObject = [:]
        // Older servers have the provider's id in the column "id".
        let isOlder = row["provider_id"] == nil
        identity["id"] = row.goTrueText(isOlder ? "id" : "provider_id").map(JSON.string)
        identity["identity_id"] = isOlder ? nil : row.goTrueText("id").map(JSON.string)
        for name in ["user_id", "provider", "email"] { identity[name] = row.goTrueText(name).map(JSON.string) }
        identity["identity_data"] = try row.goTrueObject("identity_data").map(JSON.object)
        for name in ["last_sign_in_at", "created_at", "updated_at"] { identity[name] = try row.goTrueTime(name) }
        return identity
    }

    private static func factor(_ row: JSONObject) throws -> JSONObject {
        var factor: JSONObject = [:]
        for name in ["id", "factor_type", "status", "friendly_name", "phone", "secret"] {
            factor[name] = row.goTrueText(name).map(JSON.string)
        }
        for name in ["created_at", "updated_at"] { factor[name] = try row.goTrueTime(name) }
        return factor
    }
}

extension JSONObject {
    /// The text of a cell; `nil` for an empty one, and for a word with which tools write NULL.
    fileprivate func goTrueText(_ column: String) -> String? {
        guard let text = self[column]?.string, !text.isEmpty, !["NULL", "null", "\\N"].contains(text) else { return nil }
        return text
    }

    fileprivate func goTrueObject(_ column: String) throws -> JSONObject? {
        guard let text = goTrueText(column) else { return nil }
        guard let object = (try? JSON.parse(Array(text.utf8), rules: .answer))?.object else {
            throw UsageError("invalid value for \"\(column)\": expected a JSON object")
        }
        return object
    }

    fileprivate func goTrueFlag(_ column: String) throws -> JSON? {
        guard let text = goTrueText(column) else { return nil }
        switch text {
        case "t", "true", "TRUE": return true
        case "f", "false", "FALSE": return false
        default: throw UsageError("invalid value for \"\(column)\": expected t or f")
        }
    }

    fileprivate func goTrueTime(_ column: String) throws -> JSON? {
        guard let text = goTrueText(column) else { return nil }
        guard let time = Instant(row: text) else {
            throw UsageError("invalid value for \"\(column)\": expected a time with its offset, such as 2026-01-31 12:00:00+00")
        }
        return .string(time.rfc3339)
    }
}

extension Instant {
    /// Reads a time in RFC 3339, or as PostgreSQL writes it (`2026-01-31 12:00:00.5+00`); `nil` for any other text.
    init?(row text: String) {
        var units = Array(text.utf8)
        if units.count > 10, units[10] == 0x20 { units[10] = UInt8(ascii: "T") }
        // An offset of whole hours has no minutes.
        if units.count > 3, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(units[units.count - 3]) {
            units += Array(":00".utf8)
        }
        self.init(rfc3339: String(decoding: units, as: UTF8.self))
    }
}
