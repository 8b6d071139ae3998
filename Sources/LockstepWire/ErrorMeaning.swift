public import Lockstep

/// The portable meaning of a provider's code: a row of an adapter's error table.
public struct ErrorMeaning: Sendable {
    /// The portable code.
    public let code: AuthError.Code
    /// One or two sentences for a developer: what was wrong and what to do.
    public let sentence: String
    /// Whether trying the same call again can help.
    public let retry: RetryAdvice
    /// What can be done about it, the most direct way first.
    public let remedies: [Remedy]

    /// A row.
    public init(_ code: AuthError.Code, _ sentence: String, retry: RetryAdvice = .never, _ remedies: [Remedy] = []) {
        self.code = code
        self.sentence = sentence
        self.retry = retry
        self.remedies = remedies
    }
}
