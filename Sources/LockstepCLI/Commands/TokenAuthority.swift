import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepVerifier

/// The authority with which `lockstep token check` verifies a token.
struct TokenAuthority {
    /// The authority for a sentence, such as "Clerk at http://127.0.0.1:4603".
    private let name: String
    /// The names of emulators, by the issuer of their tokens.
    private var names: [String: String] = [:]
    private let verifier: SessionVerifier
    /// The clocks of emulators, by the issuer of their tokens.
    private var clocks: [String: any DeviceClock] = [:]
    /// The emulators that do not sign their tokens, by the issuer of their tokens.
    private var unsigned: [String: UnsignedTokens] = [:]

    /// Returns the clock that decides whether a token is expired: the clock of its emulator, or of this machine.
    func clock(for token: UnverifiedToken?) -> any DeviceClock {
        token?.claims["iss"]?.string.flatMap { clocks[$0] } ?? SystemClock()
    }

    /// Returns the name of the authority that decides about a token: the emulator that its issuer names, or all of them.
    func name(for token: UnverifiedToken?) -> String { token?.claims["iss"]?.string.flatMap { names[$0] } ?? name }

    /// Whether the emulator that a token names as its issuer does not sign its tokens.
    func isUnsigned(_ token: UnverifiedToken?) -> Bool {
        guard let token, token.algorithmName == "none" else { return false }
        return token.claims["iss"]?.string.map { unsigned[$0] != nil } ?? false
    }

    /// Runs all checks of a token.
    func checks(of token: Secret) async -> [TokenCheck] {
        let checks = await verifier.checks(of: token)
        guard let read = try? UnverifiedToken(token.reveal()), read.algorithmName == "none", read.signature.isEmpty,
            let emulator = read.claims["iss"]?.string.flatMap({ unsigned[$0] })
        else { return checks }
        return await emulator.checks(checks, of: token, read)
    }

    /// Reads the options of a command line.
    ///
    /// - Returns: `nil` if no option names an authority, and no emulator is running.
    /// - Throws: ``UsageError`` if an option is missing or invalid.
    init?(for invocation: Invocation, _ transport: WatchedTransport) async throws(UsageError) {
        do throws(AuthError) {
            if let keys = invocation["jwks"] {
                guard !invocation.has("provider") else {
                    throw AuthError(.invalidConfiguration, "--jwks and --provider cannot be used together. Remove one of them.")
                }
                guard let issuer = invocation["issuer"] else { throw Self.missing("issuer", "jwks", "the expected iss") }
                name = "the keys at \(keys)"
                verifier = try .published(
                    at: keys, issuer: issuer, audience: Set(invocation.list("audience")), transport: transport)
            } else if let provider = invocation["provider"] {
                (name, verifier) = try Self.project(provider, invocation, transport)
            } else {
                let found = try await Self.emulators(
                    try Self.documents(invocation), parties: invocation.list("party"),
                    audiences: invocation.list("audience"), transport)
                guard let found else { return nil }
                self = found
            }
        } catch {
            throw UsageError(error.message)
        }
    }

    /// The rules of running emulators.
    ///
    /// - Parameters:
    ///   - documents: Their ready lines.
    ///   - parties: The pages whose tokens of Clerk are accepted.
    ///   - audiences: The expected `aud` of Clerk's tokens.
    ///   - transport: Fetches the keys.
    /// - Returns: `nil` if there is no emulator.
    /// - Throws: `invalidConfiguration` if a ready line cannot be used.
    static func emulators(
        _ documents: [JSON], parties: [String] = [], audiences: [String] = [], _ transport: some HTTPTransport
    ) async throws(AuthError) -> TokenAuthority? {
        var found: TokenAuthority?
        for document in documents {
            let clock = await BackendClock(of: document, transport)
            let next = try Self.emulator(document, clock ?? SystemClock(), parties, audiences, transport)
            found = found.map { TokenAuthority($0, or: next) } ?? next
        }
        return found
    }

    private init(_ name: String, _ verifier: SessionVerifier, issuer: String, clock: any DeviceClock) {
        (self.name, self.verifier, clocks, names) = (name, verifier, [issuer: clock], [issuer: name])
    }

    private init(_ first: TokenAuthority, or second: TokenAuthority) {
        name = "\(first.name), or \(second.name)"
        verifier = SessionVerifier(first.verifier, or: second.verifier)
        names = first.names.merging(second.names) { name, _ in name }
        clocks = first.clocks.merging(second.clocks) { clock, _ in clock }
        unsigned = first.unsigned.merging(second.unsigned) { emulator, _ in emulator }
    }

