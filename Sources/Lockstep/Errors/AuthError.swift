public import LockstepPrimitives

/// An error of any provider, in a format that is the same for all providers.
///
/// An app uses ``code``, ``retry`` and ``remedies`` to decide what to do. The property ``message`` is for developers.
/// If the provider returns an error that this version does not know, the code is ``Code/unknown``. In that case
/// ``provider`` contains the provider's own code.
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
    /// A time to wait in this advice is always between zero and ``RetryAdvice/longest``.
    public var retry: RetryAdvice { didSet { retry = retry.bounded } }
    /// The ways to recover from the error, the most direct way first.
    ///
    /// The list is empty if the app can only inform the user.
    public var remedies: [Remedy]
    /// The reasons why the backend rejected a password, with the same names for all providers.
    ///
    /// A reason is `length` (the password is too short), `tooLong`, `characters` (other kinds of characters are
    /// required), or `pwned` (the password is in a list of stolen passwords). ``provider`` contains the provider's own
    /// message.
    public var reasons: [String]
    /// The parts of the call that were completed before the error, in order.
    ///
    /// If you repeat the call, it continues after these parts.
    public var completed: [String]
    /// The provider's own error; `nil` if the error does not come from the provider.
    public var provider: ProviderDetail?
    /// The error of the transport or the store that caused this error.
    public var underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: One or two sentences for a developer.
    ///   - retry: Whether the same call can succeed later. Default: `never`.
    ///   - remedies: The ways to recover, the most direct way first. Default: none.
    ///   - reasons: The reasons why the backend rejected a password. Default: none.
    ///   - completed: The parts of the call that were completed before the error. Default: none.
    ///   - provider: The provider's own error. Default: none.
    ///   - underlying: The error of the transport or the store that caused this error. Default: none.
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
    /// Returns the error that a call throws if the adapter does not support a capability.
    ///
    /// - Parameters:
    ///   - capability: The unsupported capability.
    ///   - adapter: The name of the adapter.
    /// - Returns: The error.
    public static func unsupported(_ capability: Capability, by adapter: String) -> AuthError {
        AuthError(
            .unsupported,
            "\(adapter) does not support \(capability.rawValue) in this configuration. Check `capabilities` before you offer it.")
    }

    /// The error that a call throws if its task was cancelled.
    ///
    /// The stored state is unchanged.
    public static let cancelled = AuthError(.cancelled, "The task was cancelled.", retry: .now)
}

/// Advice on whether to repeat a failed call.
///
/// ```swift
/// do {
///     _ = try await client.refreshUser()
/// } catch {
///     if case .after(let wait) = error.retry { try await Task.sleep(for: wait) }
/// }
/// ```
public enum RetryAdvice: Sendable, Hashable {
    /// The same call will fail again.
    case never
    /// The same call may succeed immediately.
    case now
    /// The same call may succeed after this time.
    ///
    /// In an ``AuthError``, the time is between zero and ``longest``.
    case after(Duration)

    /// The longest time in any advice: one day, even if the backend asks for more.
    ///
    /// Apps show this time or wait for it, so a server must not be able to choose any value.
    public static let longest: Duration = .seconds(24 * 3600)

    /// The same advice, with a time between zero and ``longest``.
    var bounded: RetryAdvice {
        if case .after(let time) = self { .after(time.clamped(to: .zero...Self.longest)) } else { self }
    }
}

extension AuthError {
    /// Whether the backend itself rejected the call, so that the same call fails again.
    ///
    /// The error `invalidResponse` comes from another server. It advises no retry either, but says nothing about the
    /// account.
    package var isVerdict: Bool { retry == .never && code != .invalidResponse }
}

/// A way to recover from an error, which a screen can offer to the user.
///
/// ```swift
/// do {
///     try await client.account.delete()
/// } catch {
///     if case .reauthenticate(let ways)? = error.remedies.first { print("sign in again: \(ways)") }
/// }
/// ```
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
    /// Enter the email address to which the backend sent the message.
    case confirmEmail
    /// Sign in with a second factor.
    case secondFactor
    /// Sign in again with one of these methods, then repeat the call.
    case reauthenticate([Capability])
    /// Choose another password.
    case choosePassword
    /// Complete the captcha of the backend's project, and send its token.
    ///
    /// A call that starts a flow returns a step that accepts the token.
    case captcha
}

/// The provider's own error.
///
/// ```swift
/// do {
///     _ = try await client.refreshUser()
/// } catch {
///     print(error.provider?.code ?? "no code", error.provider?.status ?? 0)
/// }
/// ```
public struct ProviderDetail: Sendable, Hashable, CustomStringConvertible {
    /// The provider's own code, unchanged.
    public var code: String?
    /// The HTTP status.
    public var status: Int?
    /// The provider's own message.
    public var message: String?
    /// The body of the response, from which secrets were removed.
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

    /// The status and the code as text, without the message and the body.
    public var description: String {
        [status.map(String.init), code].compactMap { $0 }.joined(separator: " ")
    }
}

extension AuthError {
    /// All reasons that ``reasons`` can contain.
    ///
    /// An adapter returns no other reasons.
    public static let passwordReasons: Set<String> = ["length", "tooLong", "characters", "pwned"]

    /// There is no session.
    static let notSignedIn = AuthError(.notSignedIn, "No user is signed in.", remedies: [.signIn])

    /// The session of the user who made this call is no longer on this device.
    static let anotherUser = AuthError(
        .notSignedIn, "Another user has signed in on this device, in another process. Check the state before you continue.")

    /// The result belongs to an older flow, so the client rejects it.
    static let flowOvertaken = AuthError(
        .flowAbandoned, "A newer flow or a sign-out replaced this flow, so the response was ignored.")

    /// The store failed; the session is unchanged.
    static func unavailable(_ error: StoreError) -> AuthError {
        guard error.code != .busy else {
            return AuthError(
                .timedOut,
                "Another process or another call used the stored session for longer than this call may wait. Try again.",
                retry: .now, underlying: error)
        }
        return AuthError(.storeUnavailable, error.message, retry: .now, underlying: error)
    }

    /// The user is signed out in memory, but the session is still in the store.
    static func notRemoved(_ error: StoreError) -> AuthError {
        AuthError(
            .storeUnavailable,
            "The session was removed from memory, but not from the store (\(error.message)). "
                + "The client tries again while the app runs. Sign out again before the app exits.",
            retry: .now, underlying: error)
    }
}
