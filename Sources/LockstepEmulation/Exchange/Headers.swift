/// Headers in the order they came or go, repeats included.
///
/// Names compare without regard to case.
public struct Headers: Sendable {
    /// Name and value of each.
    public private(set) var fields: [(name: String, value: String)]

    /// The headers given.
    public init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    /// The first value of a header; setting replaces all of that name by one, or removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Headers.matches($0.name, name) }?.value }
        set {
            guard let index = fields.firstIndex(where: { Headers.matches($0.name, name) }) else {
                if let newValue { fields.append((name, newValue)) }
                return
            }
            if let newValue {
                fields[index].value = newValue
                let rest = fields[(index + 1)...].filter { !Headers.matches($0.name, name) }
                fields.replaceSubrange((index + 1)..., with: rest)
            } else {
                fields.removeAll { Headers.matches($0.name, name) }
            }
        }
    }

    /// All values of a header, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { Headers.matches($0.name, name) }.map(\.value)
    }

    /// Puts a header last, beside others of its name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// Whether two header names are the same: ASCII letters in either case.
    static func matches(_ left: String, _ right: String) -> Bool {
        let left = left.utf8
        let right = right.utf8
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { $0 == $1 || lower($0) == lower($1) }
    }

    private static func lower(_ unit: UInt8) -> UInt8 {
        unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// The headers in the order given.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { ($0.0, $0.1) })
    }
}
