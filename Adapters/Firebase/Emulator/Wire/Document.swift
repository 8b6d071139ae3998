internal import LockstepEmulation
internal import LockstepPrimitives

/// A value that a member of a document may have.
protocol DocumentValue {
    var json: JSON { get }
}

extension JSON: DocumentValue {
    var json: JSON { self }
}

extension JSONObject: DocumentValue {
    var json: JSON { .object(self) }

    /// Creates an object from the members that have a value.
    init(given members: KeyValuePairs<String, (any DocumentValue)?>) {
        self.init(minimumCapacity: members.count)
        for (name, value) in members { if let value { self[name] = value.json } }
    }

    /// Returns these members and then the others; if a name is repeated, the other's value is used.
    func adding(_ others: JSONObject) -> JSONObject {
        var sum = self
        for (name, value) in others { sum[name] = value }
        return sum
    }
}

extension String: DocumentValue {
    var json: JSON { .string(self) }
}

extension Bool: DocumentValue {
    var json: JSON { .bool(self) }
}

extension Int64: DocumentValue {
    var json: JSON { .int(self) }
}

extension JSON {
    /// Returns a list of values; `nil` for `nil`.
    static func list<Value: DocumentValue>(_ values: [Value]?) -> JSON? {
        values.map { .array($0.map { $0.json }) }
    }
}

extension JSON: HandlerAnswer {
    var response: EmulatorResponse { .json(self) }
}

extension JSONObject: HandlerAnswer {
    var response: EmulatorResponse { .json(.object(self)) }
}

extension EmulatorResponse: HandlerAnswer {
    var response: EmulatorResponse { self }
}

/// The result of a handler: JSON, or a whole response.
protocol HandlerAnswer {
    var response: EmulatorResponse { get }
}
