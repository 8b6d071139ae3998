import LockstepPrimitives
import LockstepUserFields

extension SourceMapping {
    /// Reads the file.
    ///
    /// - Throws: ``UsageError`` with the line and the member.
    init(_ path: String) throws(UsageError) {
        let bytes = Array(try SettingsFile(path).text.utf8)
        let json: JSON
        do throws(JSONError) { json = try JSON.parse(bytes, rules: .init(repeatedNames: .refused)) } catch {
            throw UsageError("\(path): the file is not JSON. \(error.sentence(in: bytes))")
        }
        let reader = MappingReader(path: path, bytes: bytes)
        let object = try reader.object(json, [], ["$schema", "version", "fields", "leftOut"])
        guard object["version"] == .int(Self.version) else {
            throw reader.refuse(["version"], "expected \(Self.version). Use a version of lockstep that knows the file.")
        }
        let fields = try reader.fields(object["fields"])
        for field in [Self.known[0].name] where !fields.contains(where: { $0.name == field }) {
            throw reader.refuse(["fields"], "the field \"\(field)\" is missing. Name the member with the ids of the users.")
        }
        var leftOut: [String] = []
        for name in object["leftOut"]?.array ?? [] {
            guard let name = name.string else { throw reader.refuse(["leftOut"], "expected a list of names of members.") }
            leftOut.append(name)
        }
        self.init(path, fields, leftOut: leftOut)
    }

    static let version: Int64 = 1
}

private struct MappingReader {
    let path: String
    let bytes: [UInt8]

    func refuse(_ place: [String], _ sentence: String) -> UsageError {
        UsageError("\(path): line \(line(of: place)): \"\(place.joined(separator: ".").visible)\": \(sentence)")
    }

