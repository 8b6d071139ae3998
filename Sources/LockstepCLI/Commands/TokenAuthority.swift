import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepVerifier
import Synchronization

/// The authority with which `lockstep token check` verifies a token.
struct TokenAuthority {
    /// The authority for a sentence, such as "Clerk at http://127.0.0.1:4603".
    let name: String
    let verifier: SessionVerifier

    /// Reads the options of a command line.
    ///
    /// - Returns: `nil` if no option names an authority, and no emulator is running.
    /// - Throws: ``UsageError`` if an option is missing or invalid.
    init?(for invocation: Invocation, _ transport: WatchedTransport) throws(UsageError) {
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
                let found = try Self.emulators(
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
    ) throws(AuthError) -> TokenAuthority? {
        var found: (name: String, verifier: SessionVerifier)?
        for document in documents {
            let (name, verifier) = try Self.emulator(document, parties, audiences, transport)
            found = found.map { ("\($0.name), or \(name)", SessionVerifier($0.verifier, or: verifier)) } ?? (name, verifier)
        }
        return found.map { TokenAuthority(name: $0.name, verifier: $0.verifier) }
    }

    private init(name: String, verifier: SessionVerifier) {
        self.name = name
        self.verifier = verifier
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
        _ url: String, _ parties: [String], _ audiences: [String], _ transport: some HTTPTransport
    ) throws(AuthError) -> SessionVerifier {
        try .clerk(
            url: url, authorizedParties: Set(parties), nativeApps: true, audience: Set(audiences), transport: transport)
    }

    /// Returns the authority of a running emulator from its ready line.
    private static func emulator(
        _ document: JSON, _ parties: [String], _ audiences: [String], _ transport: some HTTPTransport
    ) throws(AuthError) -> (String, SessionVerifier) {
        let (provider, base) = (document["provider"]?.string ?? "", document["base"]?.string ?? "")
        let vars = document["vars"]
        let name = "\(Providers.title(of: provider)) at \(base)"
        switch provider {
        case "firebase":
            return (name, try .firebase(project: vars?["project"]?.string ?? "", url: base, transport: transport))
        case "gotrue":
            let settings = document["settings"]
            let signature: SessionVerifier.Signature =
                settings?["GOTRUE_JWT_KEYS"] == nil
                ? .legacySecret(Secret(vars?["jwt_secret"]?.string ?? "")) : .publishedKeys
            return (
                name,
                try .goTrue(
                    url: base, issuer: settings?["GOTRUE_JWT_ISSUER"]?.string.map { .named($0) } ?? .address,
                    audience: settings?["GOTRUE_JWT_AUD"]?.string ?? "authenticated", signedBy: signature, transport: transport)
            )
        default:
            return (name, try clerk(vars?["fapi"]?.string ?? base, parties, audiences, transport))
        }
    }

    private static func missing(_ option: String, _ other: String, _ meaning: String) -> AuthError {
        AuthError(.invalidConfiguration, "--\(other) needs --\(option), \(meaning). Add it.")
    }
}

/// A transport that remembers why the last request returned no usable response.
struct WatchedTransport: HTTPTransport {
    private final class Note: Sendable { let text = Mutex<String?>(nil) }

    private let transport: any HTTPTransport
    private let note = Note()

    init(_ transport: any HTTPTransport) { self.transport = transport }

    /// The failure, with the address; `nil` if there was none.
    var failure: String? { note.text.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        do throws(HTTPFailure) {
            let response = try await transport.send(request)
            let isJSON = (try? JSON.parse(response.body)) != nil
            note.text.withLock {
                $0 =
                    response.status != 200
                    ? "\(request.url) returned the status \(response.status)."
                    : isJSON ? nil : "\(request.url) did not return JSON."
            }
            return response
        } catch {
            let end = error.message.hasSuffix(".") ? "" : "."
            note.text.withLock { $0 = "\(request.url) did not answer: \(error.message)\(end)" }
            throw error
        }
    }
}
