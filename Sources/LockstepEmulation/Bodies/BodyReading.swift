internal import LockstepPrimitives

extension BodySchema {
    /// Checks a body, and returns the members that the schema declares.
    ///
    /// - Parameters:
    ///   - object: The body as it was received.
    ///   - rules: The rules of the provider, which decide how strict the check is.
    /// - Throws: The first fault in the body.
    public func read(_ object: JSONObject, _ rules: BodyRules) throws(BodyFault) -> JSONObject {
        try read(object, rules, at: [])
    }

    /// Returns the names in a body that the schema does not declare.
    ///
    /// Use this function if the provider reports all unknown names.
    ///
    /// - Parameters:
    ///   - names: The names of the members of a body.
    ///   - rules: How names are compared.
    /// - Returns: The unknown names, in the order of `names`.
    public func unknown(_ names: [String], _ rules: BodyRules) -> [String] {
        names.filter { member($0, rules.spelling) == nil }
    }

    fileprivate func read(_ object: JSONObject, _ rules: BodyRules, at path: [String]) throws(BodyFault) -> JSONObject {
        var read = JSONObject()
        for (name, value) in object {
            guard let member = member(name, rules.spelling) else {
                if isOpen { read[name] = value }
                if isOpen || rules.unknown == .ignored { continue }
                throw .unknown(name: name, at: path)
            }
            if value.isNull, rules.ignoresNull { continue }
            switch member.kind {
            case .strictOnly where rules.unknown == .ignored: continue
            case .optional where value.isNull: continue
            default: read[member.name] = try member.kind.read(value, rules, at: path + [member.name])
            }
        }
        return read
    }
}

extension BodySchema.Kind {
    func read(_ value: JSON, _ rules: BodyRules, at path: [String]) throws(BodyFault) -> JSON {
        switch (self, value) {
        case (.anything, _), (.text, .string), (.flag, .bool), (.object, .object): return value
        case (.optional(let kind), _), (.strictOnly(let kind), _): return try kind.read(value, rules, at: path)
        case (.text, _):
            if rules.values == .coerced, let text = value.asText { return .string(text) }
        case (.whole, _):
            if let double = value.double, let whole = Int64(exactly: double) { return .int(whole) }
        case (.number, _):
            if value.double != nil { return value }
        case (.choice(let words), _):
            guard let text = rules.values == .coerced ? value.asText : value.string else {
                throw .kind(expected: .text, found: value, at: path)
            }
            if words.contains(text) { return .string(text) }
            if rules.values == .coerced, let place = Int(text), words.indices.contains(place) { return .string(words[place]) }
        case (.checked(let passes), .string(let text)):
            if passes(text) { return value }
        case (.list(let kind), .array(let elements)):
            var read: [JSON] = []
            for (index, element) in elements.enumerated() {
                let place = path + [String(index)]
                read.append(element.isNull && kind.allowsNull ? element : try kind.read(element, rules, at: place))
            }
            return .array(read)
        case (.members(let schema), .object(let object)): return .object(try schema.read(object, rules, at: path))
        case (.map(let kind), .object(let object)):
            var read = JSONObject()
            for (name, value) in object where !(value.isNull && kind.allowsNull) {
                read[name] = try kind.read(value, rules, at: path + [name])
            }
            return .object(read)
        default: break
        }
        throw .kind(expected: self, found: value, at: path)
    }

    /// Whether `null` is treated as an absent member.
    private var allowsNull: Bool {
        if case .optional = self { true } else { false }
    }
}

extension JSON {
    /// The text; or a number, converted to a text.
    fileprivate var asText: String? {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): "\(number)"
        default: nil
        }
    }
}