    /// The line of a member, whose names occur one within the other.
    private func line(of place: [String]) -> Int {
        var offset = 0
        for name in place {
            let text = Array(JSON.string(name).text().utf8)
            while let found = bytes[offset...].firstRange(of: text) {
                offset = found.upperBound
                if bytes[offset...].first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) == UInt8(ascii: ":") { break }
            }
        }
        return bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
    }

    func object(_ json: JSON?, _ place: [String], _ known: [String]) throws(UsageError) -> JSONObject {
        guard let object = json?.object else {
            throw place.isEmpty ? UsageError("\(path): the file must be an object.") : refuse(place, "expected an object.")
        }
        for name in object.names where !known.contains(name) {
            throw refuse(place + [name], "unknown member.\(known.suggestion(for: name)) Known: \(known.joined(separator: ", ")).")
        }
        return object
    }

    func fields(_ json: JSON?) throws(UsageError) -> [SourceMapping.Field] {
        guard let object = json?.object else { throw refuse(["fields"], "expected an object with the fields of a user.") }
        let names = SourceMapping.known.map(\.name)
        var fields: [SourceMapping.Field] = []
        for (name, json) in object {
            let place = ["fields", name]
            let steps = name.steps
            guard let row = SourceMapping.known.first(where: { $0.name == steps[0] }) else {
                throw refuse(place, "unknown field.\(names.suggestion(for: steps[0])) Known: \(names.joined(separator: ", ")).")
            }
            let member = steps.count > 1 ? steps.dropFirst().joined(separator: ".") : nil
            if member != nil, case .object = row.kind {
            } else if member != nil {
                throw refuse(place, "\"\(row.name)\" is no object, so it has no members. Use \"\(row.name)\".")
            }
            let value = try value(json, place, row.kind, isHash: row.name == SourceMapping.hash)
            if value.constant != nil, row.use.contains(.proven) || row.kind.isList {
                throw refuse(
                    place,
                    "a constant must not set \"\(row.name)\" of all users. Use \"from\" with a member of the source, or remove it."
                )
            }
            if let other = fields.first(where: { $0.name == row.name }), member == nil || other.member == nil {
                let whole = [other.name, other.member].compactMap(\.self).joined(separator: ".")
                throw refuse(
                    place, "\"\(whole.visible)\" sets the same members. Keep the whole object or single members of it.")
            }
            fields.append(SourceMapping.Field(name: row.name, member: member, kind: row.kind, value: value))
        }
        return fields
    }

    private func value(
        _ json: JSON, _ place: [String], _ kind: UserFieldKind, isHash: Bool = false
    ) throws(UsageError) -> SourceMapping.Value {
        var value = SourceMapping.Value()
        if let name = json.string, !name.isEmpty {
            value.from = [name]
            return value
        }
        let object = try object(json, place, ["from", "join", "constant", "form", "words", "each"])
        func text(_ name: String) throws(UsageError) -> String? {
            guard let json = object[name] else { return nil }
            guard let text = json.string else { throw refuse(place + [name], "expected a string.") }
            return text
        }
        let names = object["from"]?.array ?? object["from"].map { [$0] } ?? []
        value.from = names.compactMap(\.string).filter { !$0.isEmpty }
        guard value.from.count == names.count else {
            throw refuse(place + ["from"], "expected the name of a member, or a list of names.")
        }
        guard value.from.isEmpty == (object["constant"] != nil) else {
            throw refuse(place, "expected \"from\" with a member of the source, or \"constant\".")
        }
        value.join = try text("join") ?? " "
        if let constant = object["constant"] {
            guard kind.accepts(constant) else { throw refuse(place + ["constant"], "expected \(kind.expectation).") }
            value.constant = constant
        }
        if let form = try text("form") {
            var forms = isHash ? SourceMapping.hashForms : []
            if case .time = kind { forms = SourceMapping.timeForms }
            guard !forms.isEmpty else { throw refuse(place + ["form"], "only times and hashes have a form. Remove it.") }
            guard forms.contains(form) else {
                throw refuse(place + ["form"], "expected \(forms.listedAsChoice).")
            }
            value.form = form
        }
        if let words = object["words"] {
            guard let words = words.object, words.allSatisfy({ $0.value == .null || kind.accepts($0.value) }) else {
                throw refuse(
                    place + ["words"], "expected \(kind.expectation) or null for each word of the source.")
            }
            value.words = words
        }
        if let each = object["each"] {
            guard case .list(let members) = kind else { throw refuse(place + ["each"], "only lists have elements. Remove it.") }
            for (name, json) in try self.object(each, place + ["each"], members.map(\.name)) {
                guard let member = members.first(where: { $0.name == name }) else { continue }
                let element = try self.value(json, place + ["each", name], member.kind)
                // What an element says of itself, such as its address or whether it is verified, is in the source.
                if element.constant != nil, !SourceMapping.elementConstants.contains(name) {
                    throw refuse(
                        place + ["each", name], "a constant must not set it. Use \"from\" with a member of the source.")
                }
                value.each.append(SourceMapping.Field(name: name, member: nil, kind: member.kind, value: element))
            }
            // An element that does not say it would be a verified one.
            let state = SourceMapping.state
            if members.contains(where: { $0.name == state }), !value.each.contains(where: { $0.name == state }) {
                throw refuse(
                    place + ["each"], "\"\(state)\" is missing. Name the member that says whether the user has verified it.")
            }
        }
        return value
    }
}

extension UserFieldKind {
    fileprivate var isList: Bool {
        switch self {
        case .list, .texts: true
        case .text, .flag, .whole, .time, .object: false
        }
    }

    /// Whether a value has the type.
    fileprivate func accepts(_ json: JSON) -> Bool {
        switch self {
        case .text: json.string != nil
        case .time: json.string.flatMap { Instant(rfc3339: $0) } != nil
        case .flag: json.bool != nil
        case .whole: json.int != nil
        case .object: true
        case .texts, .list: json.array != nil
        }
    }

    fileprivate var expectation: String {
        switch self {
        case .text: "a string"
        case .time: "a time such as 2026-01-31T12:00:00Z"
        case .flag: "true or false"
        case .whole: "a whole number"
        case .object: "a value"
        case .texts, .list: "a list"
        }
    }
}
