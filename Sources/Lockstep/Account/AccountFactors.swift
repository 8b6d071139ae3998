public import LockstepPrimitives
internal import Synchronization

/// The second factors of the signed-in user.
///
/// ```swift
/// let enrolment = try await client.account.factors.add(.authenticatorApp(label: "My phone"))
/// print(enrolment.uri?.reveal() ?? "")         // show it as a QR code
/// let flow = enrolment.challenge.flow
/// _ = try await client.respond(to: flow, with: .code("123456"))
/// ```
public struct AccountFactors: Sendable {
    let flows: FlowCoordinator

    private func feature() throws(AuthError) -> any SecondFactors {
        guard let feature = flows.adapter.secondFactors else { throw flows.context.unsupported(.factorEnrolment) }
        return feature
    }

    /// The kinds of factors that users can add; empty if users cannot add factors.
    public var kinds: Set<FactorChoice.Kind> { flows.adapter.secondFactors?.kinds ?? [] }

    /// Loads the user's active factors from the backend.
    ///
    /// - Returns: The factors.
    /// - Throws: `unsupported`, and the errors of ``AuthClient/accessToken()``.
    @concurrent
    public func all() async throws(AuthError) -> [FactorChoice] {
        let feature = try feature()
        return try await flows.sessions.list("account.factors.all") { session async throws(AuthError) in
            let (user, factors) = try await feature.all(of: session)
            return (user, factors)
        }
    }

    /// Starts to add a factor.
    ///
    /// The factor becomes active when the user enters a first correct code. Pass that code to
    /// ``AuthClient/respond(to:with:)``.
    ///
    /// - Parameter factor: The factor to add.
    /// - Returns: The data that the user needs for the first code, such as the key for an authenticator app.
    /// - Throws: `unsupported`, `notEnabled`, `invalidPhone`; `secondFactorRequired` if the user must first sign in
    ///   with a factor that is already active.
    @concurrent
    public func add(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        let feature = try feature()
        guard feature.kinds.contains(factor.kind) else {
            throw AuthError(
                .unsupported,
                "\(flows.adapter.name) has no second factor of the kind \(factor.kind.rawValue) that users can add. See account.factors.kinds."
            )
        }
        let wanted = try factor.normalized()
        return try await flows.sessions.call("account.factors.add") { () async throws(AuthError) in
            let enrolment = Mutex<FactorEnrolment?>(nil)
            _ = try await flows.begin(.factorEnrolment, kind: .linking, identifier: "") { memory async throws(AuthError) in
                let begun = try await feature.begin(wanted, of: try memory.userSession(), in: memory)
                enrolment.withLock { $0 = begun }
                return .verify(begun.challenge)
            }
            guard let begun = enrolment.withLock({ $0 }) else {
                throw AuthError(
                    .captchaRequired,
                    "The backend requires a captcha before a second factor is added. This call cannot send a captcha.")
            }
            return begun
        }
    }

    /// Removes a factor.
    ///
    /// ```swift
    /// for factor in try await client.account.factors.all() where factor.kind == .phone {
    ///     try await client.account.factors.remove(factor)
    /// }
    /// ```
    ///
    /// - Parameter factor: One of the user's factors, as ``all()`` returns them.
    /// - Throws: `secondFactorRequired` if the user signed in without a second factor.
    @concurrent
    public func remove(_ factor: FactorChoice) async throws(AuthError) {
        let feature = try feature()
        try await flows.changes.change("account.factors.remove") { session async throws(AuthError) in
            try await feature.remove(factor, from: session)
        }
    }

    /// Creates new backup codes, and makes the previous ones invalid.
    ///
    /// A user who cannot use a second factor can enter a backup code instead. Each code works once.
    ///
    /// The backend returns the codes only once, so let the user save them. Create backup codes after the user has
    /// added a first factor. Two calls at the same time, for example after a double tap, return the same codes.
    ///
    /// ```swift
    /// for code in try await client.account.factors.renewBackupCodes() { print(code.reveal()) }
    /// ```
    ///
    /// - Returns: The codes.
    /// - Throws: `secondFactorRequired` if the user has no second factor; `reauthenticationRequired`.
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

/// A second factor to add.
///
/// ```swift
/// let factor = NewFactor.phone("+4915112345678", label: "Work phone")
/// let enrolment = try await client.account.factors.add(factor)
/// ```
public struct NewFactor: Sendable, Hashable {
    /// The kind of the factor.
    public var kind: FactorChoice.Kind
    /// The phone number in E.164 form; required if the factor is a phone.
    public var phone: String?
    /// The name that the list of the user's factors shows.
    ///
    /// If the name is `nil`, the adapter chooses a name.
    public var label: String?

    /// Creates a factor.
    ///
    /// - Parameters:
    ///   - kind: The kind of the factor.
    ///   - phone: The phone number; required if the factor is a phone.
    ///   - label: The name that the list of the user's factors shows.
    public init(_ kind: FactorChoice.Kind, phone: String? = nil, label: String? = nil) {
        self.kind = kind
        self.phone = phone
        self.label = label
    }

    /// Checks the phone number and normalizes it.
    ///
    /// - Returns: The factor with the normalized phone number.
    /// - Throws: `invalidPhone` if the phone number is not in E.164 form, or if the factor is a phone and has no
    ///   number.
    public func normalized() throws(AuthError) -> NewFactor {
        var copy = self
        if let phone { copy.phone = try PhoneCodeCredential(phone: phone).normalized().phone }
        guard kind != .phone || phone != nil else {
            throw AuthError(
                .invalidPhone, "A phone as a second factor requires a number. Ask the user for the number before the call.")
        }
        return copy
    }

    /// An authenticator app.
    ///
    /// - Parameter label: The name that the list of the user's factors shows.
    /// - Returns: The factor.
    public static func authenticatorApp(label: String? = nil) -> NewFactor { NewFactor(.authenticatorApp, label: label) }
    /// A phone that receives codes by SMS.
    ///
    /// - Parameters:
    ///   - phone: The phone number.
    ///   - label: The name that the list of the user's factors shows.
    /// - Returns: The factor.
    public static func phone(_ phone: String, label: String? = nil) -> NewFactor { NewFactor(.phone, phone: phone, label: label) }
    /// A passkey.
    ///
    /// - Parameter label: The name that the list of the user's factors shows.
    /// - Returns: The factor.
    public static func passkey(label: String? = nil) -> NewFactor { NewFactor(.passkey, label: label) }
}

/// A second factor that the user is adding, with the data that the user needs for the first code.
public struct FactorEnrolment: Sendable, Hashable {
    /// The challenge that the user must complete.
    ///
    /// The first correct response makes the factor active.
    public var challenge: Challenge
    /// The key for an authenticator app, in base32.
    ///
    /// The backend returns the key only once.
    public var key: Secret?
    /// The key as a URI (`otpauth:`), to show as a QR code.
    public var uri: Secret?

    /// Creates an enrolment.
    ///
    /// - Parameters:
    ///   - challenge: The challenge.
    ///   - key: The key for an authenticator app, in base32.
    ///   - uri: The key as a URI.
    public init(challenge: Challenge, key: Secret? = nil, uri: Secret? = nil) {
        self.challenge = challenge
        self.key = key
        self.uri = uri
    }
}
