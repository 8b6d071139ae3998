public import LockstepEmulation
@_exported public import LockstepPrimitives
internal import LockstepTokens
internal import Synchronization

/// A server like Google's token endpoint for service accounts.
///
/// The server exchanges signed grants for access tokens (RFC 7523), and rejects all other grants.
public final class GrantServer: Emulator {
    /// The name `grants`.
    public static let provider = "grants"
    /// The route `/token`.
    public let router: Router
    /// The file of a service account, in the format of Google's console.
    public let file: Secret

    private struct State {
        var grants = 0
        var isWithdrawn = false
    }

    private final class Book: Sendable {
        let state = Mutex(State())
    }

    private let book = Book()

    /// The key of a service account.
    ///
    /// The key never changes. Several servers may share one key.
    public struct Key: Sendable {
        let signing: SigningKey

        /// Creates a key.
        ///
        /// Creating a key takes 50 to 300 ms.
        ///
        /// - Throws: The error that occurred when the key was created.
        public init() throws { signing = try .makeRSA(id: "key-1") }
    }

    /// The lifetime of the access tokens.
    public static let life = Duration.seconds(3599)

    /// Creates an endpoint for one service account.
    ///
    /// - Parameters:
    ///   - project: The name of the project.
    ///   - environment: The services that the server uses.
    /// - Throws: The error that occurred when the file of the service account was created.
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

    /// The number of grants that the server has accepted.
    public var grants: Int { book.state.withLock { $0.grants } }

    /// Deletes the key.
    ///
    /// The server then rejects grants that the key has signed.
    public func withdraw() { book.state.withLock { $0.isWithdrawn = true } }

    /// Makes the key valid again, and sets the number of grants to zero.
    public func reset() { book.state.withLock { $0 = State() } }
}
