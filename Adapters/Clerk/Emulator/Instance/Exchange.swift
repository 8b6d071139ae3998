internal import LockstepEmulation
import LockstepPrimitives
internal import LockstepTokens

/// The context of one request inside one transaction, for every handler.
///
/// It stays on one thread, from the start of the transaction to its end.
final class Exchange {
    let store: Store
    let instance: Instance
    let settings: ClerkSettings
    /// The backend's time, the same for the whole request.
    let now: Instant
    /// Messages to send after the commit.
    var messages: [OutgoingMessage] = []

    private let answers: [DeferredWork: DeferredWorkResult]

    init(
        store: Store, instance: Instance, settings: ClerkSettings, now: Instant, answers: [DeferredWork: DeferredWorkResult] = [:]
    ) {
        self.store = store
        self.instance = instance
        self.settings = settings
        self.now = now
        self.answers = answers
    }

    /// A new id of `kind`.
    func id(_ kind: IdentifierKind) -> String {
        IdentifierMint(randomness: instance.randomness).make(kind, at: now)
    }

    /// 32 random characters.
    func token() -> String {
        instance.randomness.text(32)
    }

    /// Six digits, the same for every test address.
    func code(isTest: Bool) -> String {
        isTest && settings.isTestMode ? "424242" : instance.randomness.text(6, of: "0123456789")
    }

    /// The bcrypt digest of a new password.
    func digest(of password: String) throws -> String {
        let deferredWork = DeferredWork.hash(Secret(password))
        guard case .digest(let digest) = answers[deferredWork] else { throw deferredWork }
        return digest
    }

    /// Whether `password` is the user's; `nil` where there is none.
    func matches(_ password: String, _ user: UserRecord) throws -> Bool? {
        guard let digest = user.passwordDigest, let hasher = user.passwordHasher else { return nil }
        return try verdict(.compare(Secret(password), digest: digest, hasher: hasher))
    }

    /// Whether `digest` is one that `hasher` could have made.
    func isReadable(digest: String, hasher: String) throws -> Bool {
        try verdict(.inspect(digest: digest, hasher: hasher))
    }

    /// Signs claims with the instance's key.
    func sign(_ claims: JSONObject) throws -> String {
        guard let key = instance.signingKey.current else { throw DeferredWork.makeKey }
        return try TokenWriter.sign(claims, with: key)
    }

    private func verdict(_ deferredWork: DeferredWork) throws -> Bool {
        guard case .verdict(let verdict) = answers[deferredWork] else { throw deferredWork }
        return verdict
    }
}
