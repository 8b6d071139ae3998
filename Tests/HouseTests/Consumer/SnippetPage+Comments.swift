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

    private static let foundation = """
        import Foundation
        #if canImport(FoundationNetworking)
        import FoundationNetworking
        #endif
        """

    static let comments: [SnippetPage] = [
        comment("Sources/Lockstep/Account/AccountPhoto.swift", ["Lockstep"], values: "client: AuthClient, bytes: [UInt8]"),
        comment("Sources/Lockstep/Callback/Callback.swift", ["Lockstep"]),
        comment("Sources/Lockstep/Callback/CallbackAddress.swift", ["Lockstep"]),
        comment("Sources/Lockstep/Callback/CallbackReading.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Capability/ProviderBehavior.swift", ["Lockstep"]),
        comment(
            "Sources/Lockstep/Client/AuthClient+Flows.swift", ["Lockstep"],
            values: "client: AuthClient, flow: Flow, password: Secret, typed: String, url: String"),
        comment(
            "Sources/Lockstep/Client/AuthEvent.swift", ["Lockstep"], values: "adapter: some AuthAdapter, store: some SessionStore"
        ),
        comment("Sources/Lockstep/Client/AuthState.swift", ["Lockstep"], values: "client: AuthClient"),
        comment(
            "Sources/Lockstep/Client/ClientContext.swift", ["Lockstep"],
            values: "adapter: some AuthAdapter, store: some SessionStore"),
        comment("Sources/Lockstep/Errors/AuthError.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Errors/AuthErrorCode.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Flows/Flow.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Session/Coordinator/SessionCoordinator+Requests.swift", ["Lockstep"]),
        comment("Sources/Lockstep/Session/Session.swift", ["Lockstep"], values: "client: AuthClient"),
        comment(
            "Sources/Lockstep/SignIn/Credential.swift", ["Lockstep"], values: "client: AuthClient, ticketFromYourServer: String",
            given: "func showDialog(_ options: JSON) async throws -> JSON { options }"),
        comment("Sources/Lockstep/SignIn/EmailAddress.swift", ["Lockstep"]),
        comment(
            "Sources/Lockstep/SignIn/IdentityCredentials.swift", ["Lockstep"], values: "client: AuthClient, token: Secret",
            given: appleRequest),
        comment("Sources/Lockstep/SignIn/MessageCredentials.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/SignIn/AuthStep.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/LockstepHTTP/HTTPTransport.swift", ["LockstepCurl"]),
        comment("Sources/LockstepHTTP/Messages/HTTPRequest.swift", ["LockstepCurl"]),
        comment("Sources/LockstepHTTP/Restriction/LoopbackTransport.swift", ["LockstepCurl"]),
        comment("Sources/LockstepHTTP/Trace/HTTPTrace.swift", ["LockstepCurl"]),
        comment("Sources/LockstepPasswords/PasswordError.swift", ["LockstepPasswords"]),
        comment("Sources/LockstepPasswords/PasswordHash+HashingAlike.swift", ["LockstepPasswords"]),
        comment("Sources/LockstepPasswords/PasswordHash.swift", ["LockstepPasswords"]),
        comment("Sources/LockstepPasswords/PasswordHasher.swift", ["LockstepPasswords"]),
        comment(
            "Sources/LockstepPasswords/Providers/FirebaseHashing.swift", ["LockstepPasswords"], values: "passwordHash: String"),
        comment("Sources/LockstepPasswords/Providers/FirebaseScrypt.swift", ["LockstepPasswords"]),
        comment("Sources/LockstepPasswords/Providers/PasswordHash+Clerk.swift", ["LockstepPasswords"]),
        comment("Sources/LockstepPasswords/Providers/PasswordHash+GoTrue.swift", ["LockstepPasswords"]),
        comment("Sources/LockstepPrimitives/Effects/DeviceClock.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/Effects/LiveEffects.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/Encoding/Base64.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/Encoding/CompactToken.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/LockstepPrimitives/Encoding/Hex.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/Encoding/Percent.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/Instant+Reading.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/Instant.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/JSON/JSON+Reading.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/JSON/JSON+Writing.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/JSON/JSON.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/JSON/JSONError.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/JSON/JSONObject.swift", ["Lockstep"]),
        comment("Sources/LockstepPrimitives/Secret.swift", ["Lockstep"]),
        comment("Sources/LockstepTestSupport/FixedClock.swift", ["LockstepTestSupport"]),
        comment("Sources/LockstepTestSupport/ManualClock.swift", ["LockstepTestSupport", "LockstepInMemory"]),
        comment("Sources/LockstepTokens/Keys/JSONWebKey.swift", ["LockstepVerifier"], imports: ["LockstepTokens"]),
        comment("Sources/LockstepTokens/Keys/JSONWebKeySet.swift", ["LockstepVerifier"], imports: ["LockstepTokens"]),
        comment("Sources/LockstepTokens/Keys/SigningKey.swift", ["LockstepVerifier"], imports: ["LockstepTokens"]),
        comment("Sources/LockstepTokens/Keys/VerificationKey.swift", ["LockstepVerifier"], imports: ["LockstepTokens"]),
        comment("Sources/LockstepTokens/TokenError.swift", ["LockstepVerifier"], imports: ["LockstepTokens"]),
        comment("Sources/LockstepTokens/Tokens/TokenWriter.swift", ["LockstepVerifier"], imports: ["LockstepTokens"]),
        comment(
            "Sources/LockstepTokens/Tokens/UnverifiedToken.swift", ["LockstepVerifier"], imports: ["LockstepTokens"],
            values: "text: String"),
        comment(
            "Sources/LockstepTokens/Verifying/RemoteKeySet.swift", ["LockstepVerifier"], imports: ["LockstepTokens"],
            values: "text: String", given: "func fetch(_ url: String) async throws -> [UInt8] { [] }"),
        comment(
            "Sources/LockstepTokens/Verifying/TokenVerifier.swift", ["LockstepVerifier"], imports: ["LockstepTokens"],
            values: "text: String"),
        comment(
            "Sources/LockstepTokens/Verifying/VerifiedToken.swift", ["LockstepVerifier"], imports: ["LockstepTokens"],
            values: "text: String, key: VerificationKey, rules: TokenRules"),
        comment(
            "Sources/LockstepVerifier/SessionVerifier+Checks.swift", ["LockstepVerifier"],
            values: "verifier: SessionVerifier, token: Secret"),
        comment(
            "Sources/LockstepVerifier/SessionVerifier+Clerk.swift", ["LockstepVerifier", "LockstepCurl"], values: "token: Secret"),
        comment(
            "Sources/LockstepVerifier/SessionVerifier+Firebase.swift", ["LockstepVerifier", "LockstepCurl"],
            values: "token: Secret"),
        comment(
            "Sources/LockstepVerifier/SessionVerifier+GoTrue.swift", ["LockstepVerifier", "LockstepCurl"], values: "token: Secret"
        ),
        comment(
            "Sources/LockstepVerifier/SessionVerifier+Published.swift", ["LockstepVerifier", "LockstepCurl"],
            values: "token: Secret"),
        comment(
            "Sources/LockstepVerifier/TokenCheck.swift", ["LockstepVerifier"], values: "verifier: SessionVerifier, token: Secret"),
        comment(
            "Sources/LockstepVerifier/VerifiedSession.swift", ["LockstepVerifier"],
            values: "verifier: SessionVerifier, request: OwnRequest", given: ownRequest),
        comment("Sources/LockstepVerifierTestSupport/TestBackend+Clerk.swift", ["LockstepVerifierTestSupport"]),
        comment("Sources/LockstepVerifierTestSupport/TestBackend+Firebase.swift", ["LockstepVerifierTestSupport"]),
        comment("Sources/LockstepVerifierTestSupport/TestBackend+GoTrue.swift", ["LockstepVerifierTestSupport"]),
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
            "Sources/LockstepModels/Account/ReauthenticationModel.swift", ["LockstepModels"], values: "account: AccountModel",
            isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Forms/Countdown.swift", ["LockstepModels"], values: "challenge: Challenge",
            isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Forms/FormField.swift", ["LockstepModels"], values: "model: SignInModel", isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Forms/FormState.swift", ["LockstepModels"], values: "model: SignInModel", isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Passwords/PasswordStrength.swift", ["LockstepModels", "LockstepPasswordStrength"],
            values: "client: AuthClient", isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Screens/Screen.swift", ["LockstepModels"], values: "auth: AuthModel", isOnMainActor: true),
        comment(
            "Sources/LockstepModels/SignIn/PasswordResetModel.swift", ["LockstepModels"], values: "auth: AuthModel",
            isOnMainActor: true),
        comment(
            "Sources/LockstepModels/SignIn/SignInModel.swift", ["LockstepModels"], values: "auth: AuthModel", isOnMainActor: true),
        comment(
            "Sources/LockstepModels/SignIn/SignUpModel.swift", ["LockstepModels"], values: "auth: AuthModel", isOnMainActor: true),
        comment(
            "Sources/LockstepModels/Steps/FurtherSteps.swift", ["LockstepModels"], values: "auth: AuthModel", isOnMainActor: true),
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
        comment("Adapters/Firebase/Adapter/AppProof.swift", ["LockstepFirebase"]),
        comment(
            "Adapters/Firebase/Adapter/FirebaseAdapter.swift", ["LockstepCurl", "LockstepFirebase"],
            values: "store: some SessionStore"),
        comment(
            "Adapters/Firebase/Directory/AccessTokens.swift", ["LockstepCurl", "LockstepFirebaseDirectory"],
            values: "keyFile: String"),
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
        comment("Adapters/GoTrue/Database/AppTables.swift", ["LockstepGoTrueDatabase"], values: "database: GoTrueDatabase"),
        comment(
            "Adapters/GoTrue/Database/GoTrueDatabase+Writing.swift", ["LockstepGoTrueDatabase"],
            values: "database: GoTrueDatabase, userID: String"),
        comment("Adapters/GoTrue/Database/GoTrueDatabase.swift", ["LockstepGoTrueDatabase"], values: "connectionString: String"),
        comment("Adapters/GoTrue/Database/UserSnapshot.swift", ["LockstepGoTrueDatabase"], values: "database: GoTrueDatabase"),
        comment(
            "Adapters/GoTrue/Directory/GoTrueDirectory.swift", ["LockstepCurl", "LockstepGoTrueDirectory"],
            values: "secretKey: String"),
        comment(
            "Adapters/InMemory/Adapter/Backend/InMemoryBackend+Administration.swift", ["LockstepInMemory"],
            values: "backend: InMemoryBackend"),
        comment(
            "Adapters/InMemory/Adapter/Backend/InMemoryBackend+Faults.swift", ["LockstepInMemory"],
            values: "backend: InMemoryBackend, client: AuthClient"),
        comment(
            "Adapters/InMemory/Adapter/Backend/InMemoryBackend+Identities.swift", ["LockstepInMemory"],
            values: "client: AuthClient, backend: InMemoryBackend, clock: any DeviceClock"),
        comment(
            "Adapters/InMemory/Adapter/Backend/InMemoryBackend+RoundTrips.swift", ["LockstepInMemory"],
            values: "backend: InMemoryBackend, client: AuthClient, clock: any DeviceClock"),
        comment(
            "Adapters/InMemory/Adapter/Backend/InMemoryBackend+Steps.swift", ["LockstepInMemory"],
            values: "backend: InMemoryBackend, client: AuthClient, userID: String"),
        comment("Adapters/InMemory/Adapter/Backend/InMemoryBackend.swift", ["LockstepInMemory"]),
        comment("Adapters/InMemory/Adapter/Backend/InMemoryTraffic.swift", ["LockstepInMemory"]),
        comment("Adapters/InMemory/Adapter/InMemorySettings.swift", ["LockstepInMemory"]),
        comment("Sources/Lockstep/Account/AccountClient.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Account/AccountFactors.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Account/AccountOrganizations.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Account/AccountPasskeys.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Capability/Capability.swift", ["Lockstep"], values: "client: AuthClient"),
        comment("Sources/Lockstep/Flows/Challenge.swift", ["Lockstep"], values: "client: AuthClient, flow: Flow"),
        comment("Sources/Lockstep/Origins/WebOrigin.swift", ["Lockstep"], values: "address: String"),
        comment("Sources/Lockstep/Stores/FileSessionStore.swift", ["Lockstep"], values: "adapter: some AuthAdapter"),
        comment(
            "Sources/Lockstep/Stores/FreshInstallStore.swift", ["Lockstep"],
            values: "adapter: some AuthAdapter, keychain: some SessionStore, markerPath: String"),
        comment("Sources/Lockstep/Stores/MemorySessionStore.swift", ["Lockstep"], values: "adapter: some AuthAdapter"),
        comment("Sources/Lockstep/Stores/SessionMove.swift", ["Lockstep"], values: "adapter: some AuthAdapter"),
        comment("Sources/Lockstep/Stores/SessionStore.swift", ["Lockstep"], values: "store: some SessionStore"),
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
            "Sources/LockstepVendorSessions/VendorSession.swift",
            ["LockstepVendorSessions", "LockstepKeychainStore", "LockstepGoTrue"],
            values: "adapter: some AuthAdapter, store: any SessionStore, keychain: any Keychain, url: String, key: String"),
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
        comment(
            "Sources/LockstepPlatform/AuthClient+Platform.swift", ["LockstepPlatform", "LockstepGoTrue"],
            values: "adapter: some AuthAdapter, url: String, key: String"),
        comment(
            "Sources/LockstepWire/AdapterConfiguration.swift", ["LockstepPlatform", "LockstepGoTrue"],
            values: "url: String, key: String"),
        comment(
            "Sources/Lockstep/Client/AuthClient+URL.swift", ["Lockstep"], values: "client: AuthClient, url: URL",
            given: "import Foundation"),
        comment(
            "Sources/LockstepPrimitives/RequestAuthorizer.swift", ["Lockstep", "LockstepURLSession"],
            values: "auth: AuthClient, request: URLRequest", given: foundation),
        comment(
            "Sources/Transports/URLSession/URLSession+Authorized.swift", ["Lockstep", "LockstepURLSession"],
            values: "auth: AuthClient, url: URL", given: foundation),
        comment("Sources/LockstepPlatform/PlatformStore.swift", ["LockstepPlatform"]),
        comment("Sources/LockstepPlatform/PlatformTransport.swift", ["LockstepPlatform", "LockstepGoTrue"]),
        comment("Adapters/Clerk/Emulator/ClerkEmulator.swift", ["LockstepClerkEmulator"]),
        comment("Adapters/Clerk/Emulator/Extensions/Enterprise/EnterpriseSetting.swift", ["LockstepClerkEmulator"]),
        comment("Adapters/Clerk/Emulator/Settings/ClerkSettings.swift", ["LockstepClerkEmulator"]),
        comment("Adapters/Clerk/Emulator/Settings/PasswordPolicy.swift", ["LockstepClerkEmulator"]),
        comment("Adapters/Clerk/Emulator/Settings/ProviderSetting.swift", ["LockstepClerkEmulator"]),
        comment("Adapters/Firebase/Emulator/FirebaseEmulator.swift", ["LockstepFirebaseEmulator"]),
        comment("Adapters/Firebase/Emulator/Settings/FirebaseSettings.swift", ["LockstepFirebaseEmulator"]),
        comment("Adapters/Firebase/Emulator/Settings/PasswordPolicy.swift", ["LockstepFirebaseEmulator"]),
        comment("Adapters/GoTrue/Emulator/GoTrueEmulator.swift", ["LockstepGoTrueEmulator"]),
        comment("Adapters/GoTrue/Emulator/Settings/FactorSettings.swift", ["LockstepGoTrueEmulator"]),
        comment("Adapters/GoTrue/Emulator/Settings/GoTrueSettings.swift", ["LockstepGoTrueEmulator"]),
        comment(
            "Adapters/GoTrue/Emulator/GoTrueAdministrator.swift", ["LockstepGoTrueEmulator"],
            values: "server: EmulatorServer<GoTrueEmulator>"),
        comment(
            "Adapters/Firebase/Emulator/FirebaseAdministrator.swift", ["LockstepFirebaseEmulator"],
            values: "server: EmulatorServer<FirebaseEmulator>"),
        comment(
            "Adapters/Clerk/Emulator/ClerkAdministrator.swift", ["LockstepClerkEmulator"],
            values: "server: EmulatorServer<ClerkEmulator>"),
        comment(
            "Sources/LockstepEmulation/Control/ControlPanel.swift", ["LockstepGoTrueEmulator"],
            values: "server: EmulatorServer<GoTrueEmulator>"),
        comment(
            "Sources/LockstepEmulation/Control/ControlCalls.swift", ["LockstepGoTrueEmulator"],
            values: "server: EmulatorServer<GoTrueEmulator>"),
        comment(
            "Sources/LockstepEmulation/Control/UserValues.swift", ["LockstepGoTrueEmulator"],
            values: "server: EmulatorServer<GoTrueEmulator>"),
        comment(
            "Sources/LockstepEmulation/Faults/Fault.swift", ["LockstepGoTrueEmulator"],
            values: "server: EmulatorServer<GoTrueEmulator>"),
        comment(
            "Sources/LockstepEmulation/Faults/FaultEffect.swift", ["LockstepGoTrueEmulator"],
            values: "server: EmulatorServer<GoTrueEmulator>"),
        comment(
            "Sources/LockstepEmulation/Outbox/Outbox.swift", ["LockstepGoTrueEmulator"],
            values: "server: EmulatorServer<GoTrueEmulator>"),
        comment("Sources/LockstepEmulation/Server/Emulator.swift", ["LockstepGoTrueEmulator"]),
        comment("Sources/LockstepEmulation/Server/EmulatorServer.swift", ["LockstepGoTrueEmulator"]),
        comment(
            "Sources/LockstepEmulation/Seed/Seed.swift", ["LockstepGoTrueEmulator"],
            values: "server: EmulatorServer<GoTrueEmulator>"),
        comment("Sources/LockstepEmulation/Seed/UserFileReader.swift", ["LockstepEmulation"]),
        comment("Sources/LockstepEmulation/Seed/UserFileWriter.swift", ["LockstepEmulation"], values: "user: SeedUser"),
        comment("Sources/LockstepEmulation/Codes/TOTP.swift", ["LockstepEmulation"], values: "now: Instant"),
        comment(
            "Contracts/EmulatorTestSupport/AuthenticatorApp.swift", ["LockstepEmulatorTestSupport"],
            values: "secret: String, now: Instant"),
        comment(
            "Contracts/EmulatorTestSupport/SoftwarePasskeys.swift", ["LockstepEmulatorTestSupport"],
            values: "options: JSON, userID: String"),
        comment(
            "Contracts/EmulatorTestSupport/LinkBrowser.swift", ["LockstepEmulatorTestSupport"],
            values: "callback: CallbackAddress, link: String, client: AuthClient"),
        comment("Contracts/EmulatorTestSupport/Playback.swift", ["LockstepEmulatorTestSupport"]),
        comment("Contracts/EmulatorTestSupport/DisconnectableTransport.swift", ["LockstepEmulatorTestSupport", "LockstepCurl"]),
        comment("Contracts/EmulatorTestSupport/IssuerServer.swift", ["LockstepEmulatorTestSupport"]),
        comment(
            "Contracts/EmulatorTestSupport/Mailbox.swift", ["LockstepEmulatorTestSupport", "LockstepGoTrueEmulator"],
            values: "server: EmulatorServer<GoTrueEmulator>"),
        comment(
            "Contracts/Suite/Contract/Contract.swift", ["LockstepContractsTesting"],
            values: "contract: Contract<World>, harness: any Harness, variant: Variant"),
        comment("Sources/LockstepHTTP/Messages/HTTPForm.swift", ["LockstepCurl"], values: "token: Secret"),
        comment("Sources/LockstepHTTP/Messages/HTTPHeaders.swift", ["LockstepCurl"]),
        comment(
            "Sources/LockstepHTTP/Failure/HTTPFailure.swift", ["LockstepCurl"],
            values: "transport: any HTTPTransport, request: HTTPRequest"),
        comment("Sources/LockstepHTTP/Trace/TracingTransport.swift", ["LockstepCurl"]),
        comment("Sources/LockstepHTTP/Trace/Redaction.swift", ["LockstepCurl"]),
        comment(
            "Sources/LockstepHTTP/Echoes/RequestSecrets.swift", ["LockstepCurl"],
            values: "request: HTTPRequest, response: HTTPResponse"),
        comment(
            "Sources/LockstepDirectory/DirectoryOutcome.swift", ["LockstepDirectory"],
            values: "directory: any UserDirectory, ids: [String]"),
        comment("Adapters/GoTrue/Emulator/Settings/HookSettings.swift", ["LockstepGoTrueEmulator"]),
        comment("Adapters/GoTrue/Emulator/Settings/LimitSettings.swift", ["LockstepGoTrueEmulator"]),
        comment("Adapters/GoTrue/Emulator/Settings/MailSettings.swift", ["LockstepGoTrueEmulator"]),
        comment("Adapters/GoTrue/Emulator/Settings/ProviderSettings.swift", ["LockstepGoTrueEmulator"]),
        comment("Adapters/GoTrue/Emulator/Settings/SMSSettings.swift", ["LockstepGoTrueEmulator"]),
    ]
}
