internal import LockstepPrimitives

/// Shows requests and answers without what could be used by whoever reads them.
enum Redaction {
    private static let mask = JSON.string("<redacted>")

    private static let headers: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "apikey", "x-api-key", "x-goog-api-key",
    ]

    private static let parts = [
        "password", "token", "secret", "otp", "nonce", "verifier", "challenge", "credential", "ticket", "apikey", "salt", "hash",
        "assertion", "oobcode", "sessioninfo", "postbody", "signature", "jwt", "client_uat", "action_link",
    ]

    private static let harmless: Set<String> = ["token_type", "tokentype", "challenge_method", "code_challenge_method"]

    static func headers(_ headers: Headers) -> JSON {
        .array(
            headers.fields.map { name, value in
                let shown: JSON =
                    if Self.headers.contains(name.lowercased()) {
                        mask
                    } else if name.lowercased() == "location" {
                        .string(String(value.prefix { $0 != "?" && $0 != "#" }))
                    } else {
                        .string(value)
                    }
                return [.string(name), shown]
            })
    }

    /// The pairs of a query or a form.
    static func form(_ text: String) -> JSON {
        var object = JSONObject()
        for (name, value) in Parameters(lenient: text).pairs { object[name] = hides(name, value) ? mask : .string(value) }
        return .object(object)
    }

    static func body(_ bytes: [UInt8], _ headers: Headers) -> JSON {
        if bytes.isEmpty { return .null }
        let type = (headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased()
        if type == "application/x-www-form-urlencoded" { return form(String(decoding: bytes, as: UTF8.self)) }
        if let json = try? JSON.parse(bytes) { return value(json) }
        return .string("<\(type.isEmpty ? "untyped" : type), \(bytes.count) bytes>")
    }

    private static func value(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): return .array(elements.map(value))
        case .object(let object):
            var shown = JSONObject()
            for (name, member) in object {
                switch member {
                case .string(let text): shown[name] = hides(name, text) ? mask : member
                case .array, .object: shown[name] = value(member)
                default: shown[name] = member
                }
            }
            return .object(shown)
        default: return json
        }
    }

    private static func hides(_ name: String, _ text: String) -> Bool {
        let name = name.lowercased()
        if harmless.contains(name) { return false }
        // An error's code is a word or a status; a code that opens something is a number or random text.
        if name == "code" || name.hasSuffix("_code") || name == "key" {
            return text.contains { $0.isNumber } && !text.contains("_")
        }
        return parts.contains { name.contains($0) }
    }
}
