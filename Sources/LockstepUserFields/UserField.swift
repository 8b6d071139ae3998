package import LockstepPrimitives

/// A row of a list of fields: the name of a value in JSON, its type, its place in `Owner`, and its use.
///
/// The same row reads the value, writes it, says whether it is there, and removes it.
package struct UserField<Owner>: Sendable {
    package typealias Place<Value> = any WritableKeyPath<Owner, Value> & Sendable

    /// The name of the member in JSON.
    package let name: String
    /// The type of the member in JSON.
    package let kind: UserFieldKind
    /// What the value is for.
    package let use: UserFieldUse
    /// Whether an object without the value is not valid.
    package let isNeeded: Bool
    /// Returns whether the value differs from the value of an absent member.
    package let isGiven: @Sendable (Owner) -> Bool
    /// Removes the value.
    package let remove: @Sendable (inout Owner) -> Void
    /// Returns the value as JSON; `nil` if it is absent.
    package let json: @Sendable (Owner) -> JSON?
    /// Reads the value of a member of this type; the text is the place of the member in the file.
    package let read: @Sendable (inout Owner, JSON, String) throws(UserFieldFault) -> Void
}

extension UserField {
    /// Creates a row, in which `absent` is the value of an absent member, and `from` and `to` convert any other.
    package init<Value: Equatable & Sendable>(
        _ name: String, _ kind: UserFieldKind, _ path: Place<Value>, _ use: UserFieldUse = [],
        isNeeded: Bool = false, absent: Value, from: @escaping @Sendable (JSON, String) throws(UserFieldFault) -> Value,
        to: @escaping @Sendable (Value) -> JSON
    ) {
        self.init(
            name: name, kind: kind, use: use, isNeeded: isNeeded, isGiven: { $0[keyPath: path] != absent },
            remove: { $0[keyPath: path] = absent },
            json: { owner in
                let value = owner[keyPath: path]
                return value == absent ? JSON?.none : to(value)
            },
            read: { (owner, member, place) throws(UserFieldFault) in owner[keyPath: path] = try from(member, place) })
    }

    /// The row of a value whose owner is a part of another one.
    package func within<Whole>(_ part: any WritableKeyPath<Whole, Owner> & Sendable) -> UserField<Whole> {
        UserField<Whole>(
            name: name, kind: kind, use: use, isNeeded: isNeeded, isGiven: { isGiven($0[keyPath: part]) },
            remove: { remove(&$0[keyPath: part]) }, json: { json($0[keyPath: part]) },
            read: { (whole, member, place) throws(UserFieldFault) in try read(&whole[keyPath: part], member, place) })
    }
}

/// The type of a member in JSON.
package enum UserFieldKind: Sendable {
    case text, flag, whole, object
    /// A text with a time in RFC 3339.
    case time
    /// A list of texts, which may be limited to some words.
    case texts(among: [String]?)
    /// A list of objects with these members.
    indirect case list([(name: String, kind: UserFieldKind)])
}

/// What a value of a user is for.
package struct UserFieldUse: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// An administrator can change the value of an existing user.
    package static let writable = UserFieldUse(rawValue: 1)
    /// A verification compares the value of a user who was moved.
    ///
    /// The others are times that a backend sets by itself, and the tenant, which is one for all users of a directory.
    package static let compared = UserFieldUse(rawValue: 2)
    /// Only a value of the user's own in the source can say it: a constant for all users must not.
    package static let proven = UserFieldUse(rawValue: 4)
}

/// A value of a list of fields that cannot be read.
package enum UserFieldFault: Error, Sendable, Hashable {
    case invalid(String?, at: String, expected: String)
    case missing(String, at: String)
}

/// A value that a list of fields describes.
package protocol UserFieldOwner: Sendable, Equatable {
    /// The list of the fields, in the order of a file.
    static var fields: [UserField<Self>] { get }
    /// Creates a value without the members of a file.
    init()
}

