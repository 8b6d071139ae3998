import LockstepContracts
import LockstepEmulatorTestSupport
import Synchronization

/// Acme, the backend of docs/writing-an-adapter.md, over real sockets.
///
/// Its users sign in with a code from a mail.
///
/// It implements the protocol a second time, and shares no type with the adapter.
final class AcmeServer: Emulator {
    static let provider = "acme"

    /// The lifetime of a code, and the interval between two requests for one.
    private static let (codeLife, interval) = (Duration.seconds(600), Duration.seconds(60))
    /// The lifetime of an access token.
    private static let tokenLife = Duration.seconds(900)

    private let records = Mutex(AcmeRecords())
    private let surroundings: EmulationEnvironment
    private var clock: ManualClock { surroundings.clock }
    private var randomness: any Randomness { surroundings.randomness }

    init(in surroundings: EmulationEnvironment) { self.surroundings = surroundings }

    /// A server without users, whose clock stands still until a test moves it.
    static func start() throws -> EmulatorServer<AcmeServer> {
        var options = EmulatorOptions()
        options.clock = ManualClock(base: FixedClock())
        return try EmulatorServer(options) { AcmeServer(in: $0) }
    }

    var router: Router {
        var router = Router()
        router.on("POST", "/codes") { [self] request in .json(try sendCode(try request.json())) }
        router.on("POST", "/sessions") { [self] request in .json(try open(try request.json())) }
        router.on("POST", "/sessions/renew") { [self] request in .json(try renew(try request.json()["refresh"]?.string ?? "")) }
        router.on("GET", "/me") { [self] request in .json(try user(of: request.bearer ?? "")) }
        router.on("DELETE", "/sessions") { [self] request in .json(try close(request.bearer ?? "")) }
        router.failed = { error, _ in
            let refusal = error as? AcmeRefusal ?? AcmeRefusal("bad_request", 400)
            let response = EmulatorResponse.json(
                ["error": .string(refusal.code), "message": "Acme refuses this."], status: refusal.status)
            return refusal.wait.map { response.with("Retry-After", "\($0.components.seconds)") } ?? response
        }
        return router
    }

    func reset() { records.withLock { $0 = AcmeRecords() } }

    // MARK: Routes

    /// Sends a code.
    ///
    /// An unknown address that must not become an account gets the same response and no code.
    private func sendCode(_ body: JSON) throws -> JSON {
        guard let email = body["email"]?.string?.lowercased(), email.contains("@") else { throw AcmeRefusal("bad_address", 422) }
        let (now, mayCreate) = (clock.now, body["create"] == true)
        let sent = AcmeRecords.Code(
            handle: randomness.text(24), email: email, text: randomness.text(6, of: "0123456789"), sentAt: now,
            mayCreate: mayCreate)
        let isMailed = try records.withLock { records in
            if let last = records.codes.last(where: { $0.email.bytes == email.bytes })?.sentAt, now < last + Self.interval {
                throw AcmeRefusal("too_soon", 429, wait: last + Self.interval - now)
            }
            records.codes.append(sent)
            return mayCreate || records.users.contains { $0.email.bytes == email.bytes }
        }
        if isMailed {
            let text = "\(sent.text) signs you in."
            do { try surroundings.outbox.mail(to: email, subject: "Your code", text: text, code: sent.text) } catch {
                throw AcmeRefusal("mail_failed", 502)
            }
        }
        return [
            "handle": .string(sent.handle), "expires_in": .int(Self.codeLife.components.seconds),
            "resend_in": .int(Self.interval.components.seconds),
        ]
    }

    /// Accepts a code and opens a session.
    ///
    /// An older code of the same address is valid until it expires, too.
    private func open(_ body: JSON) throws -> JSON {
        let (handle, text, now) = (body["handle"]?.string, body["code"]?.string, clock.now)
        return try records.withLock { records in
            guard let asked = records.codes.first(where: { $0.handle.bytes == handle?.bytes }),
                let place = records.codes.lastIndex(where: { $0.email.bytes == asked.email.bytes && $0.text.bytes == text?.bytes }
                )
            else { throw AcmeRefusal("wrong_code", 422) }
            guard !records.codes[place].isUsed, now < records.codes[place].sentAt + Self.codeLife else {
                throw AcmeRefusal("code_gone", 410)
            }
            let known = records.users.first { $0.email.bytes == asked.email.bytes }
            guard known != nil || asked.mayCreate else { throw AcmeRefusal("wrong_code", 422) }
            records.codes[place].isUsed = true
            var user = known ?? AcmeRecords.User(id: "user_" + randomness.text(16), email: asked.email)
            guard !user.isBlocked else { throw AcmeRefusal("blocked", 403) }
            user.isVerified = true
            records.users.removeAll { $0.id == user.id }
            records.users.append(user)
            let session = AcmeRecords.Session(
                userID: user.id, access: randomness.text(40), end: now + Self.tokenLife, refresh: randomness.text(40))
            records.sessions.append(session)
            return Self.answer(session, of: user)
        }
    }

