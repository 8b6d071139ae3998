internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives
internal import Synchronization

/// The state that all endpoints share.
final class Core: Sendable {
    private let initial: GoTrueSettings
    private let current: Mutex<GoTrueSettings>
    /// The settings as they are now.
    var settings: GoTrueSettings { current.withLock { $0 } }
    let environment: EmulationEnvironment
    let database: Database
    let keys: TokenKeys
    let redirects: RedirectRules
    let limits: CallerLimits
    let hasher: PasswordHasher
    let issuerKeys = IssuerKeys()
    let verifiedTokens = VerifiedTokens()
    /// The address in links and tokens.
    let base: String

    init(settings: GoTrueSettings, environment: EmulationEnvironment) throws {
        initial = settings
        current = Mutex(settings)
        self.environment = environment
        base = settings.externalURL ?? environment.base
        database = try Database("gotrue", in: environment.storage, schema: Schema.steps)
        keys = try TokenKeys(settings.tokens)
        redirects = RedirectRules(siteURL: settings.siteURL, allowed: settings.allowedRedirects)
        limits = CallerLimits(settings.limits, clock: environment.clock)
        hasher = .bcrypt(settings.passwords.cost, randomness: environment.randomness)
        if !settings.mail.isReachable { environment.outbox.isReachable = false }
    }

    /// Changes settings that every request reads: switches, not keys and addresses.
    func change(_ body: (inout GoTrueSettings) -> Void) {
        current.withLock { body(&$0) }
    }

    /// Restores the initial state.
    func reset() throws {
        change { $0 = initial }
        try database.erase()
        limits.reset()
        issuerKeys.reset()
    }

    /// Runs deferred work; blocks.
    func run(_ deferredWork: DeferredWork) -> DeferredWork.Result {
        switch deferredWork {
        case .hash(let password):
            environment.passwordWork.add()
            guard let hash = try? hasher.hash(password), let text = hash.goTrueText else { return .impossible }
            return .text(text)
        case .verify(let password, let hash):
            environment.passwordWork.add()
            guard let hash = try? PasswordHash(goTrue: hash) else { return .flag(false) }
            return .flag((try? hash.verify(password)) ?? false)
        case .send(let request):
            do {
                return .answer(try LoopbackClient.send(request))
            } catch {
                return .failure(error)
            }
        }
    }
}
