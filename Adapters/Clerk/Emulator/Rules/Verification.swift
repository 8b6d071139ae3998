import LockstepPrimitives

/// The verification of a factor or address: its request and its status.
///
/// It is stored as one value in the row of its sign-in, sign-up, address or session.
struct Verification: JSONColumn {
    enum Status: String, Codable {
        case unverified, verified, failed, expired, transferable
    }

    /// The `object` in the API if it differs from the strategy's: a code by email is a `verification_otp`.
    private let ownObject: String?
    var strategy: String
    var status = Status.unverified
    /// `nil` if attempts are not counted (links, providers, administrators).
    var attempts: Int?
    var expireAt: Instant?
    /// `sms` for codes that are sent to a phone.
    var channel: String?
    /// The failure, if a response with status 200 contains the reason.
    var failure: ProofFailure?
    /// The URL to which the browser is redirected.
    var redirectURL: String?
    /// The client that opened the link.
    var verifiedAtClient: String?
    /// The options of a passkey, or the nonce of a provider.
    var nonce: String?

    // The members that the server does not show.

    /// The six digits of the expected code.
    var code: String?
    /// The time when the message was sent.
    var sentAt: Instant?
    /// The time of the verification, if a response contains it.
    var verifiedAt: Instant?
    /// The id of the address that received the message, or the address itself.
    var target: String?
    /// The token in the link of the last email.
    var linkToken: String?
    /// The `state` of the redirect that was started for the verification.
    var flow: String?

    private enum CodingKeys: String, CodingKey {
        case ownObject = "object"
        case strategy, status, attempts, expireAt, channel, failure, redirectURL, verifiedAtClient, nonce, code, sentAt,
            verifiedAt
        case target, linkToken, flow
    }

    init(object: String, strategy: String, status: Status = .unverified, attempts: Int? = nil, expireAt: Instant? = nil) {
        ownObject = object == Self.object(of: strategy) ? nil : object
        self.strategy = strategy
        self.status = status
        self.attempts = attempts
        self.expireAt = expireAt
    }

    private static func object(of strategy: String) -> String { "verification_\(strategy)" }

    /// The `object` in the API: `verification_otp`, `verification_password`.
    var object: String { ownObject ?? Self.object(of: strategy) }

    /// Returns a completed verification by the dashboard, the Backend API or a provider.
    static func given(by strategy: String) -> Verification {
        let object = strategy == "admin" ? "verification_admin" : "verification_from_oauth"
        return Verification(object: object, strategy: strategy, status: .verified)
    }

    /// A correct password.
    static let password = Verification(object: "verification_password", strategy: "password", status: .verified, attempts: 1)

    /// An accepted ticket.
    static func ticket(expireAt: Instant?) -> Verification {
        Verification(object: "verification_ticket", strategy: "ticket", status: .verified, expireAt: expireAt)
    }

    var isVerified: Bool { status == .verified }
}

extension Verification {
    /// Returns the verification as JSON at `now`; an expired one has that status.
    ///
    /// Sign-ups show more: the next action, and the chosen strategy as the only supported one (as in the recordings).
    func json(at now: Instant, isOfSignUp: Bool = false) -> JSON {
        var json: JSONObject = [
            "object": .string(object), "status": .string(status(at: now).rawValue), "strategy": .string(strategy),
        ]
        if let channel { json["channel"] = .string(channel) }
        json["attempts"] = attempts.map { .int(Int64($0)) } ?? .null
        json["expire_at"] = .time(expireAt)
        if isOfSignUp, object != "verification_oauth" {
            json["next_action"] = .string(nextAction(at: now))
            json["supported_strategies"] = [.string(strategy)]
        }
        if object == "verification_oauth" || object == "verification_saml" {
            json["external_verification_redirect_url"] = redirectURL.map { .string($0) }
            // In the documents, the error may be `null` in one form, but not in the other.
            if failure != nil || object == "verification_oauth" { json["error"] = failure?.json ?? .null }
        } else if let failure {
            json["error"] = failure.json
        }
        if let nonce, object != "verification_oauth" { json["nonce"] = .string(nonce) }
        if let verifiedAtClient { json["verified_at_client"] = .string(verifiedAtClient) }
        return .object(json)
    }

    /// Returns the status, including whether the verification has expired.
    func status(at now: Instant) -> Status {
        if status == .unverified, let expireAt, expireAt <= now { .expired } else { status }
    }

    private func nextAction(at now: Instant) -> String {
        switch status(at: now) {
        case .verified: ""
        case .unverified: sentAt == nil ? "needs_prepare" : "needs_attempt"
        case .transferable: "needs_transfer"
        case .failed, .expired: "needs_prepare"
        }
    }
}

/// The failure of a verification, which is stored with it: the error object inside a response with status 200.
struct ProofFailure: Codable {
    var code: String
    var message: String
    var longMessage: String
    var sessionID: String?

    init(_ refusal: ClerkError) {
        let entry = refusal.entries[0]
        code = entry.code
        message = entry.message
        longMessage = entry.longMessage
        sessionID = entry.meta["session_id"]?.string
    }

    var json: JSON {
        var meta = JSONObject()
        if let sessionID { meta["session_id"] = .string(sessionID) }
        return ClerkError.Entry(code: code, message: message, longMessage: longMessage, meta: meta).json
    }
}
