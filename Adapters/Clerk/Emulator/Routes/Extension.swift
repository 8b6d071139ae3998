import LockstepEmulation
import LockstepPrimitives

/// A part of Clerk that many apps never use: its routes, and what it adds to sign-ins and sign-ups.
///
/// The rooms know an extension by this type. Who does not use one need not read its folder.
struct Extension: Sendable {
    /// Its routes of the Frontend API.
    var frontend: [Endpoint] = []
    /// Its routes of the Backend API, without `/v1`.
    var backend: [Endpoint] = []
    /// The strategy that it adds to sign-ins, sign-ups, addresses and sessions.
    var strategy: ExtensionStrategy?

    /// Whether somebody else answers for an address, so that no other proof of it counts.
    var answersFor: @Sendable (RequestContext, String) throws -> Bool = { _, _ in false }
    /// The refusal of a user's identifier at the start of a sign-in.
    var identifierRefusal: @Sendable (RequestContext, Identifier, UserRecord) throws -> ClerkError? = { _, _, _ in nil }
    /// The refusal of a sign-in that is about to continue or to complete.
    var signInRefusal: @Sendable (RequestContext, SignInRecord, UserRecord) throws -> ClerkError? = { _, _, _ in nil }
    /// The refusal of another address or account of a user.
    var additionRefusal: @Sendable (RequestContext, UserRecord) throws -> ClerkError? = { _, _ in nil }
    /// The strategies and fields that a sign-up needs besides those of the settings.
    var missingFields: @Sendable (RequestContext, SignUpRecord) throws -> [String] = { _, _ in [] }
    /// Called when a sign-up has become a user.
    var signUpCompleted: @Sendable (RequestContext, SignUpRecord) throws -> Void = { _, _ in }

    static let all: [Extension] = [.enterprise, .roleSets, .domains, .waitlist, .templates, .webhooks]
}

/// A way to prove who somebody is that an extension adds.
struct ExtensionStrategy: Sendable {
    /// The name on the wire.
    let name: String
    /// Creates a sign-in.
    let createSignIn: @Sendable (RequestContext) throws -> Answer
    /// Begins the first factor of a sign-in.
    let prepareSignIn: @Sendable (RequestContext, inout SignInRecord) throws -> Answer
    /// Begins the proof of a sign-up's address.
    let prepareSignUp: @Sendable (RequestContext, inout SignUpRecord) throws -> Answer
    /// Begins the proof of a user's address.
    let addressProof: @Sendable (RequestContext, IdentificationRecord) throws -> Verification
    /// Begins the reverification of a session.
    let sessionProof: @Sendable (RequestContext, SessionRecord) throws -> Verification
    /// Whether a sign-in was proven by it.
    let hasProven: @Sendable (SignInRecord) -> Bool
    /// The first factors of an address that it answers for.
    let factors: @Sendable (RequestContext, String) throws -> [JSONObject]
    /// The factors of a user's reverification.
    let reverificationFactors: @Sendable (RequestContext, UserRecord) throws -> [JSONObject]
}

/// What the extensions together say.
struct Extensions {
    let context: RequestContext

    /// The strategy of that name; `nil` if no extension has it.
    static func strategy(_ name: String?) -> ExtensionStrategy? { strategies.first { $0.name == name } }

    /// The strategies of all extensions.
    static let strategies = Extension.all.compactMap(\.strategy)

    /// Whether somebody else answers for an address.
    func answer(for address: String?) throws -> Bool {
        guard let address else { return false }
        return try Extension.all.contains { try $0.answersFor(context, address) }
    }

    /// Refuses other proofs of an address that somebody else answers for.
    func checkNoneAnswers(for address: String?) throws {
        if try answer(for: address) { throw ClerkError.strategyInvalidForUser }
    }

    /// The refusal of a sign-in; `nil` if no extension objects.
    func refusal(of signIn: SignInRecord, _ user: UserRecord) throws -> ClerkError? {
        try first { try $0.signInRefusal(context, signIn, user) }
    }

    /// Refuses an identifier by which the user must not sign in.
    func check(_ identifier: Identifier, of user: UserRecord) throws {
        if let refusal = try first({ try $0.identifierRefusal(context, identifier, user) }) { throw refusal }
    }

    /// Refuses further addresses and accounts to a user who may add none.
    func checkAdditions(to user: UserRecord) throws {
        if let refusal = try first({ try $0.additionRefusal(context, user) }) { throw refusal }
    }

    /// What a sign-up needs besides the fields of the settings.
    func missingFields(of signUp: SignUpRecord) throws -> [String] {
        try Extension.all.flatMap { try $0.missingFields(context, signUp) }
    }

    /// Tells the extensions of a sign-up that has become a user.
    func complete(_ signUp: SignUpRecord) throws {
        for one in Extension.all { try one.signUpCompleted(context, signUp) }
    }

    /// The first factors of an address that somebody else answers for.
    func factors(for address: String) throws -> [JSONObject] {
        try Self.strategies.flatMap { try $0.factors(context, address) }
    }

    private func first(_ refusal: (Extension) throws -> ClerkError?) rethrows -> ClerkError? {
        for one in Extension.all { if let refusal = try refusal(one) { return refusal } }
        return nil
    }
}
