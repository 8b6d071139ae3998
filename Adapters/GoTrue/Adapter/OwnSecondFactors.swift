internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The user's second factors: authenticator apps, phones, passkeys.
///
/// Only the user object lists them. A factor is verified by its first right answer; the server removes those that never
/// got one.
struct OwnSecondFactors: SecondFactors {
    let api: GoTrueAPI

    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        let user = try await api.user(as: session.accessToken)
        return (user.id, user.goTrueFactors)
    }

    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment {
        guard let type = factor.kind.goTrueName else {
            throw AuthError(.unsupported, "GoTrue has authenticator apps, phones and passkeys as second factors.")
        }
        // The server refuses two factors of one name, and two without a name.
        let label = factor.label ?? "\(type) \(api.randomness.text(6))"
        var body: JSONObject = ["factor_type": .string(type), "friendly_name": .string(label)]
        if let phone = factor.phone { body["phone"] = .string(phone) }
        let response = try await api.call(.post, "/factors", body: body, as: session.accessToken).object
        guard let id = response["id"]?.filled else { throw ErrorMapping.incomplete("the factor's id") }
        flow[.requiredUser] = session.user.id
        flow[.enrolledFactor] = id
        let choice = FactorChoice(id: id, kind: factor.kind, label: factor.phone.map { Destination.masked(phone: $0) } ?? label)
        return FactorEnrolment(
            challenge: try await SecondFactor(api: api).ask(for: choice, session, in: flow),
            key: (response["totp"]?["secret"]?.filled).map { Secret($0) },
            uri: (response["totp"]?["uri"]?.filled).map { Secret($0) })
    }

    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session {
        guard factor.id.isUUID else {
            throw AuthError(.invalidInput, "The user has no such second factor: take one from `account.factors.all()`.")
        }
        _ = try await api.call(.delete, "/factors/\(given: factor.id)", as: session.accessToken)
        return api.outdated(session, user: try await api.user(as: session.accessToken))
    }
}

extension FactorChoice.Kind {
    /// GoTrue's name for it.
    var goTrueName: String? {
        switch self {
        case .authenticatorApp: "totp"
        case .phone: "phone"
        case .passkey: "webauthn"
        case .email, .backupCode: nil
        }
    }
}
