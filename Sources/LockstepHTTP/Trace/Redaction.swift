@_exported public import LockstepPrimitives

/// Functions that mask secrets in messages.
///
/// The functions recognize a secret by its name or by its format.
///
/// ```swift
/// print(Redaction.url("https://app.example.com/callback?code=1234&state=open"))
/// ```
public enum Redaction {
    /// Returns whether a name says that its value is a secret.
    ///
    /// Such values are passwords, tokens, codes, keys, cookies and similar.
    ///
    /// - Parameter name: The name of a header, a query item or a JSON member.
    public static func isSecret(_ name: String) -> Bool {
        let bare = name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
        let word = String(decoding: bare, as: UTF8.self)
        if whole.contains(word) { return true }
        return !open.contains(word) && !about.contains(where: word.hasSuffix) && fragments.contains { holds(bare, $0) }
    }

    /// Returns whether a name contains a fragment.
    ///
    /// Every name in every message is tested, so the function compares bytes and not characters.
    private static func holds(_ name: [UInt8], _ fragment: [UInt8]) -> Bool {
        var start = 0
        while start + fragment.count <= name.count {
            var length = 0
            while length < fragment.count, name[start + length] == fragment[length] { length += 1 }
            if length == fragment.count { return true }
            start += 1
        }
        return false
    }

    /// Returns whether the value of a header field is a secret.
    ///
    /// The value is a secret if the field is marked as secret, or if the name says so.
    public static func isSecret(_ field: HTTPHeaders.Field) -> Bool { field.isSecret || isSecret(field.name) }

    /// Returns the value of a header field, with secrets masked.
    ///
    /// - Returns: The value without secrets.
    public static func header(_ field: HTTPHeaders.Field) -> String {
        isSecret(field) ? Secret.mask : text(field.value)
    }

    /// Returns a URL without its user name, password, secret query values and fragment.
    public static func url(_ url: String) -> String {
        var head = url[...]
        var tail = ""
        if case (let start, _?) = head.cut(at: "#") {
            head = start
            tail = "#" + Secret.mask
        }
        if case (let start, let query?) = head.cut(at: "?") {
            tail = "?" + form(query) + tail
            head = start
        }
        return withoutUser(head) + tail
    }

    /// Returns the pairs of a query or form, with secret values masked.
    ///
    /// - Parameter text: The encoded pairs.
    /// - Returns: The pairs without secrets.
    public static func form(_ text: some StringProtocol) -> String {
        text.pieces(at: "&", omittingEmptySubsequences: false).map { pair in
            let pieces = pair.pieces(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2 else { return isShapedLikeSecret(pair) ? Secret.mask : String(pair) }
            let name = Percent.decode(pieces[0], plusIsSpace: true) ?? ""
            let value = Percent.decode(pieces[1], plusIsSpace: true) ?? ""
            if isSecret(name) || name.isEmpty || isShapedLikeSecret(value) { return "\(pieces[0])=\(Secret.mask)" }
            return value.contains(bytesOf: "://") ? "\(pieces[0])=\(Percent.encode(url(value)))" : String(pair)
        }.joined(separator: "&")
    }

    /// Removes members from a JSON value, and masks secrets as ``json(_:)`` does.
    ///
    /// - Parameters:
    ///   - names: The names of the members to remove, at any depth.
    /// - Returns: The JSON value without these members and without secrets.
    public static func json(_ value: JSON, hiding names: Set<String>) -> JSON {
        func hidden(_ value: JSON) -> JSON {
            switch value {
            case .object(let object):
                .object(
                    JSONObject(
                        object.map { ($0.name, names.contains($0.name) ? .string(Secret.mask) : hidden($0.value)) }))
            case .array(let elements): .array(elements.map(hidden))
            default: value
            }
        }
        return json(hidden(value))
    }

    /// Masks the secrets in a JSON value, and keeps its structure.
    ///
    /// - Returns: The JSON value without secrets.
    public static func json(_ value: JSON) -> JSON {
        switch value {
        case .object(let object): .object(JSONObject(object.map { ($0.name, member($0.value, of: $0.name)) }))
        case .array(let elements): .array(elements.map(json))
        case .string(let string): .string(text(string))
        default: value
        }
    }

    private static func member(_ value: JSON, of name: String) -> JSON {
        guard isSecret(name) else { return json(value) }
        return switch value {
        case .null, .bool: value
        case .object(let object): .object(JSONObject(object.map { ($0.name, member($0.value, of: $0.name)) }))
        case .array(let elements):
            .array(elements.map { element in element.object == nil ? .string(Secret.mask) : json(element) })
        case .string(let string) where isCode(name) && isWord(string): value
        case .int(let number) where isCode(name) && (100..<600).contains(number): value
        default: .string(Secret.mask)
        }
    }

    private static func text(_ value: String) -> String {
        if isShapedLikeSecret(value) { return Secret.mask }
        if value.contains(bytesOf: "://") { return url(value) }
        // Some APIs send a form inside JSON.
        return value.contains(bytesOf: "=") && !value.contains(bytesOf: " ") ? form(value) : value
    }

    /// Returns whether a value contains anything that looks like a compact token (`eyJ….….…`) or a bearer value.
    private static func isShapedLikeSecret(_ value: some StringProtocol) -> Bool {
        value.contains(bytesOf: "eyJ") || Substring(value.prefix(7)).equalsIgnoringCase("bearer ")
    }

    /// Returns whether a name means a code.
    ///
    /// `code` is a one-time code in requests, and a kind of error in responses.
    private static func isCode(_ name: String) -> Bool { name == "code" }

    /// Returns whether a value is a word of an API without a digit, such as `weak_password`.
    private static func isWord(_ value: String) -> Bool {
        value.contains("_")
            && value.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") }
    }

    private static func withoutUser(_ head: Substring) -> String {
        guard let start = head.range(ofBytes: "://")?.upperBound else { return String(head) }
        let end = head[start...].unicodeScalars.firstIndex(of: "/") ?? head.endIndex
        guard let at = head[start..<end].unicodeScalars.lastIndex(of: "@") else { return String(head) }
        return head[..<start] + Secret.mask + head[at...]
    }

    private static let fragments = [
        "password", "passwd", "passphrase", "token", "secret", "code", "otp", "key", "jwt", "cookie", "authorization",
        "credential",
        "assertion", "signature", "verifier", "challenge", "nonce", "ticket", "hash", "salt", "session", "auth", "pin", "proof",
        "captcha", "receipt",
    ].map { Array($0.utf8) }

    /// Names that mean a secret if they are the whole name, but not if they are a part of a name.
    ///
    /// The names are written without `-` and `_`.
    private static let whole: Set<String> = [
        "access", "refresh", "bearer", "pwd", "pass", "magiclink",
    ]

    /// The ends of names that say something about a secret, such as `auth-status` and `captcha_enabled`.
    ///
    /// Names such as `password_last_updated_at` contain a time.
    private static let about = ["status", "reason", "enabled", "updatedat", "changedat", "createdat", "expiresat", "sentat"]

    /// Names that contain a fragment of a secret name but are not secret.
    ///
    /// The names are written without `-` and `_`.
    private static let open: Set<String> = [
        "errorcode", "tokentype", "statuscode", "countrycode", "codechallengemethod", "keytype", "authtime", "authenticated",
        "createdsessionid", "sessionid", "lastactivesessionid", "sessions", "session", "shipping", "mapping", "isnewuser",
        "author",
        "sessionexpiresin",
        "requestedauthmethod", "weakpassword",
    ]
}