extension UserFieldOwner {
    /// Reads the members of an object whose types were checked.
    package init(_ object: JSONObject, at place: String) throws(UserFieldFault) {
        self.init()
        for field in Self.fields {
            if let member = object[field.name] {
                try field.read(&self, member, place.isEmpty ? field.name : "\(place).\(field.name)")
            }
            if field.isNeeded, !field.isGiven(self) { throw .missing(field.name, at: place) }
        }
    }

    /// The values as JSON; members without a value are left out.
    package var object: JSONObject {
        var object: JSONObject = [:]
        for field in Self.fields { if let member = field.json(self) { object[field.name] = member } }
        return object
    }
}

// Rows by the type of their property. An empty text is an absent one, unless the row keeps it for an error of its own.
extension UserField {
    package static func text(
        _ name: String, _ path: Place<String?>, _ use: UserFieldUse = [], keepsEmpty: Bool = false
    ) -> Self {
        Self(
            name, .text, path, use, absent: nil, from: { member, _ in member.text(keepsEmpty) }, to: { .string($0 ?? "") })
    }

    /// A text that must be there.
    package static func needed(_ name: String, _ path: Place<String>) -> Self {
        Self(name, .text, path, isNeeded: true, absent: "", from: { member, _ in member.string ?? "" }, to: { .string($0) })
    }

    package static func secret(
        _ name: String, _ path: Place<Secret?>, _ use: UserFieldUse = [], keepsEmpty: Bool = false
    ) -> Self {
        Self(
            name, .text, path, use, absent: nil, from: { member, _ in member.text(keepsEmpty).map { Secret($0) } },
            to: { .string($0?.reveal() ?? "") })
    }

    package static func time(_ name: String, _ path: Place<Instant?>, _ use: UserFieldUse = []) -> Self {
        Self(
            name, .time, path, use, absent: nil,
            from: { (member, place) throws(UserFieldFault) in
                guard let text = member.text(false) else { return nil }
                if let time = Instant(rfc3339: text) { return time }
                throw .invalid(text, at: place, expected: "a time such as 2026-01-31T12:00:00Z")
            },
            to: { .string($0?.rfc3339 ?? "") })
    }

    package static func flag(
        _ name: String, _ path: Place<Bool>, _ use: UserFieldUse = []
    ) -> Self {
        Self(name, .flag, path, use, absent: false, from: { member, _ in member.bool ?? false }, to: { .bool($0) })
    }

    /// A flag whose absence means something else than `false`.
    package static func choice(_ name: String, _ path: Place<Bool?>, _ use: UserFieldUse = []) -> Self {
        Self(name, .flag, path, use, absent: nil, from: { member, _ in member.bool }, to: { .bool($0 ?? false) })
    }

    package static func object(
        _ name: String, _ path: Place<JSONObject>, _ use: UserFieldUse = []
    ) -> Self {
        Self(name, .object, path, use, absent: [:], from: { member, _ in member.object ?? [:] }, to: { .object($0.sorted()) })
    }

    /// A list of texts, which may be limited to some words.
    package static func texts(
        _ name: String, _ path: Place<[String]>, among words: [String]? = nil
    ) -> Self {
        Self(
            name, .texts(among: words), path, absent: [], from: { member, _ in (member.array ?? []).compactMap(\.string) },
            to: { .array($0.map(JSON.string)) })
    }

    package static func list<Element: UserFieldOwner>(
        _ name: String, _ path: Place<[Element]>, _ use: UserFieldUse = []
    ) -> Self {
        Self(
            name, .list(Element.fields.map { ($0.name, $0.kind) }), path, use, absent: [],
            from: { (member, place) throws(UserFieldFault) in
                var elements: [Element] = []
                for (index, object) in (member.array ?? []).compactMap(\.object).enumerated() {
                    elements.append(try Element(object, at: "\(place)[\(index)]"))
                }
                return elements
            },
            to: { .array($0.map { .object($0.object) }) })
    }
}

extension JSON {
    fileprivate func text(_ keepsEmpty: Bool) -> String? { string.flatMap { $0.isEmpty && !keepsEmpty ? nil : $0 } }
}
