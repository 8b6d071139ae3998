internal import LockstepPrimitives

extension Event: CustomStringConvertible {
    /// One line: the name, then `field=value`, in the order of ``Field/all``.
    ///
    /// A value that holds anything but letters, digits and the signs of paths and numbers is quoted as in JSON, so that no
    /// value can begin a line or a field.
    public var description: String {
        said.reduce(into: name.rawValue) { line, field in
            line += " \(field.name.rawValue)="
            let isPlain = field.value.utf8.allSatisfy(\.isPlain) && !field.value.isEmpty
            line += isPlain ? field.value : JSON.string(field.value).text(.visible)
        }
    }

    /// One line of JSON without its end: `v` (1), `at` (milliseconds since 1970), `event`, and the fields by their names.
    ///
    /// The meaning of existing events and fields does not change as long as `v` is 1; new ones may be added.
    public var jsonLine: String {
        var object: JSONObject = ["v": 1, "at": .int(instant.milliseconds), "event": .string(name.rawValue)]
        for field in said {
            let number = field.name.isNumber ? Int64(field.value) : nil
            object[field.name.rawValue] = number.map { .int($0) } ?? .string(field.value)
        }
        return JSON.object(object).text(.visible)
    }

    /// The fields in order; unknown ones come last.
    private var said: [(name: Field, value: String)] {
        let others = Set(fields.keys).subtracting(Field.all.map(\.rawValue)).sorted().map { Field(rawValue: $0) }
        return (Field.all + others).compactMap { field in self[field].map { (field, $0) } }
    }
}

extension UInt8 {
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._-:/*+".utf8.contains(self)
        }
    }
}
