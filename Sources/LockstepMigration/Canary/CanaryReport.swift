/// Whether temporary users could sign in on the target as expected.
public struct CanaryReport: Sendable, Hashable {
    /// A claim about a sign-in, and whether it is true.
    public struct Check: Sendable, Hashable {
        /// The claim, such as "a user with a hash of the kind fbscrypt 14/8 signs in".
        public let claim: String
        /// The kind of hash in the claim; `nil` for a flag.
        public let hashKind: String?
        /// What happened instead; `nil` if the claim is true.
        public let failure: String?
    }

    /// The claims in the order in which they were tried.
    public var checks: [Check] = []
    /// The kinds of hashes that could not be tested, each with the reason.
    public var unproven: [String: String] = [:]

    /// Whether all claims are true.
    public var isSuccess: Bool { checks.allSatisfy { $0.failure == nil } }

    /// Returns whether the target accepts a kind of hash, according to a sign-in.
    ///
    /// - Parameter kind: The kind of hash.
    /// - Returns: Whether the sign-in succeeded; `nil` if no sign-in with this kind of hash was tried.
    public func proves(_ kind: String) -> Bool? {
        let checks = checks.filter { $0.hashKind == kind }
        return checks.isEmpty ? nil : checks.allSatisfy { $0.failure == nil }
    }
}
