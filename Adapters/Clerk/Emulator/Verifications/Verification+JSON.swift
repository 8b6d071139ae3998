import LockstepPrimitives

extension Verification {
    /// The verification on the wire at `now`; an expired one has that status.
    ///
    /// Sign-ups show more: the next action, and the chosen strategy as the only supported one (as recorded).
    func json(at now: Instant, isOfSignUp: Bool = false) -> JSON {
        var json: JSONObject = [
            "object": .string(object), "status": .string(status(at: now).rawValue), "strategy": .string(strategy),
        ]
        if let channel { json["channel"] = .string(channel) }
        json["attempts"] = attempts.map { .int(Int64($0)) } ?? .null
        json["expire_at"] = .time(expireAt)
        if isOfSignUp {
            json["next_action"] = .string(nextAction(at: now))
            json["supported_strategies"] = [.string(strategy)]
        }
        if object == "verification_oauth" {
            json["external_verification_redirect_url"] = .optional(redirectURL)
            json["error"] = failure?.json ?? .null
        } else if let failure {
            json["error"] = failure.json
        }
        if let nonce, object != "verification_oauth" { json["nonce"] = .string(nonce) }
        if let verifiedAtClient { json["verified_at_client"] = .string(verifiedAtClient) }
        return .object(json)
    }

    /// The status, which takes the expiry into account.
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
