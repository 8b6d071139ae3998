/// How an e-mail address is proven.
public enum EmailProof: String, Sendable, Hashable, CaseIterable {
    /// Six digits.
    case code = "email_code"
    /// A link that is opened while the app polls.
    case link = "email_link"
}
