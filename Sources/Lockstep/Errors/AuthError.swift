public import LockstepPrimitives

/// An error in the same form for every provider.
///
/// Programs use ``code``, ``retry`` and ``remedies``; people read ``message``. A code that this version does not know
/// becomes ``Code/unknown``, and ``provider`` has the provider's own code.
///
/// ```swift
/// do {
///     _ = try await client.signIn(with: .password(email: "ada@example.com", password: "wrong"))
/// } catch {
///     if error.code == .tooManyRequests, case .after(let wait) = error.retry { print("wait for \(wait)") }
///     print(error.message)
/// }
/// ```
public struct AuthError: Error, Sendable {
    /// The kind of failure.
    public var code: Code
    /// One or two sentences for a developer, without secrets: what happened and what to do.
    public var message: String
    /// Whether the same call can succeed if it is repeated.
    ///
    /// A time to wait is between zero and ``RetryAdvice/longest``.
    public var retry: RetryAdvice { didSet { retry = retry.bounded } }
    /// The remedies, the most direct one first; empty if the app can only inform the user.
    public var remedies: [Remedy]
    /// The reasons why a password was rejected, the same for all providers: ``passwordReasons``.
    ///
    /// They are `length` (too short), `tooLong`, `characters` (other kinds of characters are required), and `pwned` (in a
    /// list of stolen passwords). ``provider`` has the provider's own words.
    public var reasons: [String]
    /// The completed parts of a call with several requests, in order.
    ///
    /// Repeating the call continues after them.
    public var completed: [String]
    /// The provider's own error.
    public var provider: ProviderDetail?
    /// The underlying failure of a transport or a store.
    public var underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: One or two sentences for a developer.
    ///   - retry: Whether the same call can succeed if it is repeated. Default: `never`.
    ///   - remedies: The remedies, the most direct one first. Default: none.
    ///   - reasons: The reasons why a password was rejected. Default: none.
    ///   - completed: The completed parts of the call. Default: none.
    ///   - provider: The provider's own error.
    ///   - underlying: The underlying failure of a transport or a store.
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
    /// The code, the message, and the provider's code.
    public var description: String {
        var text = "\(code.rawValue): \(message)"
        if let provider { text += " [\(provider)]" }
        return text
    }
}

extension AuthError {
    /// Returns the error for a capability that the adapter does not support.
    ///
    /// - Parameters:
    ///   - capability: The capability.
    ///   - adapter: The name of the adapter.
    /// - Returns: The error.
    public static func unsupported(_ capability: Capability, by adapter: String) -> AuthError {
        AuthError(
            .unsupported, "\(adapter) cannot do \(capability.rawValue) as it is set up. Ask `capabilities` before offering it.")
    }

    /// The task was cancelled.
    ///
    /// Nothing that is stored has changed.
    public static let cancelled = AuthError(.cancelled, "The task was cancelled.", retry: .now)
}

/// Whether the same call can succeed if it is repeated.
public enum RetryAdvice: Sendable, Hashable {
    /// The same call will fail again.
    case never
    /// The same call may succeed immediately.
    case now
    /// The same call may succeed after this time.
    ///
    /// In an ``AuthError`` it is between zero and ``longest``.
    case after(Duration)

    /// The longest time that an app is asked to wait, even if the backend asks for more: a day.
    ///
    /// A screen shows this time and a program waits for it, so a server must not decide it without a limit.
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

/// A way to recover from an error.
///
/// A screen can offer it.
public enum Remedy: Sendable, Hashable {
    /// Sign in first.
    case signIn
    /// Make the anonymous user permanent by linking a credential.
    case linkAnonymousUser
    /// Complete this verification.
    case verify(Challenge)
    /// Start the flow again on this device.
    case startAgain
    /// Send the message again.
    case resend
    /// Enter the code from the same message.
    case enterCode
    /// Enter the email address that the message was sent to.
    case confirmEmail
    /// Complete a second factor.
    case secondFactor
    /// Sign in again in one of these ways, then repeat the call.
    case reauthenticate([Capability])
    /// Choose another password.
    case choosePassword
    /// Send a token of the captcha that the backend's project uses.
    ///
    /// A call that starts a flow returns a step that accepts the token.
    case captcha
}

/// The provider's own error.
public struct ProviderDetail: Sendable, Hashable, CustomStringConvertible {
    /// The provider's own code, unchanged.
    public var code: String?
    /// The HTTP status.
    public var status: Int?
    /// The provider's own message.
    public var message: String?
    /// The body of the response, without secrets.
    public var body: JSON?

    /// Creates a detail.
    ///
    /// - Parameters:
    ///   - code: The provider's own code.
    ///   - status: The HTTP status.
    ///   - message: The provider's own message.
    ///   - body: The body of the response, without secrets.
    public init(code: String? = nil, status: Int? = nil, message: String? = nil, body: JSON? = nil) {
        self.code = code
        self.status = status
        self.message = message
        self.body = body
    }

    /// The status and the code, without the body.
    public var description: String {
        [status.map(String.init), code].compactMap { $0 }.joined(separator: " ")
    }
}

extension AuthError {
    /// All reasons for a rejected password.
    ///
    /// Adapters return no others.
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
