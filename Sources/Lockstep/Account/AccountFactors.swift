public import LockstepPrimitives
internal import Synchronization

/// The second factors of the user who is signed in.
public struct AccountFactors: Sendable {
    let flows: FlowCoordinator

    private func feature() throws(AuthError) -> any SecondFactors {
        guard let feature = flows.adapter.secondFactors else { throw flows.context.unsupported(.factorEnrolment) }
        return feature
    }

    /// The kinds that can be added; none where users add no factors themselves.
    public var kinds: Set<FactorChoice.Kind> { flows.adapter.secondFactors?.kinds ?? [] }

    /// The user's active factors, as the backend has them now.
    @concurrent
    public func all() async throws(AuthError) -> [FactorChoice] {
        let feature = try feature()
        return try await flows.sessions.list("account.factors.all") { session async throws(AuthError) in
            let (user, factors) = try await feature.all(of: session)
            return (user, factors)
        }
    }

    /// Begins to add a factor, which is active after the first right answer: give that to ``AuthClient/respond(to:with:)``.
    ///
    /// - Throws: `unsupported`, `notEnabled`, `invalidPhone`; `secondFactorRequired` where another factor has to be given first.
    @concurrent
    public func add(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        let feature = try feature()
        guard feature.kinds.contains(factor.kind) else {
            throw AuthError(
                .unsupported,
                "\(flows.adapter.name) has no second factor of the kind \(factor.kind.rawValue) that users add: see account.factors.kinds."
            )
        }
        let wanted = try factor.normalized()
        return try await flows.sessions.call("account.factors.add") { () async throws(AuthError) in
            let enrolment = Mutex<FactorEnrolment?>(nil)
            _ = try await flows.beginUsersFlow(.factorEnrolment, kind: .linking, identifier: "") {
                memory, session async throws(AuthError) in
                let begun = try await feature.begin(wanted, of: session, in: memory)
                enrolment.withLock { $0 = begun }
                return .verify(begun.challenge)
            }
            guard let begun = enrolment.withLock({ $0 }) else {
                throw AuthError(
                    .captchaRequired, "The backend wants a captcha before a second factor is added, which no call here can give.")
            }
            return begun
        }
    }

    /// Removes a factor.
    ///
    /// - Throws: `secondFactorRequired` where the session was made without it.
    @concurrent
    public func remove(_ factor: FactorChoice) async throws(AuthError) {
        let feature = try feature()
        try await flows.changes.change("account.factors.remove") { session async throws(AuthError) in
            try await feature.remove(factor, from: session)
        }
    }

    /// Makes new backup codes, each of which takes the place of a second factor once; the former ones count no more.
    ///
    /// They are shown only now: let the user keep them. Ask for them after the first factor was added. Of two calls at once, as by a
    /// button that was pressed twice, both get the same codes.
    ///
    /// - Throws: `secondFactorRequired` where the user has no second factor; `reauthenticationRequired`.
    @concurrent
    public func renewBackupCodes() async throws(AuthError) -> [Secret] {
        guard let feature = flows.adapter.secondFactors, feature.makesBackupCodes else {
            throw flows.context.unsupported(.backupCodeRenewal)
        }
        return try await flows.sessions.call("account.factors.renewBackupCodes") { () async throws(AuthError) in
            let renewal = flows.context.state.withLock { $0.sessions.renewingBackupCodes }
            let codes: @Sendable () async throws(AuthError) -> [Secret] = {
                [sessions = flows.sessions] () async throws(AuthError) in
                try await sessions.asUser { session async throws(AuthError) in
                    try await sessions.ask { () async throws(AuthError) in try await feature.renewBackupCodes(of: session) }
                }
            }
            let end = await renewal.result { () async -> Result<[Secret], AuthError> in
                do throws(AuthError) { return .success(try await codes()) } catch { return .failure(error) }
            }
            guard let end else { throw .cancelled }
            return try end.get()
        }
    }
}

/// A second factor that a user wants to have.
public struct NewFactor: Sendable, Hashable {
    /// Which kind it is.
    public var kind: FactorChoice.Kind
    /// The number in E.164 form, of a phone.
    public var phone: String?
    /// The name to show in the list of the user's factors; the adapter makes one up where there is none.
    public var label: String?

    /// A factor.
    public init(_ kind: FactorChoice.Kind, phone: String? = nil, label: String? = nil) {
        self.kind = kind
        self.phone = phone
        self.label = label
    }

    /// The same, its number checked.
    ///
    /// - Throws: `invalidPhone` where it is not in E.164 form, or missing where the factor is a phone.
    public func normalized() throws(AuthError) -> NewFactor {
        var copy = self
        if let phone { copy.phone = try PhoneCodeCredential(phone: phone).normalized().phone }
        guard kind != .phone || phone != nil else {
            throw AuthError(.invalidPhone, "A phone as second factor needs a number. Ask the user for it before calling.")
        }
        return copy
    }

    /// An authenticator app.
    public static func authenticatorApp(label: String? = nil) -> NewFactor { NewFactor(.authenticatorApp, label: label) }
    /// A phone that gets codes by SMS.
    public static func phone(_ phone: String, label: String? = nil) -> NewFactor { NewFactor(.phone, phone: phone, label: label) }
    /// A passkey.
    public static func passkey(label: String? = nil) -> NewFactor { NewFactor(.passkey, label: label) }
}

/// A second factor that is being added: the data for the user's first answer.
public struct FactorEnrolment: Sendable, Hashable {
    /// What to answer; the factor is active from then on.
    public var challenge: Challenge
    /// The key for an authenticator app, in base 32; shown only now.
    public var key: Secret?
    /// The same as a URI (`otpauth:`), to be shown as a QR code.
    public var uri: Secret?

    /// An enrolment.
    public init(challenge: Challenge, key: Secret? = nil, uri: Secret? = nil) {
        self.challenge = challenge
        self.key = key
        self.uri = uri
    }
}
