/// Whether the same call may be tried again.
public enum RetryAdvice: Sendable, Hashable {
    /// The same call will fail again.
    case never
    /// The same call may succeed at once.
    case now
    /// The same call may succeed after this time.
    case after(Duration)
}
