package import LockstepPrimitives

/// The checks of a token that a person pastes, and the name of the checker.
package struct TokenChecks: Sendable {
    /// The issuers for a sentence, such as "Clerk at http://127.0.0.1:4603".
    let authority: String
    let check: Check

    /// The type of a function that checks a token.
    ///
    /// The function returns the backend's time and a verdict for each check; `nil` if the token cannot
    /// be checked.
    package typealias Check = @Sendable (_ token: Secret) async -> (now: Instant, verdicts: [TokenVerdict])?

    /// Creates checks.
    ///
    /// - Parameters:
    ///   - authority: The name of the checker, as it appears in a sentence.
    ///   - check: A function that checks a token.
    package init(by authority: String, check: @escaping Check) {
        self.authority = authority
        self.check = check
    }
}

/// The result of one check of a token.
package struct TokenVerdict: Sendable {
    let subject: String
    let verdict: String
    let reason: String

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - subject: The checked property, such as `signature`.
    ///   - verdict: `passed`, `failed` or `unknown`.
    ///   - reason: The reason in one sentence. The reason never contains the token or its signature.
    package init(subject: String, verdict: String, reason: String) {
        (self.subject, self.verdict, self.reason) = (subject, verdict, reason)
    }
}
