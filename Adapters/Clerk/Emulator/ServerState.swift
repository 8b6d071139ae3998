internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// The state that all requests share: one Clerk instance with its settings, its keys and its tables.
final class ServerState: EmulatorState {

    let environment: EmulationEnvironment
    let database: Database
    /// The key that signs the instance's tokens: passed in, stored with the data, or created in the background.
    let signingKey: Prepared<SigningKey>
    /// `sk_test_…`, the key of the Backend API.
    let secretKey: Secret
    /// `pk_test_…`, which contains the address of the Frontend API.
    let publishableKey: String
    let gate: RateGate
    /// The keys of the identity providers that are used over OpenID Connect.
    let issuerKeys = IssuerKeys()
    /// `whsec_…`, which signs events for the webhook.
    let webhookSecret: Secret
    private let keys: SigningKeyStore
    private let webhooks: EventQueue<EventRecord>
    /// The settings, which a reset restores.
    let settingsStore: SettingsStore<ClerkSettings>

    /// The address of both APIs.
    var base: String { environment.base }

    /// The suffix of the names of cookies, so that one site can have cookies of several instances.
    ///
    /// It is the start of a digest of the publishable key (`getCookieSuffix` of @clerk/shared).
    var cookieSuffix: String { String(Base64.encode(HashFunction.sha1.digest(publishableKey), .url).prefix(8)) }

    /// The settings as they are now.
    var settings: ClerkSettings { settingsStore.current }

    /// Changes settings, starting with the next request.
    func change(_ body: (inout ClerkSettings) -> Void) { settingsStore.change(body) }

    init(_ settings: ClerkSettings, in environment: EmulationEnvironment, signingKey: SigningKey?) throws {
        let database = try Database("clerk", in: environment.storage, .clerk)
        self.environment = environment
        self.database = database
        let keys = SigningKeyStore(database, table: "instance")
        self.keys = keys
        gate = RateGate(environment.clock)
        settingsStore = SettingsStore(settings)
        let host = environment.base.pieces(at: "/").last.map(String.init) ?? ""
        publishableKey = "pk_test_" + Base64.encode("\(host)$".utf8)
        let randomness = environment.keyRandomness
        let id = IDGenerator(randomness: environment.randomness).make(.instance, at: environment.now)
        let made = try keys.text("secret_key") { "sk_test_" + randomness.text(42, of: Self.letters) }
        secretKey = settings.secretKey ?? Secret(made)
        webhookSecret = Secret(try keys.text("webhook_secret") { "whsec_" + Base64.encode(randomness.bytes(24)) })
        webhooks = EventQueue(database, in: environment, attempts: EventRecord.attempts)
        let kid = try keys.text("key_id") { id }
        self.signingKey = try keys.signingKey("signing_key", given: signingKey, id: kid, on: environment.workers) {
            try SigningKey.makeRSA(id: kid)
        }
    }

    /// Starts to send queued events, if there is a webhook.
    func sendEvents() {
        let settings = settings
        guard let address = settings.webhookURL else { return }
        let secret = settings.webhookSecret ?? webhookSecret
        Task { [webhooks, environment] in await webhooks.send { $0.request(to: address, secret: secret, in: environment) } }
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// Deletes all rows except the keys, in the transaction of the caller.
    func deleteRows(_ connection: inout SQLiteConnection) throws { try keys.deleteOthers(&connection) }

    /// Returns the response to an error: a Clerk error has its own trace id, and any other error is an internal one.
    func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse {
        response(to: error as? ClerkError ?? .internalError)
    }

    func response(to error: ClerkError) -> EmulatorResponse {
        error.response(trace: environment.randomness.text(32, of: "0123456789abcdef"))
    }

    /// Deletes everything but the keys.
    func reset() throws {
        try keys.eraseOthers()
        settingsStore.reset()
        gate.reset()
        issuerKeys.reset()
    }

    /// The additional time for which an ended session is kept, because the Backend API lists the sessions of the last
    /// weeks.
    private static let sessionHistory = Duration.seconds(29 * 86_400)

    /// Removes attempts, links, nonces and unverified passkeys that ended before `end`.
    ///
    /// Also removes replaced client tokens, unused pictures, and sessions, tickets and unsent events that are a month
    /// old.
    ///
    /// Invitations stay, because the Backend API lists them.
    func removeExpired(before end: Instant) throws {
        let history = end - Self.sessionHistory
        let retired = end - settings.clientTokenGrace
        try database.write { db in
            try db.run("DELETE FROM nonces WHERE expire_at < \(end)")
            try db.run("DELETE FROM links WHERE expire_at < \(end)")
            try db.run("DELETE FROM sign_ins WHERE abandon_at < \(end)")
            try db.run("DELETE FROM sign_ups WHERE abandon_at < \(end)")
            try db.run("DELETE FROM client_tokens WHERE retired_at < \(retired)")
            try db.run("DELETE FROM passkeys WHERE credential_id IS NULL AND created_at < \(end)")
            try db.run("DELETE FROM events WHERE created_at < \(history)")
            try db.run(
                """
                DELETE FROM images WHERE
                NOT EXISTS (SELECT 1 FROM users WHERE substr(image_url, -length(images.id)) = images.id)
                AND NOT EXISTS (SELECT 1 FROM organizations WHERE substr(image_url, -length(images.id)) = images.id)
                """)
            try db.run(
                "DELETE FROM tickets WHERE kind NOT IN ('invitation', 'organization_invitation') AND expire_at < \(history)")
            try db.run(
                """
                DELETE FROM sessions WHERE expire_at < \(history) OR abandon_at < \(history)
                OR status NOT IN ('active', 'pending') AND updated_at < \(history)
                """)
        }
    }
}
