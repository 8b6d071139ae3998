import LockstepDirectory
import LockstepEmulation
import LockstepPasswords
import LockstepPrimitives
import LockstepUserFields

/// The file `mapping.json`, which says which member of a source of one's own is which field of a user.
///
/// It only names members: no code runs.
struct SourceMapping: Sendable {
    /// The path of the file.
    let path: String
    let fields: [Field]
    /// The members of the source that have a field, or are left out on purpose.
    private let named: Set<ExactString>

    init(_ path: String, _ fields: [Field], leftOut: [String]) {
        (self.path, self.fields) = (path, fields)
        let members = fields.flatMap(\.value.from)
        named = Set((members + members.map { $0.steps[0] } + leftOut).map(\.exact))
    }

    /// A field of a user, with its value in the source.
    struct Field: Sendable {
        /// The name of the field, and of a member of it, as in `userMetadata.plan`.
        let name: String
        let member: String?
        let kind: UserFieldKind
        let value: Value
    }

    /// The place of a value in a record of the source, and its form.
    struct Value: Sendable {
        /// The members; the texts of several are joined.
        var from: [String] = []
        var join = " "
        /// The value for all users.
        var constant: JSON?
        /// The form of a time or a hash; `nil` for one that names itself.
        var form: String?
        /// The values by the words of the source; `null` for no value.
        var words: JSONObject?
        /// The members of an element of a list.
        var each: [Field] = []
    }

    /// The fields of a user that a source of one's own can have.
    ///
    /// A password in clear text is never moved, and the others describe another reading of the same users.
    static let known = SeedUser.fields.filter {
        !["password", "sessions", "missingHash", "notShown", "providers", "only"].contains($0.name)
    }
    /// The name of the field with the hash.
    static let hash = "passwordHash"
    /// The members of an element of a list that may be the same for all users.
    static let elementConstants: Set = ["provider", "kind", "type", "name"]
    /// The name of the field of a second factor that says whether the user has verified it.
    static let state = "verified"
    static let timeForms = ["rfc3339", "seconds", "milliseconds"]
    /// The forms of a hash: a text that names its algorithm, or one of the names in Clerk's documentation.
    static let hashForms = ["text"] + ClerkHasher.all.map(\.rawValue)

    /// The format of a file of the source.
    func format(_ provider: String, _ syntax: ExportFormat.Syntax) -> ExportFormat {
        ExportFormat(
            provider: provider,
            title: "your own format, by \(path.utf8.split(separator: 0x2f).last.flatMap { String($0) } ?? path)", syntax: syntax,
            recognizes: { _ in false },
            reader: { _ in { try user($0) } })
    }

    /// Reads a record of the source.
    ///
    /// - Throws: ``UsageError`` or `SeedProblem` with the member.
    func user(_ record: JSONObject) throws -> SeedUser {
        for name in record.names where !named.contains(name.exact) {
            throw UsageError(
                "the member \"\(name.visible)\" is in no field of \(path). Add it to \"fields\", or to \"leftOut\".")
        }
        var user = try Self.object(fields, record)
        // A table has a column for the state of an address also in the rows of users without an address.
        for address in ["email", "phone"] where user[address] == nil {
            for suffix in ["Confirmed", "ConfirmedAt"] { user[address + suffix] = nil }
        }
        return try UserFileReader.user(user)
    }

    private static func object(_ fields: [Field], _ record: JSONObject) throws -> JSONObject {
        var object: JSONObject = [:]
        for field in fields {
            let json: JSON?
            do { json = try field.json(record) } catch let problem as ValueProblem {
                throw UsageError(
                    "\"\(field.value.from.joined(separator: "\", \"").visible)\" is no value for the field \"\(field.name)\": "
                        + "expected \(problem.expected).")
            }
            guard let json else { continue }
            if let member = field.member {
                var members = object[field.name]?.object ?? [:]
                members[member] = json
                object[field.name] = .object(members)
            } else if field.name == hash, field.value.constant == nil {
                let read = field.value.hash(json.string ?? "")
                object[read == nil ? "missingHash" : hash] = .string(read ?? MissingHash.unreadable.rawValue)
            } else {
                object[field.name] = json
            }
        }
        return object
    }

    /// The elements of a list; those without a value for `provider` or another needed member are left out.
    fileprivate static func elements(_ list: [JSON], _ fields: [Field]) throws -> [JSON] {
        try list.compactMap { element in
            guard let record = element.object else { throw ValueProblem(expected: "a list of objects") }
            let object = try object(fields, record)
            // A word that is mapped to null leaves out the element.
            let isComplete = fields.allSatisfy { $0.value.words == nil || object[$0.name] != nil }
            guard isComplete else { return nil }
            guard object[state] != nil || !fields.contains(where: { $0.name == state }) else {
                throw ValueProblem(expected: "true or false for \"\(state)\" of each element")
            }
            return .object(object)
        }
    }
}

/// A value of the source that does not fit its field.
private struct ValueProblem: Error {
    let expected: String
}

