extension JSON: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes any JSON value.
    ///
    /// The decoder determines the order of an object's members. If the decoder sets
    /// ``Swift/CodingUserInfoKey/tellsTextsApart``, this initializer first tries to decode a string. Most values are
    /// strings, and each failed attempt throws an error, which takes time.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: The errors of the decoder.
    public init(from decoder: any Decoder) throws {
        let textsFirst = decoder.userInfo[.tellsTextsApart] as? Bool ?? false
        if textsFirst, let value = try? decoder.singleValueContainer() {
            if value.decodeNil() {
                self = .null
                return
            }
            if let text = try? value.decode(String.self) {
                self = .string(text)
                return
            }
        }
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(JSONObject(try members.allKeys.map { ($0.stringValue, try members.decode(JSON.self, forKey: $0)) }))
        } else if var elements = try? decoder.unkeyedContainer() {
            var list: [JSON] = []
            while !elements.isAtEnd { list.append(try elements.decode(JSON.self)) }
            self = .array(list)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ value: any SingleValueDecodingContainer) throws -> JSON {
        if value.decodeNil() { return .null }
        if let flag = try? value.decode(Bool.self) { return .bool(flag) }
        if let number = try? value.decode(Int64.self) { return .int(number) }
        if let number = try? value.decode(Double.self) { return .double(number) }
        return .string(try value.decode(String.self))
    }

    /// Encodes the value.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var members = encoder.container(keyedBy: Name.self)
            for member in object { try members.encode(member.value, forKey: Name(stringValue: member.name)) }
        case .array(let list):
            var elements = encoder.unkeyedContainer()
            for element in list { try elements.encode(element) }
        case .null:
            var value = encoder.singleValueContainer()
            try value.encodeNil()
        case .bool(let flag):
            var value = encoder.singleValueContainer()
            try value.encode(flag)
        case .int(let number):
            var value = encoder.singleValueContainer()
            try value.encode(number)
        case .double(let number):
            var value = encoder.singleValueContainer()
            try value.encode(number)
        case .string(let text):
            var value = encoder.singleValueContainer()
            try value.encode(text)
        }
    }
}

extension JSONObject: Codable {
    /// Decodes an object.
    ///
    /// The decoder determines the order of the members.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: The errors of the decoder.
    public init(from decoder: any Decoder) throws {
        guard let object = try JSON(from: decoder).object else {
            throw DecodingError.typeMismatch(
                JSONObject.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "This is not an object.")
            )
        }
        self = object
    }

    /// Encodes the members.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        try JSON.object(self).encode(to: encoder)
    }
}

extension CodingUserInfoKey {
    /// The key that JSON decoders set to `true`: every value that decodes as a string is a string.
    ///
    /// In YAML, such a value could also be an unquoted number or Boolean.
    package static let tellsTextsApart: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "lockstep.tells-texts-apart") else {
            preconditionFailure("CodingUserInfoKey accepts any text")
        }
        return key
    }()
}
