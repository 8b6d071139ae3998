import LockstepEmulation
import LockstepPrimitives

/// A part of Clerk that many apps never use: its tables, settings and routes, and its additions to the rules of the
/// other folders.
///
/// The other folders know an extension only by this type, so a reader who does not need an extension can skip its
/// folder.
struct Extension: Sendable {
    /// The definitions of its tables.
    var tables: [String] = []
    /// Its settings.
    var settings: SettingTable<ClerkSettings>.Section?
    /// Finds a setting whose name contains the name of another setting.
    var setting: @Sendable (String) -> Setting<ClerkSettings>? = { _ in nil }
    /// Returns the contradiction in its settings, or `nil`.
    var contradiction: @Sendable (ClerkSettings) -> String? = { _ in nil }
    /// The routes that it adds to the Frontend API.
    var frontend: [Endpoint] = []
    /// The routes that it adds to the Backend API, without `/v1`.
    var backend: [Endpoint] = []
    /// The strategy that it adds to sign-ins, sign-ups, addresses and sessions.
    var strategy: ExtensionStrategy?

    /// Whether an address must be verified through this extension, so that no other verification of the address is valid.
    var reserves: @Sendable (RequestContext, String) throws -> Bool = { _, _ in false }
    /// Returns the error for a user's identifier at the start of a sign-in.
    var identifierRefusal: @Sendable (RequestContext, Identifier, UserRecord) throws -> ClerkError? = { _, _, _ in nil }
    /// Returns the error for a sign-in that is about to continue or to complete.
    var signInRefusal: @Sendable (RequestContext, SignInRecord, UserRecord) throws -> ClerkError? = { _, _, _ in nil }
    /// Returns the error for another address or account of a user.
    var additionRefusal: @Sendable (RequestContext, UserRecord) throws -> ClerkError? = { _, _ in nil }
    /// Returns the strategies and fields that a sign-up needs in addition to those of the settings.
    var missingFields: @Sendable (RequestContext, SignUpRecord) throws -> [String] = { _, _ in [] }
    /// Called when a sign-up has become a user.
    var signUpCompleted: @Sendable (RequestContext, SignUpRecord) throws -> Void = { _, _ in }
    /// Returns the response to a browser that returns from an identity provider; `nil` if the extension did not begin
    /// this redirect.
    var callback: @Sendable (RequestContext, NonceRecord, Form) throws -> Answer? = { _, _, _ in nil }
    /// Creates a session token from the template with a name; `nil` if there is no such template.
    var token: @Sendable (RequestContext, String, SessionRecord, UserRecord, TokenAudience) throws -> String? = {
        _, _, _, _, _ in nil
    }
    /// Called before a user reads invitations and suggestions of organizations.
    var offersRead: @Sendable (RequestContext, UserRecord) throws -> Void = { _, _ in }
    /// The members that it adds to a user.
    var userMembers: @Sendable (RequestContext, UserRecord) throws -> JSONObject = { _, _ in [:] }
    /// The members that it adds to the user settings of the environment.
    var environmentMembers: @Sendable (RequestContext) throws -> JSONObject = { _ in [:] }

    static let all: [Extension] = [.enterprise, .roleSets, .domains, .waitlist, .templates, .webhooks]
}

/// A way to verify a person, which an extension adds.
struct ExtensionStrategy: Sendable {
    /// The name in the API.
    let name: String
    /// Creates a sign-in.
    let createSignIn: @Sendable (RequestContext) throws -> Answer
    /// Begins the first factor of a sign-in.
    let prepareSignIn: @Sendable (RequestContext, inout SignInRecord) throws -> Answer
    /// Begins the verification of a sign-up's address.
    let prepareSignUp: @Sendable (RequestContext, inout SignUpRecord) throws -> Answer
    /// Begins the verification of a user's address.
    let addressVerification: @Sendable (RequestContext, IdentificationRecord) throws -> Verification
    /// Begins the reverification of a session.
    let sessionProof: @Sendable (RequestContext, SessionRecord) throws -> Verification
    /// Whether a sign-in was verified by this strategy.
    let hasProven: @Sendable (SignInRecord) -> Bool
    /// The first factors of an address that the extension reserves.
    let factors: @Sendable (RequestContext, String) throws -> [JSONObject]
    /// The factors of a user's reverification.
    let reverificationFactors: @Sendable (RequestContext, UserRecord) throws -> [JSONObject]
    /// Whether a profile comes from a provider of this strategy.
    let hasGiven: @Sendable (ProviderProfile) -> Bool
    /// The accounts at the providers of this strategy.
    let accounts: @Sendable (RequestContext) -> any ProfileAccounts
}

