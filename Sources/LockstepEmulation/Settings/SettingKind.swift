public import LockstepPrimitives

/// A kind of values for a setting, with the functions that read and write them.
///
/// A value from a file or a variable is a string. A value from a JSON document or a control route may have any type.
public struct SettingKind<Value: Sendable>: Sendable {
    /// A description of valid values, as the end of a sentence, such as "true or false".
    public let wants: String
    /// Reads a value; returns `nil` if the value is invalid.
    public let read: @Sendable (JSON) -> Value?
    /// Writes a value so that ``read`` can read it.
    public let write: @Sendable (Value) -> JSON
    /// Whether values of this kind are secret.
    public var isSecret = false

    /// Creates a kind of values.
    ///
    /// - Parameters:
    ///   - wants: A description of valid values, as the end of a sentence.
    ///   - read: Reads a value; returns `nil` if the value is invalid.
    ///   - write: Writes a value so that `read` can read it.
    public init(_ wants: String, read: @escaping @Sendable (JSON) -> Value?, write: @escaping @Sendable (Value) -> JSON) {
        self.wants = wants
        self.read = read
        self.write = write
    }

    /// Returns a kind of values that are written as strings.
    ///
    /// - Parameters:
    ///   - wants: A description of valid values, as the end of a sentence.
    ///   - read: Reads a value; returns `nil` if the value is invalid.
    ///   - write: Writes a value so that `read` can read it.
    public static func text(
        _ wants: String, read: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String
    ) -> SettingKind {
        SettingKind(wants, read: { $0.settingText.flatMap(read) }, write: { .string(write($0)) })
    }

    /// Returns this kind with an additional condition for valid values.
    ///
    /// - Parameters:
    ///   - wants: A description of valid values, as the end of a sentence.
    ///   - condition: Returns whether a value is valid.
    public func when(_ wants: String, _ condition: @escaping @Sendable (Value) -> Bool) -> SettingKind {
        adjusted(wants) { condition($0) ? $0 : nil }
    }

    /// Returns a copy of this kind that corrects out-of-range values.
    ///
    /// Some backends correct such values without an error.
    ///
    /// - Parameters:
    ///   - wants: A description of a valid value; `nil` to keep the description of this kind.
    ///   - adjust: Returns the value to use; `nil` if the value is invalid.
    /// - Returns: The kind with the function.
    public func adjusted(_ wants: String? = nil, by adjust: @escaping @Sendable (Value) -> Value?) -> SettingKind {
        var kind = SettingKind(wants ?? self.wants, read: { [read] in read($0).flatMap(adjust) }, write: write)
        kind.isSecret = isSecret
        return kind
    }

    /// Returns a kind that also accepts a word or `null` for "no value".
    ///
    /// - Parameters:
    ///   - kind: The kind of all other values.
    ///   - none: The word that means "no value"; `nil` if only `null` means "no value".
    public static func optional<Wrapped>(_ kind: SettingKind<Wrapped>, none: String? = nil) -> SettingKind
    where Value == Wrapped? {
        var optional = SettingKind(
            none.map { "\($0), or \(kind.wants)" } ?? kind.wants,
            read: { value in
                if value.isNull || none != nil && value.string == none { return .some(nil) }
                return kind.read(value).map(Optional.some)
            }, write: { $0.map(kind.write) ?? none.map { .string($0) } ?? .null })
        optional.isSecret = kind.isSecret
        return optional
    }
}

extension SettingKind<String> {
    /// The kind for any string that is not empty.
    public static var text: SettingKind { text("a non-empty string", read: { $0.isEmpty ? nil : $0 }, write: { $0 }) }
}

extension SettingKind<Secret> {
    /// The kind for any secret string that is not empty.
    public static var secret: SettingKind {
        var kind = text("a string", read: { $0.isEmpty ? nil : Secret($0) }, write: { $0.reveal() })
        kind.isSecret = true
        return kind
    }
}

extension SettingKind<Bool> {
    /// Returns the kind for Boolean values.
    ///
    /// - Parameter words: The words that mean `true`, and the words that mean `false`.
    public static func flag(_ words: (yes: Set<String>, no: Set<String>)) -> SettingKind {
        SettingKind(
            "true or false",
            read: { value in
                if let flag = value.bool { return flag }
                return value.string.flatMap { words.yes.contains($0) ? true : words.no.contains($0) ? false : nil }
            }, write: { .bool($0) })
    }
}

extension SettingKind<Int> {
    /// The kind for whole numbers.
    public static var number: SettingKind {
        SettingKind(
            "a whole number", read: { value in value.int.flatMap { Int(exactly: $0) } ?? value.string.flatMap { Int($0) } },
            write: { .int(Int64($0)) })
    }

    /// Returns the kind for whole numbers in a range.
    ///
    /// - Parameter range: The range of valid numbers.
    public static func number(_ range: ClosedRange<Int>) -> SettingKind {
        number.when("a whole number from \(range.lowerBound) to \(range.upperBound)", range.contains)
    }
}

extension SettingKind<Duration> {
    /// Returns the kind for durations in whole seconds, in a range.
    ///
    /// - Parameter range: The range of valid numbers of seconds.
    public static func seconds(_ range: ClosedRange<Int>) -> SettingKind {
        SettingKind(
            "a number of seconds from \(range.lowerBound) to \(range.upperBound)",
            read: { value in SettingKind<Int>.number(range).read(value).map { .seconds($0) } },
            write: { .int($0.components.seconds) })
    }
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
    /// The kind for values that are one of several words.
    public static var choice: SettingKind {
        text(
            "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))", read: { Value(rawValue: $0) },
            write: { $0.rawValue })
    }
}

extension SettingKind<[String]> {
    /// Returns the kind for a list of strings, which may also be written as one string with commas.
    ///
    /// - Parameter wants: A description of valid values, as the end of a sentence.
    public static func list(_ wants: String = "strings, separated by commas") -> SettingKind {
        SettingKind(
            wants,
            read: { value in
                if let elements = value.array {
                    let texts = elements.compactMap(\.string)
                    return texts.count == elements.count ? texts : nil
                }
                return value.settingText?.pieces(at: ",").map { String($0).trimmedBlanks }.filter { !$0.isEmpty }
            }, write: { .string($0.joined(separator: ",")) })
    }
}

extension JSON {
    /// The value as a file of settings contains it; `nil` for a list, an object and `null`.
    public var settingText: String? {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): String(number)
        case .double(let number): "\(number)"
        default: nil
        }
    }
}

extension String {
    /// The text without spaces at its ends.
    var trimmedBlanks: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
