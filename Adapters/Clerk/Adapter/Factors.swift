internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The choice of a second factor; its code is then verified like any other code.
struct SecondFactor: VerificationStrategy {
    let api: ClerkAPI

    var capability = Capability.secondFactor

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .factor }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .factor(let choice) = response else {
            throw AuthError(.responseNotAccepted, "This step accepts only the choice of a second factor.")
        }
        let choices = flow[.factors] ?? [choice]
        guard choices.contains(where: { $0.id.exact == choice.id.exact }) else {
            throw AuthError(.invalidInput, "The user does not have this second factor.")
        }
        let parts = choice.id.pieces(at: " ").map(String.init)
        guard let strategy = parts.first else { throw AuthError(.invalidInput, "The user does not have this second factor.") }
        let stage: ClerkAPI.Stage =
            flow[.stage] == ClerkAPI.Stage.secondReverification.rawValue ? .secondReverification : .secondFactor
        let challenge: Challenge
        switch choice.kind {
        case .phone, .email:
            let member = AddressKind(strategy: strategy).idMember
            // The choice is stored when the code is sent. Until then, codes belong to the factor that was chosen
            // before.
            challenge = try await api.send(
                stage, strategy,
                [member: .string(parts.last ?? ""), "safe_identifier": .string(choice.label ?? "")], in: flow)
        case .authenticatorApp, .backupCode:
            (flow[.stage], flow[.strategy]) = (stage.rawValue, strategy)
            let channel: Challenge.Channel = choice.kind == .backupCode ? .backupCode : .authenticatorApp
            challenge = Challenge(flow: flow.flow, channel: channel, destination: "", accepts: [.code])
        case .passkey: throw AuthError(.unsupported, "Clerk accepts a passkey only as a first factor.")
        }
        return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: challenge, choices: choices))
    }
}

/// The user's second factors: an authenticator app, and phones.
///
/// A user has one app (`totp_already_enabled`). A phone is a number of the user that is reserved for second factors
/// (`reserved_for_second_factor`). Such a number can no longer be used to sign in alone, so a number with which users
/// sign in is not accepted. A factor is active after its first correct code, and a sign-in then requires it. With the
/// first factor, Clerk returns ten backup codes, but no step can show them. ``renewBackupCodes(of:)`` creates the codes
/// that a user keeps.
struct OwnSecondFactors: SecondFactors {
    let api: ClerkAPI