extension SourceMapping.Field {
    /// Returns the value of a record; `nil` for none.
    fileprivate func json(_ record: JSONObject) throws -> JSON? {
        if let constant = value.constant { return constant }
        let found = value.from.compactMap { record.value(at: $0) }
        guard let first = found.first else { return nil }
        var json = first
        if value.from.count > 1 { json = .string(try found.map { try text($0) }.joined(separator: value.join)) }
        if let words = value.words {
            guard let word = words[try text(json)] else {
                throw ValueProblem(expected: words.names.map { "\"\($0)\"" }.listedAsChoice)
            }
            return word == .null ? nil : word
        }
        // A member of an object has any type.
        return member == nil ? try converted(json) : json
    }

    /// Whether a value of the source fits the field.
    func fits(_ json: JSON) -> Bool {
        if name == SourceMapping.hash { return json.string.flatMap(value.hash) != nil }
        // A number of seconds with so many digits would be a time in thousands of years.
        if value.form == "seconds", abs(json.number ?? 0) >= 100_000_000_000 { return false }
        return (try? converted(json)) != nil
    }

    private func converted(_ json: JSON) throws -> JSON {
        switch kind {
        case .text: return .string(try text(json))
        case .time: return .string(try time(json).rfc3339)
        case .flag:
            if json.bool != nil { return json }
            switch try text(json).lowercased() {
            case "true", "t", "1", "yes": return true
            case "false", "f", "0", "no": return false
            default: throw ValueProblem(expected: "true or false, or \"words\" with their meaning")
            }
        case .whole:
            guard let number = try json.int ?? Int64(text(json)) else { throw ValueProblem(expected: "a whole number") }
            return .int(number)
        case .object:
            guard let object = json.parsed.object else { throw ValueProblem(expected: "a JSON object") }
            return .object(object)
        case .texts:
            guard let list = json.parsed.array else { throw ValueProblem(expected: "a JSON list") }
            return .array(list)
        case .list:
            guard let list = json.parsed.array else { throw ValueProblem(expected: "a JSON list") }
            return .array(value.each.isEmpty ? list : try SourceMapping.elements(list, value.each))
        }
    }

    private func text(_ json: JSON) throws -> String {
        if let text = json.string { return text }
        if let number = json.int { return String(number) }
        if let flag = json.bool { return String(flag) }
        throw ValueProblem(expected: "a text")
    }

    private func time(_ json: JSON) throws -> Instant {
        let number = json.number
        switch (value.form, number) {
        case ("seconds", let number?), ("milliseconds", let number?):
            if let time = Instant(writable: value.form == "seconds" ? number * 1000 : number) { return time }
            throw ValueProblem(
                expected: "a number of \(value.form ?? "") in the years 1 to 9999. The \"form\" may be wrong: use "
                    + SourceMapping.timeForms.listedAsChoice)
        case (nil, _), ("rfc3339", _):
            if let time = json.string.flatMap(Instant.init(row:)) { return time }
            throw ValueProblem(
                expected: number == nil
                    ? "a time with its offset, such as 2026-01-31T12:00:00Z"
                    : "a time such as 2026-01-31T12:00:00Z, or the \"form\" seconds or milliseconds")
        default: throw ValueProblem(expected: "a number of \(value.form ?? "")")
        }
    }
}

extension SourceMapping.Value {
    /// Returns a hash in a text that names its algorithm; `nil` for one that cannot be read.
    fileprivate func hash(_ text: String) -> String? {
        guard let form, form != "text" else { return (try? PasswordHash(text))?.text }
        return (try? PasswordHash(clerkDigest: text, hasher: ClerkHasher(rawValue: form)))?.text
    }
}

extension JSON {
    /// The number, which may be text.
    fileprivate var number: Double? { (double ?? string.flatMap(Double.init)).flatMap { $0.isFinite ? $0 : nil } }

    /// The value in a cell of a table, which is JSON text.
    fileprivate var parsed: JSON { string.flatMap { try? JSON.parse(Array($0.utf8), rules: .answer) } ?? self }
}

extension JSONObject {
    /// Returns the value at a path of names with dots; `nil` for none, for `null` and for an empty text.
    ///
    /// A member whose own name has dots comes first.
    func value(at path: String) -> JSON? {
        var json = self[path]
        if json == nil {
            var steps = path.steps[...]
            json = .object(self)
            while let step = steps.popFirst() { json = json?.object?[step] }
        }
        return json == .null || json == "" ? nil : json
    }
}

extension String {
    /// The names in a path.
    var steps: [String] { utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String($0) ?? "" } }
}

extension Instant {
    /// The time after a number of milliseconds since 1970; `nil` outside the years that RFC 3339 can write.
    fileprivate init?(writable milliseconds: Double) {
        guard milliseconds >= -62_135_596_800_000, milliseconds < 253_402_300_800_000 else { return nil }
        self.init(milliseconds: Int64(milliseconds))
    }
}
