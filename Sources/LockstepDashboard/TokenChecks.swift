public import LockstepPrimitives

/// The checks of a token that a person pastes, and who makes them.
public struct TokenChecks: Sendable {
    /// The issuers for a sentence, such as "Clerk at http://127.0.0.1:4603".
    let authority: String
    let check: Check

    /// Checks a token, and returns the backend's time and each verdict; `nil` if the token cannot be checked.
    public typealias Check = @Sendable (_ token: Secret) async -> (now: Instant, verdicts: [TokenVerdict])?

    /// Creates checks.
    ///
    /// - Parameters:
    ///   - authority: The issuers for a sentence.
    ///   - check: Makes each check of a token.
    public init(by authority: String, check: @escaping Check) {
        self.authority = authority
        self.check = check
    }
}

/// The verdict of one check of a token.
public struct TokenVerdict: Sendable {
    let subject: String
    let verdict: String
    let reason: String

    /// Creates a verdict.
    ///
    /// - Parameters:
    ///   - subject: The subject, such as `signature`.
    ///   - verdict: `passed`, `failed` or `unknown`.
    ///   - reason: The reason, in one sentence; never the token or its signature.
    public init(subject: String, verdict: String, reason: String) {
        (self.subject, self.verdict, self.reason) = (subject, verdict, reason)
    }
}
