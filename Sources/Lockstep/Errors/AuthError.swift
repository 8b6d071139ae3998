public import LockstepPrimitives

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
    /// Why a password was refused, in one vocabulary for all providers: ``passwordReasons``.
    ///
    /// They are `length` (too short), `tooLong`, `characters` (other kinds of them are needed), and `pwned` (in a list of stolen
    /// ones). The provider's own words are in ``provider``.
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

/// Whether the same call may be tried again.
public enum RetryAdvice: Sendable, Hashable {
    /// The same call will fail again.
    case never
    /// The same call may succeed at once.
    case now
    /// The same call may succeed after this time; in an ``AuthError`` it is from zero to ``longest``.
    case after(Duration)

    /// The longest time that an app is asked to wait, even where the backend asks for more: a day.
    ///
    /// A screen shows this time and a program sleeps for it, so a number that a server made up must not decide how long that is.
    public static let longest: Duration = .seconds(24 * 3600)

    /// The same advice within its bounds.
    var bounded: RetryAdvice {
        if case .after(let time) = self { .after(time.clamped(to: .zero...Self.longest)) } else { self }
    }
}

extension AuthError {
    /// Whether the backend itself rejected the call, so that the same call fails again.
    ///
    /// A refusal that another server gave (`invalidResponse`) advises no retry either, but says nothing about the account.
    package var isVerdict: Bool { retry == .never && code != .invalidResponse }
}

/// A way to recover from an error, as data for a screen.
public enum Remedy: Sendable, Hashable {
    /// Sign in first.
    case signIn
    /// Turn the guest into a full user by linking a credential.
    case linkAnonymousUser
    /// Give the proof that this challenge asks for.
    case verify(Challenge)
    /// Begin the flow again on this device.
    case startAgain
    /// Ask for the message again.
    case resend
    /// Type the code of the same message.
    case enterCode
    /// Enter the address that the message was sent to.
    case confirmEmail
    /// Give a second factor.
    case secondFactor
    /// Sign in again with one of these, then repeat the call.
    case reauthenticate([Capability])
    /// Choose another password.
    case choosePassword
    /// Give a token of the captcha that the backend's project has; a call that begins a flow leads to a step that takes it.
    case captcha
}

/// The provider's own error.
public struct ProviderDetail: Sendable, Hashable, CustomStringConvertible {
    /// The provider's own code, as it stood on the wire.
    public var code: String?
    /// The HTTP status.
    public var status: Int?
    /// The provider's own sentence.
    public var message: String?
    /// The answer's body, secrets already taken out by the adapter.
    public var body: JSON?

    /// A detail of its own.
    public init(code: String? = nil, status: Int? = nil, message: String? = nil, body: JSON? = nil) {
        self.code = code
        self.status = status
        self.message = message
        self.body = body
    }

    /// Status and code, without the body.
    public var description: String {
        [status.map(String.init), code].compactMap { $0 }.joined(separator: " ")
    }
}

extension AuthError {
    /// The reasons for which a password is refused: every adapter gives these and no others.
    public static let passwordReasons: Set<String> = ["length", "tooLong", "characters", "pwned"]

    /// There is no session.
    static let notSignedIn = AuthError(.notSignedIn, "No user is signed in.", remedies: [.signIn])

    /// The session of this call's user is not the one on this device any more.
    static let anotherUser = AuthError(
        .notSignedIn, "Another user has signed in on this device, in another process. Look at the state before going on.")

    /// A result of an older flow, which is rejected.
    static let flowOvertaken = AuthError(
        .flowAbandoned, "A newer flow or a sign-out came before this answer, which changes nothing.")

    /// The store failed; the session is unchanged.
    static func unavailable(_ error: StoreError) -> AuthError {
        guard error.code != .busy else {
            return AuthError(
                .timedOut,
                "Another process, or another call, has been busy with the stored session for as long as this call may wait.",
                retry: .now, underlying: error)
        }
        return AuthError(.storeUnavailable, error.message, retry: .now, underlying: error)
    }

    /// Signed out in memory, but not in the store.
    static func notRemoved(_ error: StoreError) -> AuthError {
        AuthError(
            .storeUnavailable,
            "The session is gone from memory and could not be removed from the store (\(error.message)). "
                + "That is tried again while the app runs; sign out again before it ends.",
            retry: .now, underlying: error)
    }
}
