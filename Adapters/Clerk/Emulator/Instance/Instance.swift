internal import LockstepEmulation
internal import LockstepPasswords
import LockstepPrimitives
internal import LockstepTokens
internal import Synchronization

/// One Clerk instance: its settings, its keys and its state.
final class Instance: Sendable {
    let environment: EmulationEnvironment
    /// The key that signs the instance's tokens: given in, kept with the data, or made in the background.
    let signingKey: Prepared<SigningKey>
    /// `sk_test_…`, which opens the Backend API.
    let secretKey: Secret
    /// `pk_test_…`, which names the address of the Frontend API.
    let publishableKey: String

    let gate: RateGate
    private let database: Database
    private let current: Mutex<ClerkSettings>
    private let initial: ClerkSettings

    /// The address of both APIs.
    var base: String { environment.base }
    var randomness: any Randomness { environment.randomness }

    /// The current settings; the admin API may change them while the instance runs.
    var settings: ClerkSettings {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    init(_ settings: ClerkSettings, in environment: EmulationEnvironment, signingKey: SigningKey?) throws {
        let database = try Database("clerk", in: environment.storage, schema: Schema.steps)
        self.environment = environment
        self.database = database
        gate = RateGate(environment.clock)
        initial = settings
        current = Mutex(settings)
        let host = environment.base.split(separator: "/").last.map(String.init) ?? ""
        publishableKey = "pk_test_" + Base64.encode("\(host)$".utf8)
        let randomness = environment.randomness
        let id = IdentifierMint(randomness: randomness).make(.instance, at: environment.now)
        let values = InstanceValues(database: database)
        secretKey = Secret(try values.value("secret_key") { "sk_test_" + randomness.text(42, of: Self.letters) })
        let kid = try values.value("key_id") { id }
        let keepsKey = environment.storage != .memory
        self.signingKey = Prepared(signingKey, on: environment.workers) {
            if keepsKey, let pem = try values.find("signing_key") { return try SigningKey(pem: pem, id: kid) }
            let key = try SigningKey.makeRSA(id: kid)
            guard keepsKey, let pem = try key.pem() else { return key }
            return try SigningKey(pem: try values.value("signing_key") { pem.reveal() }, id: kid)
        }
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// A refusal that keeps its changes is returned as a failure, after the commit. Messages are sent just before it: where
    /// sending fails, the transaction is rolled back.
    func transact<Value: Sendable>(
        answers: [DeferredWork: DeferredWorkResult] = [:], _ body: (Exchange) throws -> Value
    ) throws -> Result<Value, ClerkError> {
        let settings = settings
        let now = environment.now
        return try database.write { connection in
            try Store.using(&connection) { store in
                let exchange = Exchange(store: store, instance: self, settings: settings, now: now, answers: answers)
                do {
                    let value = try body(exchange)
                    try self.send(exchange.messages)
                    return .success(value)
                } catch let refusal as ClerkError where refusal.keepsChanges {
                    return .failure(refusal)
                }
            }
        }
    }

    /// Runs the deferred work of a handler.
    func run(_ deferredWork: DeferredWork) async throws -> DeferredWorkResult {
        let randomness = environment.randomness
        let cost = settings.usesCheapHashes ? PasswordCost.least : .real
        switch deferredWork {
        case .makeKey:
            _ = try await signingKey.value
            return .done
        case .hash(let password):
            environment.passwordWork.add()
            return try await environment.workers.run {
                let hash = try PasswordHasher.bcrypt(cost, randomness: randomness).hash(password)
                return .digest(hash.clerkDigest?.digest ?? hash.text)
            }
        case .compare(let password, let digest, let hasher):
            environment.passwordWork.add()
            return try await environment.workers.run {
                let hash = try? PasswordHash(clerkDigest: digest, hasher: ClerkHasher(rawValue: hasher))
                return .verdict((try? hash?.verify(password)) ?? false)
            }
        case .inspect(let digest, let hasher):
            return .verdict((try? PasswordHash(clerkDigest: digest, hasher: ClerkHasher(rawValue: hasher))) != nil)
        }
    }

    /// Deletes everything but the keys.
    func reset() throws {
        let values = InstanceValues(database: database)
        let kept = try values.all()
        try database.erase()
        for (name, value) in kept { _ = try values.value(name) { value } }
        settings = initial
        gate.reset()
    }

    /// Removes rows that no answer depends on any more.
    func removeExpired(before end: Instant) throws {
        let grace = settings.clientTokenGrace
        try database.write { connection in
            try Store.using(&connection) { store in try store.removeExpired(before: end, tokenGrace: grace) }
        }
    }

    private func send(_ messages: [OutgoingMessage]) throws {
        for message in messages {
            do {
                switch message {
                case .email(let address, let subject, let text, let code, let link):
                    try environment.outbox.mail(to: address, subject: subject, text: text, code: code, link: link)
                case .sms(let number, let text, let code):
                    try environment.outbox.text(to: number, text, code: code)
                }
            } catch {
                throw ClerkError.notSent(message)
            }
        }
    }
}