/// All extensions of the emulator together.
struct Extensions {
    let context: RequestContext

    /// Returns the strategy with that name; `nil` if no extension has it.
    static func strategy(_ name: String?) -> ExtensionStrategy? { strategies.first { $0.name == name } }

    /// Returns the strategy whose provider has returned a profile; `nil` for a provider of the settings.
    static func strategy(of profile: ProviderProfile) -> ExtensionStrategy? { strategies.first { $0.hasGiven(profile) } }

    /// The strategies of all extensions.
    static let strategies = Extension.all.compactMap(\.strategy)

    /// Whether an extension reserves the address.
    func reserve(_ address: String?) throws -> Bool {
        guard let address else { return false }
        return try Extension.all.contains { try $0.reserves(context, address) }
    }

    /// Rejects another verification of an address that an extension reserves.
    func checkNotReserved(_ address: String?) throws {
        if try reserve(address) { throw ClerkError.strategyInvalidForUser }
    }

    /// Returns the error for a sign-in; `nil` if every extension accepts it.
    func refusal(of signIn: SignInRecord, _ user: UserRecord) throws -> ClerkError? {
        try first { try $0.signInRefusal(context, signIn, user) }
    }

    /// Rejects an identifier with which the user must not sign in.
    func check(_ identifier: Identifier, of user: UserRecord) throws {
        if let refusal = try first({ try $0.identifierRefusal(context, identifier, user) }) { throw refusal }
    }

    /// Rejects another address or account of a user who must not add one.
    func checkAdditions(to user: UserRecord) throws {
        if let refusal = try first({ try $0.additionRefusal(context, user) }) { throw refusal }
    }

    /// Returns the fields that a sign-up needs in addition to those of the settings.
    func missingFields(of signUp: SignUpRecord) throws -> [String] {
        try Extension.all.flatMap { try $0.missingFields(context, signUp) }
    }

    /// Notifies the extensions that a sign-up has become a user.
    func complete(_ signUp: SignUpRecord) throws {
        for one in Extension.all { try one.signUpCompleted(context, signUp) }
    }

    /// Returns the first factors of an address that an extension reserves.
    func factors(for address: String) throws -> [JSONObject] {
        try Self.strategies.flatMap { try $0.factors(context, address) }
    }

    /// Returns the response to a browser that returns from a provider; `nil` if no extension began the redirect.
    func answer(to flow: NonceRecord, _ fields: Form) throws -> Answer? {
        try first { try $0.callback(context, flow, fields) }
    }

    /// Creates a session token from the template with a name; `nil` if there is no such template.
    func token(_ template: String, of session: SessionRecord, _ user: UserRecord, _ audience: TokenAudience) throws -> String? {
        try first { try $0.token(context, template, session, user, audience) }
    }

    /// Prepares the invitations and suggestions that a user is about to read.
    func prepareOffers(for user: UserRecord) throws {
        for one in Extension.all { try one.offersRead(context, user) }
    }

    /// Returns the members that extensions add to a user.
    func members(of user: UserRecord) throws -> JSONObject {
        try Extension.all.reduce(into: [:]) { all, one in
            for (name, value) in try one.userMembers(context, user) { all[name] = value }
        }
    }

    /// Returns the members that extensions add to the user settings of the environment.
    func environmentMembers() throws -> JSONObject {
        try Extension.all.reduce(into: [:]) { all, one in
            for (name, value) in try one.environmentMembers(context) { all[name] = value }
        }
    }

    private func first<Value>(_ value: (Extension) throws -> Value?) rethrows -> Value? {
        for one in Extension.all { if let value = try value(one) { return value } }
        return nil
    }
}

extension RequestContext {
    /// Returns the accounts at the provider that has returned a profile.
    func accounts(of profile: ProviderProfile) -> any ProfileAccounts {
        Extensions.strategy(of: profile)?.accounts(self) ?? providerAccounts
    }
}
