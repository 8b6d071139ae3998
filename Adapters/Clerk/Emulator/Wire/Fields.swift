import LockstepEmulation
import LockstepPrimitives

/// The members of a JSON body, each checked for its type when it is read.
struct Fields: Sendable {
    let object: JSONObject

    /// Rejects members that the schema lacks or that have another kind; without a schema, every member is accepted.
    func check(_ schema: BodySchema) throws(ClerkError) {
        guard schema.isChecked else { return }
        let unknown = schema.unknown(object.names, .clerk).map { ClerkError.unknown(String($0.prefix(100))) }
        if let refusal = ClerkError.joined(unknown) { throw refusal }
        do {
            _ = try schema.read(object, .clerk)
        } catch {
            guard case .kind(let kind, _, let path) = error else { return }
            throw .wrongType(path.first ?? "", kind.word)
        }
    }

    /// Whether the member is present, even as `null`.
    func has(_ name: String) -> Bool { object[name] != nil }

    /// Returns a text; `nil` if the member is absent or `null`.
    func text(_ name: String) throws(ClerkError) -> String? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let text = value.string else { throw .wrongType(name, "string") }
        guard text.utf8.count <= Form.limit, !text.contains("\0") else { throw .tooBig(name, bytes: Form.limit) }
        return text
    }

    /// Returns a text that must be present and must not be empty.
    func required(_ name: String) throws(ClerkError) -> String {
        guard let text = try text(name) else { throw .missing(name) }
        guard !text.isEmpty else { throw .empty(name) }
        return text
    }

    func flag(_ name: String) throws(ClerkError) -> Bool? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let flag = value.bool else { throw .wrongType(name, "boolean") }
        return flag
    }

    func number(_ name: String, _ range: ClosedRange<Int64>) throws(ClerkError) -> Int64? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let number = value.int else { throw .wrongType(name, "integer") }
        guard range.contains(number) else { throw .invalidValue(name, String(number)) }
        return number
    }

    func members(_ name: String) throws(ClerkError) -> JSONObject? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let members = value.object else { throw .wrongType(name, "object") }
        return members
    }

    /// Returns the members of a metadata group, changed by `change`.
    ///
    /// - Parameters:
    ///   - change: A closure that turns the members in the request into the members to store. Default: no change.
    /// - Returns: The members to store; `nil` if the request does not contain the group.
    /// - Throws: `form_param_exceeds_allowed_size` if the result is larger than Clerk stores.
    func metadata(_ name: String, _ change: (JSONObject) -> JSONObject = { $0 }) throws(ClerkError) -> JSONObject? {
        guard let members = try members(name) else { return nil }
        return try change(members).checkedMetadata(name)
    }

    /// Returns a list of texts; a single text becomes a list of one.
    func texts(_ name: String) throws(ClerkError) -> [String]? {
        guard let value = object[name], !value.isNull else { return nil }
        if let text = value.string { return [text] }
        guard let elements = value.array else { throw .wrongType(name, "array") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string, text.utf8.count <= Form.limit else { throw .wrongType(name, "array of strings") }
            texts.append(text)
        }
        return texts
    }

    /// Returns a point in time in RFC 3339.
    func time(_ name: String) throws(ClerkError) -> Instant? {
        guard let text = try text(name) else { return nil }
        guard let instant = Instant(rfc3339: text) else { throw .malformed(name, "\(name) must be a timestamp in RFC 3339.") }
        return instant
    }
}

extension JSONObject {
    /// The size that Clerk documents for each group of metadata: 8 KB (https://clerk.com/docs/users/metadata,
    /// https://clerk.com/docs/organizations/metadata).
    private static let largestMetadata = 8192

    /// Returns the members if they are small enough for the metadata group `name`.
    ///
    /// - Throws: `form_param_exceeds_allowed_size`.
    func checkedMetadata(_ name: String) throws(ClerkError) -> JSONObject {
        guard JSON.object(self).bytes().count <= Self.largestMetadata else {
            throw .tooBig(name, bytes: Self.largestMetadata)
        }
        return self
    }
}
