/// The examples in documentation comments of types.
extension SnippetPage {
    private static func comment(
        _ path: String, _ products: [String], imports: [String]? = nil, values: String = "", given: String = "",
        isOnMainActor: Bool = false
    ) -> SnippetPage {
        let lines = (imports ?? products).map { "import \($0)" } + [given]
        return SnippetPage(
            path: path, products: products, given: lines.joined(separator: "\n"), values: values, isOnMainActor: isOnMainActor,
            isScoped: true)
    }

    private static let appleRequest =
        "final class AppleRequest: Sendable { var nonce: String? { get { nil } set {} } }\nlet appleRequest = AppleRequest()"
    private static let ownRequest =
        "struct OwnRequest { var headers: [String: String] = [:] }\nfunc respond(_ status: Int) {}"

    static let comments: [SnippetPage] = [
        comment(
            "Sources/Lockstep/Client/AuthEvent.swift", ["Lockstep"], values: "adapter: some AuthAdapter, store: some SessionStore"
        ),
        comment("Sources/Lockstep/Client/AuthState.swift", ["Lockstep"], values: "client: AuthClient"),
        comment(
            "Sources/Lockstep/Client/ClientContext.swift", ["Lockstep"],
            values: "adapter: some AuthAdapter, store: some SessionStore"),
        comment("Sources/Lockstep/Errors/AuthError.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Session/Coordinator/SessionCoordinator+Requests.swift", ["Lockstep"]),
        comment("Sources/Lockstep/Session/Session.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/SignIn/Credential.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/SignIn/EmailAddress.swift", ["Lockstep"]),
        comment(
            "Sources/Lockstep/SignIn/IdentityCredentials.swift", ["Lockstep"], values: "client: AuthClient, token: Secret",
            given: appleRequest),
        comment("Sources/Lockstep/SignIn/SignInStep.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/LockstepHTTP/HTTPTransport.swift", ["LockstepCurl"]),
        comment("Sources/LockstepHTTP/Messages/HTTPRequest.swift", ["LockstepCurl"]),
        comment("Sources/LockstepHTTP/Restriction/LoopbackTransport.swift", ["LockstepCurl"]),
        comment("Sources/LockstepHTTP/Trace/HTTPTrace.swift", ["LockstepCurl"]),
        comment("Sources/LockstepPasswords/PasswordHash.swift", ["LockstepPasswords"]),
        comment("Sources/LockstepPasswords/PasswordHasher.swift", ["LockstepPasswords"]),
        comment("Sources/LockstepPrimitives/JSON/JSON.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/Secret.swift", ["Lockstep"]),
        comment("Sources/LockstepTestSupport/FixedClock.swift", ["LockstepTestSupport"]),
        comment("Sources/LockstepTestSupport/ManualClock.swift", ["LockstepTestSupport", "LockstepInMemory"]),
        comment("Sources/LockstepTokens/Keys/SigningKey.swift", ["LockstepVerifier"], imports: ["LockstepTokens"]),
        comment("Sources/LockstepTokens/Tokens/TokenWriter.swift", ["LockstepVerifier"], imports: ["LockstepTokens"]),
        comment(
            "Sources/LockstepTokens/Verifying/TokenVerifier.swift", ["LockstepVerifier"], imports: ["LockstepTokens"],
            values: "text: String"),
        comment(
            "Sources/LockstepVerifier/VerifiedSession.swift", ["LockstepVerifier"],
            values: "verifier: SessionVerifier, request: OwnRequest", given: ownRequest),
        comment("Sources/LockstepVerifierTestSupport/TestUser.swift", ["LockstepVerifierTestSupport"]),
        comment(
            "Sources/LockstepModels/Account/AccountModel.swift", ["LockstepModels"], values: "auth: AuthModel",
            isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Account/AnonymousUserModel.swift", ["LockstepModels"], values: "auth: AuthModel",
            isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Account/DeletionModel.swift", ["LockstepModels"], values: "auth: AuthModel",
            isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Forms/Countdown.swift", ["LockstepModels"], values: "challenge: Challenge",
            isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Passwords/PasswordStrength.swift", ["LockstepModels", "LockstepPasswordStrength"],
            values: "client: AuthClient", isOnMainActor: true),
        comment(
            "Sources/LockstepModels/SignIn/PasswordResetModel.swift", ["LockstepModels"], values: "auth: AuthModel",
            isOnMainActor: true),
        comment(
            "Sources/LockstepModels/SignIn/SignInModel.swift", ["LockstepModels"], values: "auth: AuthModel", isOnMainActor: true),
        comment(
            "Sources/LockstepModels/SignIn/SignUpModel.swift", ["LockstepModels"], values: "auth: AuthModel", isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Steps/SecondFactorModel.swift", ["LockstepModels"], values: "auth: AuthModel",
            isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Steps/VerificationModel.swift", ["LockstepModels"], values: "auth: AuthModel",
            isOnMainActor: true),
        comment(
            "Adapters/Clerk/Adapter/ClerkAdapter.swift", ["LockstepCurl", "LockstepClerk"], values: "store: some SessionStore"),
        comment(
            "Adapters/Clerk/Directory/ClerkDirectory.swift", ["LockstepCurl", "LockstepClerkDirectory"],
            values: "secretKey: String"),
        comment(
            "Adapters/Firebase/Adapter/FirebaseAdapter.swift", ["LockstepCurl", "LockstepFirebase"],
            values: "store: some SessionStore"),
        comment(
            "Adapters/Firebase/Directory/FirebaseDirectory.swift", ["LockstepCurl", "LockstepFirebaseDirectory"],
            values: "keyFile: String"),
        comment(
            "Adapters/Firebase/Directory/FirebaseServiceAccount.swift", ["LockstepFirebaseDirectory"], values: "keyFile: String"),
        comment("Adapters/GoTrue/Adapter/Fields/GoTrueSession.swift", ["LockstepGoTrue"], values: "client: AuthClient"),
        comment("Adapters/GoTrue/Adapter/Fields/GoTrueUser.swift", ["LockstepGoTrue"], values: "client: AuthClient"),
        comment(
            "Adapters/GoTrue/Adapter/GoTrueAdapter.swift", ["LockstepCurl", "LockstepGoTrue"],
            values: "store: some SessionStore, client: AuthClient, adapter: GoTrueAdapter"),
        comment("Adapters/GoTrue/Database/GoTrueDatabase.swift", ["LockstepGoTrueDatabase"], values: "connectionString: String"),
        comment(
            "Adapters/GoTrue/Directory/GoTrueDirectory.swift", ["LockstepCurl", "LockstepGoTrueDirectory"],
            values: "secretKey: String"),
        comment(
            "Adapters/InMemory/Adapter/Backend/InMemoryBackend+Identities.swift", ["LockstepInMemory"],
            values: "client: AuthClient, backend: InMemoryBackend, clock: any DeviceClock"),
        comment("Adapters/InMemory/Adapter/Backend/InMemoryBackend.swift", ["LockstepInMemory"]),
        comment("Adapters/InMemory/Adapter/InMemorySettings.swift", ["LockstepInMemory"]),
        comment("Sources/Lockstep/Account/AccountClient.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Account/AccountFactors.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Account/AccountOrganizations.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Account/AccountPasskeys.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Capability/Capability.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Flows/Challenge.swift", ["Lockstep"], values: "client: AuthClient, flow: Flow"),
        comment("Sources/Lockstep/Origins/WebOrigin.swift", ["Lockstep"]),
        comment("Sources/Lockstep/Stores/FileSessionStore.swift", ["Lockstep"], values: "adapter: some AuthAdapter"),
        comment(
            "Sources/Lockstep/Stores/FreshInstallStore.swift", ["Lockstep"],
            values: "adapter: some AuthAdapter, keychain: some SessionStore, markerPath: String"),
        comment("Sources/Lockstep/Stores/MemorySessionStore.swift", ["Lockstep"], values: "adapter: some AuthAdapter"),
        comment(
            "Sources/LockstepDirectory/DirectoryUser.swift", ["LockstepDirectory"],
            values: "directory: any UserDirectory, id: String"),
        comment("Sources/LockstepDirectory/DirectoryUsers.swift", ["LockstepDirectory"], values: "directory: any UserDirectory"),
        comment(
            "Sources/LockstepDirectory/NewDirectoryUser.swift", ["LockstepDirectory"], values: "directory: any UserDirectory"),
        comment(
            "Sources/LockstepDirectory/RequestLimiter.swift", ["LockstepDirectory"],
            values: "directory: any UserDirectory, ids: [String]"),
        comment(
            "Sources/LockstepDirectory/UserDirectory.swift", ["LockstepDirectory"], values: "backend: OwnBackend",
            given: "struct OwnBackend { var directory: any UserDirectory }"),
        comment(
            "Sources/Stores/KeychainStore/KeychainSessionStore.swift", ["LockstepKeychainStore"],
            values: "adapter: some AuthAdapter", given: "func SystemKeychain() -> any Keychain { fatalError() }"),
        comment(
            "Sources/Stores/PostgresStore/PostgresSessionDatabase.swift", ["LockstepPostgresStore"],
            values: "adapter: some AuthAdapter, secret: Secret, connectionString: Secret"),
        comment("Sources/Stores/PostgresStore/PostgresSessionSettings.swift", ["LockstepPostgresStore"]),
        comment("Sources/Stores/PostgresStore/SessionKey.swift", ["LockstepPostgresStore"], values: "secret: Secret"),
        comment(
            "Sources/Stores/PostgresStore/SessionKeyRing.swift", ["LockstepPostgresStore"],
            values: "newKey: SessionKey, oldKey: SessionKey"),
        comment(
            "Sources/Stores/SQLiteStore/SQLiteSessionDatabase.swift", ["LockstepSQLiteStore"], values: "adapter: some AuthAdapter"
        ),
        comment("Sources/Transports/Curl/Transport/CurlConfiguration.swift", ["LockstepCurl"]),
        comment("Sources/Transports/Curl/Transport/CurlTransport.swift", ["LockstepCurl"]),
        comment("Sources/Transports/URLSession/URLSessionTransport.swift", ["LockstepURLSession"]),
    ]
}