    /// Returns new tokens for a refresh token, which works once.
    private func renew(_ refresh: String) throws -> JSON {
        let now = clock.now
        return try records.withLock { records in
            let place = records.sessions.firstIndex { $0.refresh.bytes == refresh.bytes || $0.used.contains(refresh.bytes) }
            guard let place, !records.sessions[place].isOver else { throw AcmeRefusal("refresh_dead", 401) }
            let user = records.users.first { $0.id == records.sessions[place].userID }
            guard let user else { throw AcmeRefusal("user_gone", 401) }
            guard !user.isBlocked else { throw AcmeRefusal("blocked", 403) }
            guard records.sessions[place].refresh.bytes == refresh.bytes else { throw AcmeRefusal("refresh_used", 401) }
            records.sessions[place].used.insert(refresh.bytes)
            records.sessions[place].access = randomness.text(40)
            records.sessions[place].end = now + Self.tokenLife
            records.sessions[place].refresh = randomness.text(40)
            return Self.answer(records.sessions[place], of: user)
        }
    }

    private func user(of access: String) throws -> JSON {
        let now = clock.now
        return try records.withLock { records in Self.answer(try records.owner(of: access, at: now).user) }
    }

    private func close(_ access: String) throws -> JSON {
        let now = clock.now
        try records.withLock { records in
            let place = try records.owner(of: access, at: now).session
            records.sessions[place].isOver = true
        }
        return ["ended": true]
    }

    private static func answer(_ session: AcmeRecords.Session, of user: AcmeRecords.User) -> JSON {
        [
            "access": .string(session.access), "refresh": .string(session.refresh),
            "expires_in": .int(tokenLife.components.seconds), "user": answer(user),
        ]
    }

    private static func answer(_ user: AcmeRecords.User) -> JSON {
        [
            "id": .string(user.id), "email": .string(user.email), "email_verified": .bool(user.isVerified),
            "name": user.name.map { .string($0) } ?? .null,
        ]
    }

    // MARK: For administrators

    /// Reads or changes the stored state.
    func change<Value: Sendable>(_ body: (inout AcmeRecords) throws -> Value) rethrows -> Value {
        try records.withLock { records throws in try body(&records) }
    }

    /// Whether a session has this refresh token and could be renewed with it.
    func takes(refresh: String) -> Bool {
        change { records in
            records.sessions.contains { session in
                session.refresh.bytes == refresh.bytes && !session.isOver
                    && records.users.contains { $0.id == session.userID && !$0.isBlocked }
            }
        }
    }

    /// Whether `GET /me` accepts this access token.
    func takes(access: String) -> Bool { (try? user(of: access)) != nil }
}

/// The stored state of Acme.
struct AcmeRecords: Sendable {
    struct User: Sendable {
        var id: String
        var email: String
        var name: String?
        /// Whether a code that was sent to the address was used.
        var isVerified = false
        var isBlocked = false
    }

    struct Code: Sendable {
        var handle: String
        var email: String
        var text: String
        var sentAt: Instant
        /// Whether it creates an account for an unknown address.
        var mayCreate: Bool
        var isUsed = false
    }

    struct Session: Sendable {
        var userID: String
        var access: String
        var end: Instant
        var refresh: String
        var used: Set<[UInt8]> = []
        var isOver = false
    }

    var users: [User] = []
    var codes: [Code] = []
    var sessions: [Session] = []

    /// The user of a valid access token, and the index of its session.
    fileprivate func owner(of access: String, at now: Instant) throws -> (user: User, session: Int) {
        guard let place = sessions.firstIndex(where: { $0.access.bytes == access.bytes && !$0.isOver && now < $0.end }),
            let user = users.first(where: { $0.id == sessions[place].userID }), !user.isBlocked
        else { throw AcmeRefusal("token_dead", 401) }
        return (user, place)
    }
}

/// An error in Acme's format.
struct AcmeRefusal: Error {
    let code: String
    let status: Int
    var wait: Duration?

    init(_ code: String, _ status: Int, wait: Duration? = nil) {
        self.code = code
        self.status = status
        self.wait = wait
    }
}

extension String {
    /// A server compares what clients send by bytes: `==` also accepts another spelling of the same letter.
    fileprivate var bytes: [UInt8] { Array(utf8) }
}
