internal import LockstepPrimitives

/// An error message: `CODE`, or `CODE : a sentence`, sometimes without the spaces, or `CODE ((a remark of the emulator))`.
struct ErrorReport {
    /// The text before the first colon.
    let code: String
    /// The text after it.
    let detail: String?
    /// Google's own word for the kind of error, where the answer lists one.
    let reason: String?
    /// The status that all of Google's services share, where the message is a sentence and no code.
    let status: String?

    init(message: String, reason: String? = nil, status: String? = nil) {
        let colon = message.firstIndex(of: ":")
        let remark = message.firstRange(of: "((")?.lowerBound
        let end = [colon, remark].compactMap { $0 }.min() ?? message.endIndex
        code = message[..<end].trimmed
        let rest = colon.map { message[message.index(after: $0)...].trimmed }
        detail = Self.quoting.contains(code) ? nil : rest
        self.reason = reason
        self.status = code.utf8.allSatisfy(Self.isOfCode) ? nil : status
    }

    private static func isOfCode(_ unit: UInt8) -> Bool {
        unit == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(unit)
    }

    /// Whether the sentence may quote tokens of the request.
    var isQuoting: Bool { Self.quoting.contains(code) }

    private static let quoting: Set<String> = [
        "INVALID_IDP_RESPONSE", "INVALID_CREDENTIAL_OR_PROVIDER_ID", "INVALID_CUSTOM_TOKEN", "INVALID_PENDING_TOKEN",
    ]

    /// Reads the body of an error; `nil` where it is not in Google's form.
    init?(_ body: JSONObject) {
        guard let error = body["error"], let message = error["message"]?.filled else { return nil }
        let details = error["details"]?.array ?? []
        let reason = error["errors"]?[0]?["reason"]?.string ?? details.lazy.compactMap { $0["reason"]?.string }.first
        self.init(message: message, reason: reason, status: error["status"]?.string)
    }

    /// Why a password was refused.
    var reasons: [String] {
        switch code {
        case "WEAK_PASSWORD": ["length"]
        case "PASSWORD_DOES_NOT_MEET_REQUIREMENTS":
            detail.map { $0.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }.split(separator: ",").map(\.trimmed) } ?? []
        default: []
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
