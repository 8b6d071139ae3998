public import Lockstep
internal import LockstepPrimitives

/// Calls about the second factors of the signed-in user.
extension ClientCalls {
    static let factors: [any UserCall.Type] = [
        AddFactor.self, Factors.self, RemoveFactor.self, RenewBackupCodes.self,
    ]
}

struct AddFactor: UserCall {
    static let name = "account.factors.add"
    let factor: NewFactor

    var capability: Capability? { .factorEnrolment }
    var effect: CallEffect { .ends }

    static func sample(of person: Person, and other: Person) -> Self { Self(factor: .authenticatorApp()) }

    func perform(on client: AuthClient) async throws(AuthError) -> FactorEnrolment {
        try await client.account.factors.add(factor)
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> FactorEnrolment? {
        try await faulty.onAddFactor?(faulty.base, factor)
    }
}

struct Factors: UserCall {
    static let name = "account.factors.all"

    var capability: Capability? { .factorEnrolment }

    static func sample(of person: Person, and other: Person) -> Self { Self() }

    func perform(on client: AuthClient) async throws(AuthError) -> [FactorChoice] { try await client.account.factors.all() }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> [FactorChoice]? { try await faulty.onFactors?(faulty.base) }
}

struct RemoveFactor: UserCall {
    static let name = "account.factors.remove"
    static let refusalsIfDone: Set<AuthError.Code> = [.invalidInput]
    let factor: FactorChoice

    var capability: Capability? { .factorEnrolment }
    var effect: CallEffect { .ends }

    static func sample(of person: Person, and other: Person) -> Self {
        Self(factor: FactorChoice(id: "none", kind: .authenticatorApp))
    }

    func perform(on client: AuthClient) async throws(AuthError) { try await client.account.factors.remove(factor) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Void? {
        try await faulty.onRemoveFactor?(faulty.base, factor)
    }
}

struct RenewBackupCodes: UserCall {
    static let name = "account.factors.renewBackupCodes"

    var capability: Capability? { .backupCodeRenewal }

    static func sample(of person: Person, and other: Person) -> Self { Self() }

    func perform(on client: AuthClient) async throws(AuthError) -> [Secret] {
        try await client.account.factors.renewBackupCodes()
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> [Secret]? {
        try await faulty.onRenewBackupCodes?(faulty.base)
    }
}

extension PortableClient {
    /// Returns the second factors of the user.
    ///
    /// - Throws: The error that the client throws.
    public func factors() async throws(AuthError) -> [FactorChoice] { try await perform(Factors()) }

    /// Removes a second factor.
    ///
    /// - Throws: The error that the client throws.
    public func removeFactor(_ factor: FactorChoice) async throws(AuthError) { try await perform(RemoveFactor(factor: factor)) }

    /// Begins to add a second factor.
    ///
    /// - Parameter factor: The kind of the second factor.
    /// - Returns: The values that the user needs to complete the enrollment.
    /// - Throws: The error that the client throws.
    public func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        try await perform(AddFactor(factor: factor))
    }

    /// Creates new backup codes, which replace the old codes.
    ///
    /// - Throws: The error that the client throws.
    public func renewBackupCodes() async throws(AuthError) -> [Secret] { try await perform(RenewBackupCodes()) }
}