    private static func documents(_ invocation: Invocation) throws(AuthError) -> [JSON] {
        do {
            return (try ReadyLines.found(by: invocation) ?? []).flatMap(\.documents)
        } catch {
            throw AuthError(.invalidConfiguration, "\(error)")
        }
    }

    private static func project(
        _ provider: String, _ invocation: Invocation, _ transport: WatchedTransport
    ) throws(AuthError) -> (String, SessionVerifier) {
        let title = Providers.title(of: provider)
        guard provider != "firebase" else {
            guard let project = invocation["project"] else { throw missing("project", "provider firebase", "the project's id") }
            return (
                "\(title), project \(project)",
                try .firebase(project: project, tenant: invocation["tenant"], url: invocation["url"], transport: transport)
            )
        }
        guard let url = invocation["url"] else {
            throw missing(
                "url", "provider \(provider)", provider == "gotrue" ? "the address of the auth API" : "the front-end API")
        }
        guard provider == "gotrue" else {
            let verifier = try clerk(url, invocation.list("party"), invocation.list("audience"), transport)
            return ("\(title) at \(url)", verifier)
        }
        let secret = Environment["SUPABASE_JWT_SECRET"].flatMap { $0.isEmpty ? nil : Secret($0) }
        let verifier = try SessionVerifier.goTrue(
            url: url, issuer: invocation["issuer"].map { .named($0) } ?? .address,
            audience: invocation["audience"] ?? "authenticated", signedBy: secret.map { .legacySecret($0) } ?? .publishedKeys,
            transport: transport)
        return ("\(title) at \(url)", verifier)
    }

    private static func clerk(
        _ url: String, _ parties: [String], _ audiences: [String], _ transport: some HTTPTransport,
        _ clock: any DeviceClock = SystemClock()
    ) throws(AuthError) -> SessionVerifier {
        try .clerk(
            url: url, authorizedParties: Set(parties), nativeApps: true, audience: Set(audiences), transport: transport,
            clock: clock)
    }

    /// Returns the authority of a running emulator from its ready line.
    ///
    /// - Parameters:
    ///   - parties: The pages whose tokens of Clerk are accepted.
    ///   - audiences: The expected `aud` of Clerk's tokens.
    ///   - transport: Fetches the keys.
    /// - Throws: `invalidConfiguration` if the ready line cannot be used.
    private static func emulator(
        _ document: JSON, _ clock: any DeviceClock, _ parties: [String], _ audiences: [String], _ transport: some HTTPTransport
    ) throws(AuthError) -> TokenAuthority {
        let (provider, base) = (document["provider"]?.string ?? "", document["base"]?.string ?? "")
        let vars = document["vars"]
        let name = "\(Providers.title(of: provider)) at \(base)"
        switch provider {
        case "firebase":
            let project = vars?["project"]?.string ?? ""
            let verifier = try SessionVerifier.firebase(project: project, url: base, transport: transport, clock: clock)
            let issuer = "https://securetoken.google.com/\(project)"
            var authority = TokenAuthority(name, verifier, issuer: issuer, clock: clock)
            if vars?["mode"]?.string == "emulator" { authority.unsigned[issuer] = UnsignedTokens(document, transport) }
            return authority
        case "gotrue":
            let settings = document["settings"]
            let signature: SessionVerifier.Signature =
                settings?["GOTRUE_JWT_KEYS"] == nil
                ? .legacySecret(Secret(vars?["jwt_secret"]?.string ?? "")) : .publishedKeys
            let issuer = settings?["GOTRUE_JWT_ISSUER"]?.string
            let verifier = try SessionVerifier.goTrue(
                url: base, issuer: issuer.map { .named($0) } ?? .address,
                audience: settings?["GOTRUE_JWT_AUD"]?.string ?? "authenticated", signedBy: signature, transport: transport,
                clock: clock)
            return TokenAuthority(name, verifier, issuer: issuer ?? base, clock: clock)
        default:
            let url = vars?["fapi"]?.string ?? base
            return TokenAuthority(name, try clerk(url, parties, audiences, transport, clock), issuer: url, clock: clock)
        }
    }

    private static func missing(_ option: String, _ other: String, _ meaning: String) -> AuthError {
        AuthError(.invalidConfiguration, "--\(other) needs --\(option) (\(meaning)). Add it.")
    }
}
