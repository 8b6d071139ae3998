internal import LockstepPrimitives

/// The type of a request's member, from Google's API description.
indirect enum Shape: Sendable {
    case text
    case flag
    case whole
    case number
    /// One of these words, or its index.
    case choice([String])
    case list(Shape)
    case message([String: Shape])
    /// Any names, values of one shape.
    case map(Shape)
    case anything
    /// A member that may be `null`, which is the same as absent.
    case optional(Shape)
    /// A member that Google's description lacks and production accepts: Firebase's emulator ignores it, whatever its value.
    case unlisted(Shape)
}

extension Shape {
    /// `value` in the form of the operations: numbers become texts where texts belong, indexes become words.
    ///
    /// - Parameter knowsAll: whether unknown names are refused, as in production.
    func taking(_ value: JSON, at path: String, knowsAll: Bool) throws(APIError) -> JSON {
        switch self {
        case .anything:
            return value
        case .optional(let shape), .unlisted(let shape):
            return try shape.taking(value, at: path, knowsAll: knowsAll)
        case .text:
            guard let text = Self.text(value) else { throw .badPayload("\(path) must be string") }
            return .string(text)
        case .flag:
            guard value.bool != nil else { throw .badPayload("\(path) must be boolean") }
            return value
        case .whole:
            if let double = value.double, let whole = Int64(exactly: double) { return .int(whole) }
            throw .badPayload("\(path) must be integer")
        case .number:
            guard value.double != nil else { throw .badPayload("\(path) must be number") }
            return value
        case .choice(let words):
            guard let text = Self.text(value) else { throw .badPayload("\(path) must be string") }
            if words.contains(text) { return .string(text) }
            guard let place = Int(text), words.indices.contains(place) else {
                throw .badPayload("\(path) must be equal to one of the allowed values")
            }
            return .string(words[place])
        case .list(let shape):
            guard let elements = value.array else { throw .badPayload("\(path) must be array") }
            var taken: [JSON] = []
            for (index, element) in elements.enumerated() {
                taken.append(try shape.taking(element, at: "\(path)/\(index)", knowsAll: knowsAll))
            }
            return .array(taken)
        case .message(let shapes):
            return .object(try Self.members(of: value, at: path, knowsAll: knowsAll) { shapes[$0] })
        case .map(let shape):
            // The names of a map are the caller's own.
            return .object(try Self.members(of: value, at: path, knowsAll: knowsAll, respelling: false) { _ in shape })
        }
    }

    private static func members(
        of value: JSON, at path: String, knowsAll: Bool, respelling: Bool = true, shape: (String) -> Shape?
    ) throws(APIError) -> JSONObject {
        guard let object = value.object else { throw .badPayload("\(path) must be object") }
        var taken = JSONObject()
        for (name, member) in object {
            let spelled = respelling && knowsAll ? camelCase(name) : name
            if let shape = shape(spelled) {
                switch shape {
                case .unlisted where !knowsAll: continue
                case .optional where member.isNull: continue
                // Protobuf's mapping of JSON: null is the same as absent, in members and not in lists and maps.
                case _ where member.isNull && knowsAll && respelling: continue
                default: break
                }
                taken[spelled] = try shape.taking(member, at: "\(path)/\(spelled)", knowsAll: knowsAll)
            } else if knowsAll {
                throw .badPayload(
                    "Unknown name \"\(name)\"\(path.isEmpty ? "" : " at '\(path.dropFirst())'"): Cannot find field.")
            }
        }
        return taken
    }

    private static func text(_ value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): "\(number)"
        default: nil
        }
    }

    /// `id_token` as `idToken`: production accepts both spellings.
    static func camelCase(_ name: String) -> String {
        guard name.unicodeScalars.contains("_") else { return name }
        var words = name.pieces(at: "_").map { $0.lowercased() }
        guard !words.isEmpty else { return name }
        for index in words.indices.dropFirst() { words[index] = words[index].prefix(1).uppercased() + words[index].dropFirst() }
        return words.joined()
    }
}

/// The members of a request, in the operation's spelling and types.
struct Body: Sendable {
    let members: JSONObject

    init(_ members: JSONObject = [:]) {
        self.members = members
    }

    /// The text of a member, also an empty one; `nil` where it is not there.
    func text(_ name: String) -> String? { members[name]?.string }

    /// The text of a member that is there and not empty.
    func given(_ name: String) -> String? {
        guard let text = members[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    func flag(_ name: String) -> Bool? { members[name]?.bool }

    /// The texts of a list; empty where it is not there.
    func texts(_ name: String) -> [String] { (members[name]?.array ?? []).compactMap(\.string) }

    func message(_ name: String) -> Body? { members[name]?.object.map(Body.init) }

    func messages(_ name: String) -> [Body] { (members[name]?.array ?? []).compactMap(\.object).map(Body.init) }

    func has(_ name: String) -> Bool { members[name] != nil }
}

/// The validation of addresses, numbers and URLs.
enum Formats {
    /// Text, one `@`, text: all that Firebase's emulator checks.
    static func isEmail(_ text: String) -> Bool {
        let parts = text.pieces(at: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }

    /// A plus and anything: all that Firebase's emulator checks.
    ///
    /// Production reads the number, with the signs that people put between digits.
    static func isPhoneNumber(_ text: String, isStrict: Bool) -> Bool {
        guard text.utf8.first == 0x2b else { return false }
        guard isStrict else { return true }
        let digits = text.utf8.count { (0x30...0x39).contains($0) }
        return (4...15).contains(digits)
            && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || [0x20, 0x28, 0x29, 0x2d, 0x2e].contains($0) }
    }

    /// Addresses are stored and compared in lower case.
    static func canonical(_ email: String) -> String { email.lowercased() }
}

extension JSONObject {
    /// These members and then the others; of members with the same name the other's value counts.
    func adding(_ others: JSONObject) -> JSONObject {
        var sum = self
        for (name, value) in others { sum[name] = value }
        return sum
    }
}