    var kinds: Set<FactorChoice.Kind> { [.authenticatorApp, .phone] }

    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        let user = try User(clerk: try await api.about(session, .get, "/me").resource())
        let app = user.fields["totp_enabled"]?.bool == true ? [FactorChoice(id: "totp", kind: .authenticatorApp)] : []
        let phones = (user.fields["phone_numbers"]?.array ?? []).filter { $0.isProven && $0.isSecondFactor }
        return (user.id, app + phones.compactMap(FactorChoice.init(number:)))
    }

    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment {
        switch factor.kind {
        case .authenticatorApp:
            let app = try await api.about(session, .post, "/me/totp").resource()
            guard let key = app["secret"]?.filled else { throw ErrorMapping.incomplete("the authenticator app's key") }
            flow[.stage] = ClerkAPI.Stage.newApp.rawValue
            return FactorEnrolment(
                challenge: Challenge(flow: flow.flow, channel: .authenticatorApp, destination: "", accepts: [.code]),
                key: Secret(key), uri: (app["uri"]?.filled).map { Secret($0) })
        case .phone:
            guard let number = factor.phone else {
                throw AuthError(.invalidPhone, "A phone as a second factor requires a number.")
            }
            flow[.identification] = try await self.number(number, of: session)
            flow[.destination] = PhoneCodeCredential.masked(number)
            return FactorEnrolment(challenge: try await sendCode(in: flow))
        default: throw AuthError(.unsupported, "Clerk supports authenticator apps and phones as second factors.")
        }
    }

    /// Returns Clerk's id of a number that must be verified: a new number, or the user's own number if an earlier
    /// enrollment has left it unverified.
    private func number(_ number: String, of session: Session) async throws(AuthError) -> String {
        let row: JSON?
        do throws(AuthError) {
            row = .object(try await api.about(session, .post, "/me/phone_numbers", [("phone_number", number)]).resource())
        } catch  where error.code == .phoneAlreadyInUse {
            let own = try await api.about(session, .get, "/me").resource()["phone_numbers"]?.array
            guard let left = own?.first(where: { $0["phone_number"]?.string == number && !$0.isProven }) else { throw error }
            row = left
        }
        guard let id = row?["id"]?.filled else { throw ErrorMapping.incomplete("the number's id") }
        return id
    }

    /// Sends the code that verifies a new number.
    func sendCode(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let session = try flow.owner
        flow[.stage] = ClerkAPI.Stage.newPhone.rawValue
        flow[.strategy] = AddressKind.phone.codeStrategy
        let path: BackendPath = "/me/phone_numbers/\(flow[.identification] ?? "")"
        let response = try await api.about(session, .post, path + "/prepare_verification", [("strategy", "phone_code")])
        return api.challenge(try response.resource()["verification"], response.date, in: flow)
    }

    /// Adds the factor after its first correct code.
    func finish(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> Session {
        let session = try flow.owner
        let isPhone = flow[.stage] == ClerkAPI.Stage.newPhone.rawValue
        let path: BackendPath = isPhone ? "/me/phone_numbers/\(flow[.identification] ?? "")" : "/me/totp"
        if !flow.completed.contains(Self.proven) {
            if isPhone { try await refuseOldSignIn(path, of: session) }
            do throws(AuthError) {
                _ = try await api.about(session, .post, path + "/attempt_verification", [("code", code.reveal())])
            } catch  where error.provider?.code == "verification_already_verified" {
                // The code was accepted before, and the response was lost: the number belongs to this user, and is
                // verified.
            } catch  where !isPhone && error.provider?.code == "totp_already_enabled" && flow[unstored: Self.sent] == code {
                // The lost response was for this same code, so the app is enabled.
            } catch {
                flow[unstored: Self.sent] = error.mayHaveTakenEffect ? code : nil
                throw error
            }
            flow.complete(Self.proven)
        }
        if isPhone { try await reserve(path, of: session) }
        return try await ClerkSessions(api: api).reload(session)
    }

    /// Throws an error if the sign-in is too old to make the number a factor.
    ///
    /// A verified number that is not a factor would be a new way to sign in.
    ///
    /// Only this error is passed on. The document does not say which other errors a request for an unverified number
    /// may return (FAPI `UpdatePhoneNumber`).
    private func refuseOldSignIn(_ path: BackendPath, of session: Session) async throws(AuthError) {
        do {
            _ = try await api.about(session, .patch, path, [("reserved_for_second_factor", "false")])
        } catch  where error.provider?.code != nil && error.code != .reauthenticationRequired {}
    }

    /// Makes a verified number a second factor, with which no user can sign in alone.
    ///
    /// If Clerk rejects this, the number is removed, because a verified number would be a new way to sign in.
    private func reserve(_ path: BackendPath, of session: Session) async throws(AuthError) {
        do {
            _ = try await api.about(session, .patch, path, [("reserved_for_second_factor", "true")])
        } catch  where error.provider?.code != nil {
            _ = try? await api.about(session, .delete, path)
            throw error
        }
    }

    private static let proven = "the factor was proven"
    /// The note of the last code that was sent without a response; it is only in memory.
    private static let sent = "sentCode"

    var makesBackupCodes: Bool { true }

    func renewBackupCodes(of session: Session) async throws(AuthError) -> [Secret] {
        let codes = try await api.about(session, .post, "/me/backup_codes").resource()["codes"]?.array?.compactMap(\.filled) ?? []
        guard !codes.isEmpty else { throw ErrorMapping.incomplete("the backup codes") }
        return codes.map { Secret($0) }
    }

    /// Removes a factor; if it is a phone, its number is removed, too, because users could sign in with the number
    /// alone.
    ///
    /// - Throws: `lastIdentity` if the instance requires a number for every user, and this is the last one.
    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session {
        switch (factor.kind, factor.id.pieces(at: " ").last) {
        case (.authenticatorApp, "totp"): _ = try await api.about(session, .delete, "/me/totp")
        case (.phone, let id?):
            // Another number of the user may be a way to sign in.
            guard try await all(of: session).factors.contains(where: { $0.id.exact == factor.id.exact }) else {
                throw AuthError(
                    .invalidInput, "The user does not have this second factor. Use a factor from `account.factors.all()`.")
            }
            let path: BackendPath = "/me/phone_numbers/\(given: String(id))"
            _ = try await api.about(session, .delete, path)
        default:
            throw AuthError(
                .invalidInput, "The user does not have this second factor. Use a factor from `account.factors.all()`.")
        }
        return try await ClerkSessions(api: api).reload(session)
    }
}

extension FactorChoice {
    /// Reads a number that is a second factor; its id is the same as in the choices of a sign-in.
    fileprivate init?(number: JSON) {
        guard let id = number["id"]?.filled else { return nil }
        self.init(
            id: "phone_code \(id)", kind: .phone, label: (number["phone_number"]?.filled).map(PhoneCodeCredential.masked))
    }
}

extension FlowMemory {
    /// The session of the user who adds something.
    fileprivate var owner: Session {
        get throws(AuthError) {
            guard let session else {
                throw AuthError(.notSignedIn, "No user is signed in, so nothing can be added.", remedies: [.signIn])
            }
            return session
        }
    }
}
