/// A failure, in the same form for every provider.
///
/// Programs act on ``code``, ``retry`` and ``remedies``; people read ``message``. A code that this version does not know becomes
/// ``Code/unknown`` with the provider's own code kept in ``provider``.
public struct AuthError: Error, Sendable {
    /// What kind of failure it is.
    public var code: Code
    /// One or two sentences for a developer, without secrets: what was wrong and what to do.
    public var message: String
    /// Whether trying the same call again can help; a time to wait is from zero to ``RetryAdvice/longest``.
    public var retry: RetryAdvice { didSet { retry = retry.bounded } }
    /// What can be done about it, the most direct way first; empty where there is nothing but to tell the user.
    public var remedies: [Remedy]
    /// Why a value was refused, where the provider gives reasons (a weak password: `length`, `characters`, `pwned`).
    public var reasons: [String]
    /// The parts of a call of several requests that were done before it failed, in order; repeating the call goes on after them.
    public var completed: [String]
    /// The provider's own error.
    public var provider: ProviderDetail?
    /// The failure underneath, of a transport or a store.
    public var underlying: (any Error)?

    /// An error of its own.
    public init(
        _ code: Code, _ message: String, retry: RetryAdvice = .never, remedies: [Remedy] = [], reasons: [String] = [],
        completed: [String] = [], provider: ProviderDetail? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.retry = retry.bounded
        self.remedies = remedies
        self.reasons = reasons
        self.completed = completed
        self.provider = provider
        self.underlying = underlying
    }
}

extension AuthError: CustomStringConvertible {
    /// The code, the sentence, and what the provider called it.
    public var description: String {
        var text = "\(code.rawValue): \(message)"
        if let provider { text += " [\(provider)]" }
        return text
    }
}

extension AuthError {
    /// The adapter has no way to do this.
    public static func unsupported(_ capability: Capability, by adapter: String) -> AuthError {
        AuthError(
            .unsupported, "\(adapter) cannot do \(capability.rawValue) as it is set up. Ask `capabilities` before offering it.")
    }

    /// The task was cancelled; nothing that is stored has changed.
    public static let cancelled = AuthError(.cancelled, "The task was cancelled.", retry: .now)
}
