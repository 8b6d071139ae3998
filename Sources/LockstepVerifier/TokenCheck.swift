/// One check of a token, with its verdict and the reason.
///
/// ``SessionVerifier/checks(of:)`` returns these checks.
///
/// ```swift
/// let checks = await verifier.checks(of: token)
/// print(checks.map { "\($0.subject): \($0.verdict)" })
/// ```
public struct TokenCheck: Sendable, Hashable {
    /// The part of a token that a check examines.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// The format: three parts in URL-safe base64, and JSON objects for the header and the claims.
        case format
        /// The signature and its algorithm. The signature must be made with a key of the backend.
        case signature
        /// The claim `iss`.
        case issuer
        /// The claim `aud`.
        case audience
        /// The claims `exp`, `nbf` and `iat`.
        case times
        /// The claims that every token of the backend must have.
        case claims
        /// Further rules of the backend, such as the tenant on Firebase or the web page on Clerk.
        case backend
        /// The session. The verifier asks the backend about it.
        case session
    }

    /// The result of a check.
    public enum Verdict: String, Sendable, Hashable {
        /// The token satisfies the rule.
        case passed
        /// The token breaks the rule.
        case failed
        /// The verifier could not do the check.
        case unknown
    }

    /// The part of the token that the check examined.
    public let subject: Subject
    /// The result of the check.
    public let verdict: Verdict
    /// The reason for the verdict, in one or two sentences.
    ///
    /// The text names claims and issuers, but never contains the token or its signature.
    public let reason: String

    package init(_ subject: Subject, _ verdict: Verdict, _ reason: String) {
        self.subject = subject
        self.verdict = verdict
        self.reason = reason
    }

    /// Creates a check that did not pass.
    ///
    /// Either the token broke a rule, or the keys or the backend could not be reached.
    init(_ subject: Subject, _ error: TokenError) {
        self.init(subject, error.isTransient ? .unknown : .failed, error.message)
    }
}
