/// The examples in documentation comments of types.
extension SnippetPage {
    private static func comment(
        _ path: String, _ products: [String], imports: [String]? = nil, values: String = "", given: String = "",
        isOnMainActor: Bool = false
    ) -> SnippetPage {
        let lines = (imports ?? products).map { "import \($0)" } + [given]
        return SnippetPage(
            path: path, products: products, given: lines.joined(separator: "\n"), values: values, isOnMainActor: isOnMainActor)
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
    ]
}
