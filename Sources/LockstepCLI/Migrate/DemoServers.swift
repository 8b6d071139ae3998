import LockstepContracts
import LockstepCurl
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepMigration
import LockstepPrimitives

/// The servers of a rehearsal: two emulators and a Google identity provider.
struct DemoServers: Sendable {
    let source: any DemoEnd
    let target: any DemoEnd
    private let provider: EmulatorServer<IssuerServer>
    private let issuer: TokenIssuer

    /// The rows of a side; `nil` if the demo uses only the APIs.
    var rows: DemoRows? { target.rows ?? source.rows }

    /// Starts the servers.
    ///
    /// - `rows`: The database of the side that has one; `nil` to use only the APIs.
    init(from origin: MoveProvider, to destination: MoveProvider, rows: DemoRows?) throws {
        let keys = try TokenIssuer.Keys()
        provider = try IssuerServer.start(publishing: keys.published)
        let google = DemoProvider(issuer: provider.base, keys: keys.published)
        do {
            source = try origin.startDemo(google, rows)
        } catch {
            provider.stop()
            throw error
        }
        do {
            target = try destination.startDemo(google, rows)
        } catch {
            source.server.stop()
            provider.stop()
            throw error
        }
        issuer = TokenIssuer(.google, issuer: provider.base, audience: DemoProvider.app, keys: keys, clock: SystemClock())
    }

    func stop() {
        source.server.stop()
        target.server.stop()
        provider.stop()
    }

    /// Returns the id of a plain user on the source; plain users follow the unusual ones.
    func plainID(_ number: Int) -> String { source.id(of: Self.plainName(number)) }

    /// Returns the name of a plain user.
    static func plainName(_ number: Int) -> String { "plain-\(String(number + 1_000_000).dropFirst())" }

    /// Returns the address of a plain user.
    static func plainEmail(_ number: Int) -> String { "user\(number)@example.com" }

    /// Fills the source with the unusual users, and with plain users for the rest.
    ///
    /// - Returns: The reasons why users were rejected.
    func fill(users: Int) async throws -> [String] {
        let odd = source.oddUsers
        let plain = (0..<max(users - odd.count, 0)).map { number in
            OddUser(named: Self.plainName(number), email: Self.plainEmail(number), name: "User \(number)")
        }
        return try await source.fill(odd + plain)
    }

    /// Creates new users on the source.
    func add(_ count: Int) async throws -> [String] {
        try await source.fill((0..<count).map { OddUser(named: "new-\($0)", email: "new\($0)@example.com") })
    }

    /// The result of a sign-in on the target.
    enum SignIn: Sendable, Equatable {
        case session
        case refused(AuthError.Code)
        /// The sign-in asks for more, such as a verified address.
        case asksForMore
    }

    /// Signs in on the target with the old password, in the same way as an app.
    func signIn(_ email: String) async throws -> SignIn {
        let client = try client()
        do throws(AuthError) {
            let step = try await client.signIn(with: .password(email: email, password: OddUser.password))
            return step.session == nil ? .asksForMore : .session
        } catch {
            return .refused(error.code)
        }
    }

    /// Signs in on the target with Google, in the same way as an app.
    ///
    /// The result is the id of the signed-in user; `nil` if nobody is signed in.
    ///
    /// - `email`: The verified address that Google has for the user now.
    func signInWithGoogle(_ user: OddUser, email: String?) async throws -> String? {
        let subject = IdentitySubject(id: source.subject(of: user, at: .google), email: email, name: user.displayName)
        let token = try await issuer.idToken(for: subject, flaw: nil)
        let client = try client()
        do throws(AuthError) {
            return try await client.signIn(with: .idToken(.google, token: token)).session?.user.id
        } catch {
            return nil
        }
    }

    private func client() throws -> AuthClient {
        let clock = SystemClock()
        return AuthClient(
            adapter: try target.adapter(), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }
}
