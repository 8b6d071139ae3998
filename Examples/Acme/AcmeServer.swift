import LockstepContracts
import LockstepEmulatorTestSupport
import LockstepWire
import Synchronization

/// Acme, the backend of docs/writing-an-adapter.md, over real sockets.
///
/// Its users sign in with a password or with a code from a mail. A code also verifies the address of a sign-up.
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
        router.on("POST", "/passwords") { [self] request in .json(try signUp(try request.json())) }
        router.on("POST", "/passwords/check") { [self] request in .json(try check(try request.json())) }
        router.on("POST", "/codes") { [self] request in .json(try sendCode(try request.json())) }
        router.on("POST", "/pages") { [self] request in .json(try exchange(try request.json())) }
        router.on("POST", "/sessions") { [self] request in .json(try open(try request.json())) }
        router.on("POST", "/sessions/renew") { [self] request in .json(try renew(try request.json()["refresh"]?.string ?? "")) }
        router.on("GET", "/me") { [self] request in .json(try user(of: request.bearer ?? "")) }
        router.on("DELETE", "/sessions") { [self] request in .json(try close(request.bearer ?? "")) }
        router.failed = { error, _ in
            let refusal = error as? AcmeRefusal ?? AcmeRefusal("bad_request", 400)
            var body: JSONObject = ["error": .string(refusal.code), "message": "Acme refuses this."]
            if !refusal.weak.isEmpty { body["weak"] = .array(refusal.weak.map { .string($0) }) }
            let response = EmulatorResponse.json(.object(body), status: refusal.status)
            return refusal.wait.map { response.with("Retry-After", "\($0.components.seconds)") } ?? response
        }
        return router
    }

    func reset() { records.withLock { $0 = AcmeRecords() } }

    // MARK: Routes

    /// Creates an account with a password, and sends the code that verifies its address.
    ///
    /// Before that, somebody else can sign up with the address again. A code gives the account the password of its own sign-up.
    private func signUp(_ body: JSON) throws -> JSON {
        let (email, password) = (try Self.address(in: body), body["password"]?.string ?? "")
        let weak = Self.weaknesses(of: password)
        guard weak.isEmpty else { throw AcmeRefusal("weak_password", 422, weak: weak) }
        return try records.withLock { records in
            guard !records.isWithoutPasswords else { throw AcmeRefusal("not_enabled", 403) }
            let known = records.users.first { $0.email.bytes == email.bytes }
            guard known?.isVerified != true else { throw AcmeRefusal("address_taken", 409) }
            let answer = try send(to: email, mayCreate: true, password: password, &records)
            var user = known ?? AcmeRecords.User(id: "user_" + randomness.text(16), email: email)
            user.password = password
            user.name = body["name"]?.string ?? user.name
            records.store(user)
            return answer
        }
    }

    /// Opens a session for a password, or sends a code if the address is not verified yet.
    private func check(_ body: JSON) throws -> JSON {
        let (email, password) = (try Self.address(in: body), body["password"]?.string ?? "")
        return try records.withLock { records in
            guard !records.isWithoutPasswords else { throw AcmeRefusal("not_enabled", 403) }
            let user = records.users.first { $0.email.bytes == email.bytes && $0.password?.bytes == password.bytes }
            guard let user else { throw AcmeRefusal("wrong_password", 401) }
            guard !user.isBlocked else { throw AcmeRefusal("blocked", 403) }
            guard user.isVerified else { return try send(to: email, mayCreate: false, password: password, &records) }
            return openSession(of: user, &records)
        }
    }

    /// Sends a code, also as a newer one for the flow of an earlier handle.
    private func sendCode(_ body: JSON) throws -> JSON {
        let (email, handle) = (try Self.address(in: body), body["handle"]?.string)
        return try records.withLock { records in
            let earlier = records.codes.first { $0.handle.bytes == handle?.bytes && $0.email.bytes == email.bytes }
            return try send(to: email, mayCreate: body["create"] == true, password: earlier?.password, &records)
        }
    }

    /// An unknown address that must not become an account gets the same response and no code.
    private func send(to email: String, mayCreate: Bool, password: String?, _ records: inout AcmeRecords) throws -> JSON {
        let now = clock.now
        if let last = records.codes.last(where: { $0.email.bytes == email.bytes })?.sentAt, now < last + Self.interval {
            throw AcmeRefusal("too_soon", 429, wait: last + Self.interval - now)
        }
        let code = AcmeRecords.Code(
            handle: randomness.text(24), email: email, text: randomness.text(6, of: "0123456789"), sentAt: now,
            mayCreate: mayCreate, password: password)
        if mayCreate || records.users.contains(where: { $0.email.bytes == email.bytes }) {
            let text = "\(code.text) signs you in."
            do { try surroundings.outbox.mail(to: email, subject: "Your code", text: text, code: code.text) } catch {
                throw AcmeRefusal("mail_failed", 502)
            }
        }
        records.codes.append(code)
        return [
            "handle": .string(code.handle), "expires_in": .int(Self.codeLife.components.seconds),
            "resend_in": .int(Self.interval.components.seconds),
        ]
    }

    /// Accepts a code and opens a session.
    ///
    /// An older code of the same address is valid until it expires, too.
    private func open(_ body: JSON) throws -> JSON {
        let (handle, text, now) = (body["handle"]?.string, body["code"]?.string, clock.now)
        return try records.withLock { records in
            guard let asked = records.codes.first(where: { $0.handle.bytes == handle?.bytes }) else {
                throw AcmeRefusal("handle_gone", 404)
            }
            let place = records.codes.lastIndex { $0.email.bytes == asked.email.bytes && $0.text.bytes == text?.bytes }
            guard let place else { throw AcmeRefusal("wrong_code", 422) }
            guard !records.codes[place].isUsed, now < records.codes[place].sentAt + Self.codeLife else {
                throw AcmeRefusal("code_gone", 410)
            }
            let known = records.users.first { $0.email.bytes == asked.email.bytes }
            guard known != nil || asked.mayCreate else { throw AcmeRefusal("wrong_code", 422) }
            records.codes[place].isUsed = true
            var user = known ?? AcmeRecords.User(id: "user_" + randomness.text(16), email: asked.email)
            guard !user.isBlocked else { throw AcmeRefusal("blocked", 403) }
            // The password of an unverified account may be a stranger's.
            if !user.isVerified { user.password = asked.password }
            user.isVerified = true
            records.store(user)
            return openSession(of: user, &records)
        }
    }

    /// What a person does on the page of the identity provider: returns the code for the app's callback.
    func consent(_ challenge: String, as subject: IdentitySubject) -> String {
        let grant = AcmeRecords.Grant(code: randomness.text(32), challenge: challenge, subject: subject, consentedAt: clock.now)
        change { $0.grants.append(grant) }
        return grant.code
    }

    /// Opens a session for the code of a page, if the client has the verifier of the page's challenge.
    private func exchange(_ body: JSON) throws -> JSON {
        let (code, verifier, now) = (body["code"]?.string, Secret(body["verifier"]?.string ?? ""), clock.now)
        return try records.withLock { records in
            let place = records.grants.firstIndex { $0.code.bytes == code?.bytes && now < $0.consentedAt + Self.codeLife }
            guard let place else { throw AcmeRefusal("page_gone", 410) }
            let grant = records.grants[place]
            guard grant.challenge.bytes == ProofKey.challenge(of: verifier).bytes else {
                throw AcmeRefusal("wrong_verifier", 403)
            }
            records.grants.remove(at: place)
            guard let email = grant.subject.email?.lowercased(), grant.subject.isEmailVerified else {
                throw AcmeRefusal("unverified_identity", 403)
            }
            let known = records.users.first { $0.subject?.bytes == grant.subject.id.bytes }
            var user =
                known ?? records.users.first { $0.email.bytes == email.bytes }
                ?? AcmeRecords.User(id: "user_" + randomness.text(16), email: email, name: grant.subject.name)
            guard !user.isBlocked else { throw AcmeRefusal("blocked", 403) }
            // As after a code: the password of an unverified account may be a stranger's.
            if !user.isVerified { user.password = nil }
            user.isVerified = true
            user.subject = grant.subject.id
            records.store(user)
            return openSession(of: user, &records)
        }
    }

    private func openSession(of user: AcmeRecords.User, _ records: inout AcmeRecords) -> JSON {
        let session = AcmeRecords.Session(
            userID: user.id, access: randomness.text(40), end: clock.now + Self.tokenLife, refresh: randomness.text(40))
        records.sessions.append(session)
        return Self.answer(session, of: user)
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

    private static func address(in body: JSON) throws -> String {
        guard let email = body["email"]?.string?.lowercased(), email.contains("@") else { throw AcmeRefusal("bad_address", 422) }
        return email
    }

    /// Acme's words for what is wrong with a password.
    private static func weaknesses(of password: String) -> [String] {
        let length = password.utf8.count
        return length < 8 ? ["too_short"] : length > 256 ? ["too_long"] : []
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
            "identities": user.subject.map { JSON.array([["id": .string($0), "provider": "google"]]) } ?? [],
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
