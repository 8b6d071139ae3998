/// Whether temporary users could sign in on the target as expected.
public struct CanaryReport: Sendable, Hashable {
    /// The result of a check.
    public enum Result: Sendable, Hashable {
        /// The claim is true.
        case holds
        /// The claim is false; the text says what happened instead.
        case fails(String)
        /// The target did not check a password, so nothing is known; the text says why.
        case notTried(String)
    }

    /// A claim about a sign-in, and whether it is true.
    public struct Check: Sendable, Hashable {
        /// The claim, such as "a user with a hash of the kind fbscrypt 14/8 signs in".
        public let claim: String
        /// The kind of hash in the claim; `nil` for a flag.
        public let hashKind: String?
        /// Whether the claim is true.
        public let result: Result
    }

    /// The claims in the order in which they were tried.
    public var checks: [Check] = []
    /// The kinds of hashes that could not be tested, each with the reason.
    public var unproven: [String: String] = [:]

    /// Whether all claims were tried, and are true.
    public var isSuccess: Bool { checks.allSatisfy { $0.result == .holds } }

    /// Returns whether the target accepts a kind of hash, according to a sign-in.
    ///
    /// - Parameter kind: The kind of hash.
    /// - Returns: Whether the sign-in succeeded; `nil` if no sign-in with this kind of hash was tried.
    public func proves(_ kind: String) -> Bool? {
        let results = checks.filter { $0.hashKind == kind }.map(\.result)
        let isTried = results.allSatisfy { if case .notTried = $0 { false } else { true } }
        return results.isEmpty || !isTried ? nil : results.allSatisfy { $0 == .holds }
    }
}
