public import LockstepEmulation
@_exported public import LockstepPrimitives
internal import LockstepTokens
internal import Synchronization

/// Google's token endpoint for service accounts: it exchanges signed grants for access tokens (RFC 7523), and rejects all other
/// grants.
public final class GrantServer: Emulator {
    /// `grants`.
    public static let provider = "grants"
    /// `/token`.
    public let router: Router
    /// The file of a service account, in the format of the console.
    public let file: Secret

    private struct State {
        var grants = 0
        var isWithdrawn = false
    }

    private final class Book: Sendable {
        let state = Mutex(State())
    }

    private let book = Book()

    /// The key of the service account.
    ///
    /// It never changes, and several servers may share it.
    public struct Key: Sendable {
        let signing: SigningKey

        /// Creates a key, which takes 50 to 300 ms.
        public init() throws { signing = try .makeRSA(id: "key-1") }
    }

    /// The lifetime of its access tokens.
    public static let life = Duration.seconds(3599)

    /// Creates an endpoint for one service account of a project.
    public init(project: String, key: Key, in environment: EmulationEnvironment) throws {
        let email = "admin@\(project).iam.gserviceaccount.com"
        let address = environment.base + "/token"
        let members: JSONObject = [
            "type": "service_account", "project_id": .string(project), "private_key_id": "key-1",
            "private_key": .string(try key.signing.pem()?.reveal() ?? ""), "client_email": .string(email),
            "client_id": "100000000000000000001", "token_uri": .string(address),
        ]
        file = Secret(JSON.object(members).text())
        let rules = TokenRules(
            issuers: [email], audiences: .oneOf([address]), leeway: .seconds(300), requiredClaims: ["scope", "iat"])
        let verifier = TokenVerifier(keys: [key.signing.verificationKey], rules: rules)
        let clock = environment.clock
        let book = book
        var router = Router()
        router.on("POST", "/token") { request -> EmulatorResponse in
            let form = request.form()
            guard form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer" else {
                return Self.refusal("unsupported_grant_type", "Invalid grant_type: \(form["grant_type"] ?? "")")
            }
            let verified = try? verifier.verify(form["assertion"] ?? "", at: clock.now)
            let scopes = verified?.claims["scope"]?.string?.split(separator: " ") ?? []
            let number = book.state.withLock { state -> Int? in
                guard !state.isWithdrawn else { return nil }
                state.grants += 1
                return state.grants
            }
            guard verified != nil, let number else { return Self.refusal("invalid_grant", "Invalid JWT Signature.") }
            guard scopes.contains("https://www.googleapis.com/auth/identitytoolkit") else {
                return Self.refusal("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
            }
            return .json([
                "access_token": .string("ya29.grant-\(number)"), "expires_in": .int(Self.life.components.seconds),
                "token_type": "Bearer",
            ])
        }
        self.router = router
    }

    private static func refusal(_ error: JSON, _ sentence: String) -> EmulatorResponse {
        .json(["error": error, "error_description": .string(sentence)], status: 400)
    }

    /// The number of accepted grants.
    public var grants: Int { book.state.withLock { $0.grants } }

    /// Deletes the key: its grants are rejected from now on.
    public func withdraw() { book.state.withLock { $0.isWithdrawn = true } }

    /// Makes the key valid again, and sets the number of grants to zero.
    public func reset() { book.state.withLock { $0 = State() } }
}
