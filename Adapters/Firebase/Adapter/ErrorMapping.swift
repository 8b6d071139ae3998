internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Maps errors of Firebase, of a proxy before it, and of the transport to portable codes.
enum ErrorMapping: ErrorTable {
    static let provider = "Firebase"
    static let mistake = "the emulator's address is another server's"
    /// Firebase names no wait; its own SDKs begin with this one.
    static let defaultWait = Duration.seconds(60)

    static func isKnown(_ code: String) -> Bool { ErrorMeaning.ofCodes[code] != nil }

    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? { report(body) }

    /// Reads Google's envelope of errors.
    ///
    /// - Parameter own: the codes that mean something else in the service that answered.
    fileprivate static func report(_ body: JSON?, own: [String: ErrorMeaning] = [:]) -> ErrorReport? {
        guard let error = body?["error"], let message = error["message"]?.filled else { return nil }
        let details = error["details"]?.array ?? []
        let reason = error["errors"]?[0]?["reason"]?.string ?? details.lazy.compactMap { $0["reason"]?.string }.first
        return report(message: message, reason: reason, status: error["status"]?.string, own: own)
    }

    /// Reads a message: `CODE`, or `CODE : a sentence`, sometimes without the spaces, or `CODE ((a remark of the emulator))`.
    ///
    /// - Parameters:
    ///   - reason: Google's own word for the kind of error, where the answer lists one.
    ///   - status: the status that all of Google's services share; it counts where the message is a sentence and no code.
    static func report(
        message: String, reason: String? = nil, status: String? = nil, own: [String: ErrorMeaning] = [:]
    ) -> ErrorReport {
        let colon = message.firstIndex(of: ":")
        let remark = message.firstRange(of: "((")?.lowerBound
        let code = message[..<([colon, remark].compactMap { $0 }.min() ?? message.endIndex)].trimmed
        let detail = quoting.contains(code) ? nil : colon.map { message[message.index(after: $0)...].trimmed }
        let isSentence = !code.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        return ErrorReport(
            code: code, message: detail, reasons: reasons(code, detail),
            meaning: own[code] ?? ErrorMeaning.ofCodes[code] ?? ErrorMeaning.ofReasons[reason ?? ""]
                ?? (isSentence ? ErrorMeaning.ofStatuses[status ?? ""] : nil),
            isQuoting: quoting.contains(code))
    }

    /// Codes whose sentence may quote tokens of the request.
    private static let quoting: Set<String> = [
        "INVALID_IDP_RESPONSE", "INVALID_CREDENTIAL_OR_PROVIDER_ID", "INVALID_CUSTOM_TOKEN", "INVALID_PENDING_TOKEN",
    ]

    /// Why a password was refused.
    private static func reasons(_ code: String, _ detail: String?) -> [String] {
        switch code {
        case "WEAK_PASSWORD": ["length"]
        case "PASSWORD_DOES_NOT_MEET_REQUIREMENTS":
            detail.map { $0.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }.split(separator: ",").map(\.trimmed) } ?? []
        default: []
        }
    }
}

/// The errors of the account service: some codes say something else about an ID token there than the token service's.
enum AccountErrors: ErrorTable {
    static let provider = ErrorMapping.provider
    static let mistake = ErrorMapping.mistake
    static let defaultWait = ErrorMapping.defaultWait

    static func isKnown(_ code: String) -> Bool { ErrorMeaning.ofAccountService[code] != nil || ErrorMapping.isKnown(code) }

    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        ErrorMapping.report(body, own: ErrorMeaning.ofAccountService)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
