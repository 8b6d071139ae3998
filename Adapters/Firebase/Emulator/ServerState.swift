internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// The state that all requests share: settings, tables, keys.
final class ServerState: EmulatorState {
    typealias Access = LockstepFirebaseEmulator.Access
    typealias Call = LockstepFirebaseEmulator.Call
    typealias Answer = any HandlerAnswer

    let environment: EmulationEnvironment
    let database: Database
    /// The key that signs tokens in strict mode: passed in, stored with the data, or created in the background.
    let signingKey: Prepared<SigningKey>
    let identityTokens = IdentityTokens()
    let passwords: ProjectPasswords
    /// Constant while the server runs.
    let mode: FirebaseMode
    /// The project of the settings, to which an administrator's calls apply.
    let project: String
    /// The settings, which a reset restores.
    let settingsStore: SettingsStore<FirebaseSettings>
    private let keys: SigningKeyStore
    private let accountEvents: EventQueue<AccountEventRecord>

    init(_ settings: FirebaseSettings, in environment: EmulationEnvironment) throws {
        let database = try Database("firebase", in: environment.storage, .firebase)
        let keys = SigningKeyStore(database, table: "secrets")
        self.environment = environment
        self.database = database
        self.keys = keys
        accountEvents = EventQueue(database, in: environment)
        mode = settings.mode
        project = settings.project
        settingsStore = SettingsStore(settings)
        var hashing = settings.hashing
        let signerKey = try hashing.signerKey ?? keys.text("signer-key") { Base64.encode(environment.randomness.bytes(64)) }
        hashing.signerKey = signerKey
        passwords = try ProjectPasswords(hashing, in: environment)
        try keys.keep(signerKey, as: "signer-key")
        signingKey = try keys.signingKey("signing-key", given: settings.signingKey, on: environment.workers) {
            try FirebaseSettings.makeSigningKey()
        }
    }

    /// The settings as they are now.
    var settings: FirebaseSettings { settingsStore.current }

    /// Changes settings, starting with the next request.
    func change(_ body: (inout FirebaseSettings) -> Void) { settingsStore.change(body) }

    /// Starts creating the signing key, so that the first sign-in does not wait for it.
    func prepare() {
        if mode == .strict { signingKey.prepare() }
    }

    /// Starts to send queued events if the settings contain a functions emulator.
    func sendEvents() {
        let settings = settings
        guard settings.functionsEmulator != nil else { return }
        Task { [accountEvents] in await accountEvents.send { $0.request(within: settings.functionDeadline) } }
    }

    /// Deletes everything except the keys, and restores the initial settings.
    func reset() throws {
        try keys.eraseOthers()
        settingsStore.reset()
    }

    /// Deletes all rows except the keys, in the transaction of the caller.
    func deleteRows(_ connection: inout SQLiteConnection) throws { try keys.deleteOthers(&connection) }

    /// Returns the response to an error: itself if it is an ``APIError``, otherwise an internal failure.
    ///
    /// If the request is for the page of links in emails, the response is a page.
    func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse {
        let refusal = error as? APIError ?? .inside("\(type(of: error)): \(error)")
        return request.path == ActionPageRoutes.path ? ActionPage.refusal(refusal) : refusal.response
    }

    /// Returns the response with the result of a handler.
    func response(with answer: any HandlerAnswer, in context: RequestContext) -> EmulatorResponse { answer.response }
}

extension ServerState {
    /// Removes codes and unfinished sign-ins that ended before `end`; in emulator mode nothing expires by default.
    func removeExpired(before end: Instant) throws {
        let lifetimes = settings.lifetimes
        try database.write { db in
            for kind in [ActionCode.Kind.passwordReset, .verifyEmail, .emailSignIn, .changeEmail, .recoverEmail] {
                guard let life = kind.lifetime(lifetimes) else { continue }
                try db.delete(ActionCode.self, "kind = \(kind.rawValue) AND created_at < \(end - life)")
            }
            if let life = lifetimes.textMessage {
                try db.delete(TextCode.self, "created_at < \(end - life)")
                try db.delete(PhoneProof.self, "created_at < \(end - PhoneNumberService.proofLife)")
            }
            if let life = lifetimes.pendingFactor {
                try db.delete(PendingSignIn.self, "created_at < \(end - life)")
                try db.delete(TimeFactorEnrolment.self, "created_at < \(end - life)")
            }
            try db.delete(PasskeyChallenge.self, "created_at < \(end - PasskeyService.challengeLife)")
        }
    }
}
