public import LockstepPrimitives

/// The secrets of a request.
///
/// The secrets are masked in every text that shows the response.
///
/// Servers quote input that they cannot parse, and a hostile server can quote anything. A quoted secret can have any name, and
/// need not look like a secret. So the search finds the forms in which servers are likely to quote a secret:
///
/// - percent-encoded, or escaped as in JSON and HTML;
/// - as base64, as hexadecimal digits, or as a list of numbers;
/// - in upper or lower case;
/// - a part of a long secret;
/// - the decoded bytes, if the secret itself is base64 or hexadecimal.
///
/// ```swift
/// let secrets = RequestSecrets(of: request)
/// print(secrets.withheld(from: response.text ?? ""))
/// ```
public struct RequestSecrets: Sendable {
    private let search: EchoSearch

    /// Collects the secrets of a request.
    ///
    /// A value in the URL, the headers or the body is a secret if its name says so, such as `password`. The values in
    /// ``HTTPRequest/secrets`` are secrets, too.
    public init(of request: HTTPRequest) {
        var found = request.secrets.map { $0.reveal() }
        for field in request.headers where Redaction.isSecret(field) {
            found.append(field.value)
            // The scheme before a token is not secret.
            if let token = field.value.cut(at: " ").tail { found.append(String(token)) }
        }
        found += Self.inner(request.url)
        found += Self.inBody(request.body.bytes, type: request.fields["Content-Type"] ?? "")
        search = EchoSearch(for: found)
    }

    /// Returns a text with ``Secret/mask`` in place of each secret.
    ///
    /// - Parameter text: The text, usually from the response.
    /// - Returns: The text without the secrets.
    public func withheld(from text: String) -> String { search.mask(text) }

    /// Returns a JSON value with ``Secret/mask`` in place of each secret.
    ///
    /// The function masks secrets in the names of members, in strings and in numbers.
    ///
    /// - Parameters:
    ///   - value: The JSON value, usually from the response.
    ///   - isPublic: A closure that returns whether a string stays unmasked. Use this closure for strings that the backend itself
    ///     writes, such as error codes.
    /// - Returns: The JSON value without the secrets.
    public func withheld(from value: JSON, except isPublic: (String) -> Bool = { _ in false }) -> JSON {
        switch value {
        case .object(let object):
            .object(JSONObject(object.map { (search.mask($0.name), withheld(from: $0.value, except: isPublic)) }))
        case .array(let elements) where isQuotation(elements): .string(Secret.mask)
        case .array(let elements): .array(elements.map { withheld(from: $0, except: isPublic) })
        case .string(let text): .string(isPublic(text) ? text : search.mask(text))
        case .int, .double:
            search.mask(value.text()) == value.text() ? value : .string(Secret.mask)
        default: value
        }
    }

    /// Returns whether numbers are the bytes of a secret, one number for each byte.
    private func isQuotation(_ elements: [JSON]) -> Bool {
        let bytes = elements.compactMap(\.int).filter { (0..<256).contains($0) }
        guard bytes.count == elements.count else { return false }
        let list = bytes.map { String($0) }.joined(separator: ",")
        return search.mask(list) != list
    }

    private static func inBody(_ bytes: [UInt8], type: String) -> [String] {
        if type.hasPrefix("application/x-www-form-urlencoded") {
            return inForm(String(decoding: bytes, as: UTF8.self))
        }
        var found: [String] = []
        if let json = try? JSON.parse(bytes, rules: .answer) { collect(json, under: "", into: &found) }
        return found
    }

    private static func inForm(_ text: some StringProtocol) -> [String] {
        // Some requests contain a form or a link inside a form or JSON.
        (Percent.decodeForm(text) ?? []).flatMap { name, value in
            (Redaction.isSecret(name) ? [value] : []) + inner(value)
        }
    }

    private static func collect(_ value: JSON, under name: String, into found: inout [String]) {
        switch value {
        case .object(let object): for member in object { collect(member.value, under: member.name, into: &found) }
        case .array(let elements): for element in elements { collect(element, under: name, into: &found) }
        case .string(let text): found += (Redaction.isSecret(name) ? [text] : []) + inner(text)
        case .int where Redaction.isSecret(name): found.append(value.text())
        default: break
        }
    }

    private static func inner(_ text: String) -> [String] {
        guard text.contains(bytesOf: "="), !text.contains(bytesOf: " ") else { return [] }
        return text.pieces(atAnyOf: "?#").filter { $0.contains(bytesOf: "=") }.flatMap { part in
            (Percent.decodeForm(part) ?? []).filter { Redaction.isSecret($0.name) }.map(\.value)
        }
    }
}
