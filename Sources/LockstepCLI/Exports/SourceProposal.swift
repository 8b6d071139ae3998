import LockstepEmulation
import LockstepPasswords
import LockstepPrimitives
import LockstepUserFields

/// A first `mapping.json` for a source, by the names and the values in its first records.
struct SourceProposal {
    /// The fields in the order of the list of fields, each with its value in the file.
    private(set) var fields: JSONObject = [:]
    /// The members without a field, with the type of their values.
    private(set) var unknown: [(name: String, type: String)] = []
    /// The fields without which users cannot be moved or sign in.
    var missing: [String] { ["id", "email", SourceMapping.hash].filter { fields[$0] == nil } }

    /// The number of records that a proposal reads.
    static let sample = 100

    /// Names of members for a field, in lower case without other signs; the first that a source has is used.
    ///
    /// The name of the field itself comes first. The fields that give rights or a tenant are never proposed.
    private static let names: [String: [String]] = [
        "id": ["userid", "uid", "localid", "sub", "cognitousername", "uuid"],
        "email": ["emailaddress", "mail", "primaryemail"],
        "emailConfirmed": ["emailverified", "isemailverified", "emailisverified"],
        "phone": ["phonenumber", "mobile", "mobilephone"],
        "phoneConfirmed": ["phoneverified", "phonenumberverified"],
        "passwordHash": ["hash", "hashedpassword", "encryptedpassword", "passworddigest", "password"],
        "displayName": ["name", "fullname"], "firstName": ["givenname"], "lastName": ["familyname", "surname"],
        "photoURL": ["picture", "avatarurl", "avatar", "photo"], "username": ["preferredusername", "login"],
        "disabled": ["blocked", "banned", "isbanned", "suspended"],
        "createdAt": ["created", "usercreatedate", "signedupat"],
        "updatedAt": ["modified", "lastmodifieddate", "userlastmodifieddate"],
        "lastSignInAt": ["lastlogin", "lastloginat", "lastsignin"],
        "passwordChangedAt": ["passwordsetdate", "lastpasswordreset"],
    ]
    private static let excluded: Set = ["role", "audience", "tenant", "identities", "factors", "otherEmails", "otherPhones"]

    /// Reads the first records of a file.
    ///
    /// - Throws: ``UsageError`` for a file that cannot be used.
    init(of path: String) throws(UsageError) {
        var records: [JSONObject] = []
        try UserFilePlace.reading(path) { file in
            let syntax = try UserFileKind.syntax(of: file, path)
            let format = SourceMapping(path, [], leftOut: []).format("", syntax)
            var reader = try UserReader(file, format) { _ in SeedUser() }
            while records.count < Self.sample, let next = try reader.nextRecord() { records.append(next.object) }
            guard !records.isEmpty else { throw UsageError("the file has no users. Export the users again.") }
        }
        var members = Members(records)
        for field in SourceMapping.known where !Self.excluded.contains(field.name) {
            for name in [Members.plain(field.name)] + Self.names[field.name, default: []] {
                guard let member = members.open.first(where: { Members.plain($0) == name }),
                    let value = members.value(of: member, field.name, field.kind)
                else { continue }
                fields[field.name] = value
                members.open.removeAll { $0 == member }
                break
            }
        }
        if fields["displayName"] == nil, let first = fields["firstName"], let last = fields["lastName"] {
            fields["displayName"] = ["from": [first, last]]
        }
        unknown = members.open.map { ($0, members.type(of: $0)) }
    }

    /// The file.
    var document: JSON {
        [
            "version": .int(SourceMapping.version), "fields": .object(fields),
            "leftOut": .array(unknown.map { .string($0.name) }),
        ]
    }
}

/// The members of some records.
private struct Members {
    /// The names of the members without a field.
    var open: [String] = []
    private let records: [JSONObject]

    init(_ records: [JSONObject]) {
        self.records = records
        var seen: Set<ExactString> = []
        for name in records.lazy.flatMap(\.names) where seen.insert(name.exact).inserted { open.append(name) }
    }

    /// A name in lower case without other signs than letters and digits.
    static func plain(_ name: String) -> String {
        String(
            decoding: name.lowercased().utf8.filter { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) }, as: UTF8.self)
    }

    private func values(at path: String) -> [JSON] { records.compactMap { $0.value(at: path) } }

    /// Returns the value of a field in `mapping.json`; `nil` if the values of the member do not fit it.
    func value(of member: String, _ field: String, _ kind: UserFieldKind) -> JSON? {
        var path = member
        // Databases of documents wrap ids and times, as in {"$date": "…"}.
        if let name = values(at: path).first?.object?.names.first, name.utf8.first == UInt8(ascii: "$") { path += ".\(name)" }
        let values = values(at: path)
        guard !values.isEmpty else { return nil }
        let forms: [String?] =
            if case .time = kind { [nil, "seconds", "milliseconds"] } else { [nil] }
        for form in forms {
            var value = SourceMapping.Value(from: [path])
            value.form = form
            let mapped = SourceMapping.Field(name: field, member: nil, kind: kind, value: value)
            // A hash that cannot be read costs its user the password; any other value must fit.
            guard field == SourceMapping.hash ? values.contains(where: mapped.fits) : values.allSatisfy(mapped.fits) else {
                continue
            }
            return form.map { ["from": .string(path), "form": .string($0)] } ?? .string(path)
        }
        return nil
    }

    func type(of member: String) -> String {
        switch values(at: member).first {
        case .string: "text"
        case .int, .double: "number"
        case .bool: "true or false"
        case .array: "list"
        case .object: "object"
        case .null, nil: "no value"
        }
    }
}
