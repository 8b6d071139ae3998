internal import LockstepPrimitives

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
