/// One check of a token, with its verdict and the reason; see ``SessionVerifier/checks(of:)``.
public struct TokenCheck: Sendable, Hashable {
    /// The subject of a check.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// Three parts in base64url, and JSON objects for header and claims.
        case format
        /// The signature by a key of the backend, and its algorithm.
        case signature
        /// The claim `iss`.
        case issuer
        /// The claim `aud`.
        case audience
        /// The claims `exp`, `nbf` and `iat`.
        case times
        /// The claims that every token of the backend has.
        case claims
        /// Further rules of the backend, such as Firebase's tenant and Clerk's web pages.
        case backend
        /// The session at the backend.
        case session
    }

    /// The result of a check.
    public enum Verdict: String, Sendable, Hashable {
        /// The token satisfies the rule.
        case passed
        /// The token breaks the rule.
        case failed
        /// The check could not be done.
        case unknown
    }

    /// The subject.
    public let subject: Subject
    /// The verdict.
    public let verdict: Verdict
    /// The reason, in one or two sentences.
    ///
    /// It names claims and issuers, but never contains the token or its signature.
    public let reason: String

    init(_ subject: Subject, _ verdict: Verdict, _ reason: String) {
        self.subject = subject
        self.verdict = verdict
        self.reason = reason
    }

    /// A check that a token has not passed: by its own fault, or because keys or backend could not be asked.
    init(_ subject: Subject, _ error: TokenError) {
        self.init(subject, error.isTransient ? .unknown : .failed, error.message)
    }
}
