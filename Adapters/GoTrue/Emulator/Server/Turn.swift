internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives

/// One run of a handler: the request, the time, the results of deferred work, and the mails to send after success.
struct Turn {
    let core: Core
    let request: EmulatorRequest
    let now: Instant
    /// The results of earlier runs for the same request.
    var memory: Memory
    /// Mails that wait for the end of the transaction.
    var letters: [Letter] = []
    /// The caller, once the bearer is checked.
    var caller: Caller?
    /// Headers of the answer, also of a refusal.
    var notes: [(name: String, value: String)] = []

    /// The state kept between runs.
    struct Memory: Sendable {
        var results: [DeferredWork: DeferredWork.Result] = [:]
        var codes: [String: String] = [:]
        /// A request counts once for a limit, however often its handler runs.
        var isCounted = false
        var isMailCounted = false
        var isMessageCounted = false
        let ids = IDSequence()
    }

    var settings: GoTrueSettings { core.settings }
    var randomness: any Randomness { core.environment.randomness }

    func uuid() -> String { memory.ids.next(randomness) }

    /// The audience in which users are looked up.
    var audience: String {
        if let asked = request.headers["X-JWT-AUD"], !asked.isEmpty { return asked }
        if let own = caller?.claims.audience, !own.isEmpty { return own }
        return settings.tokens.audience
    }

    /// The target of links.
    var target: String { core.redirects.target(of: request) }

    func result(of deferredWork: DeferredWork) throws -> DeferredWork.Result {
        guard let result = memory.results[deferredWork] else { throw NeedsDeferredWork(deferredWork: deferredWork) }
        return result
    }

    /// A new hash of a password.
    func hash(_ password: String) throws -> String {
        guard case .text(let hash) = try result(of: .hash(password: Secret(password))) else { throw GoTrueError.panic }
        return hash
    }

    func isRight(_ password: String, for hash: String) throws -> Bool {
        guard hash != Self.unknownPassword else {
            try spendPassword()
            return false
        }
        guard case .flag(let isRight) = try result(of: .verify(password: Secret(password), hash: hash)) else { return false }
        return isRight
    }

    /// Takes as long as a comparison, so that the time of a refusal does not show that there is no hash.
    func spendPassword() throws { _ = try result(of: .hash(password: "no password of a user")) }

    /// Stands for the hash of an unknown password: the real server creates a random one and hashes it.
    static let unknownPassword = "*"

    /// A code of digits; the same one in every run, as a hook may have sent it already.
    mutating func code(_ purpose: String, length: Int) -> String {
        if let code = memory.codes[purpose] { return code }
        let code = randomness.text(length, of: "0123456789")
        memory.codes[purpose] = code
        return code
    }
}
