/// What the sign-ins of temporary users have shown.
public struct CanaryReport: Sendable, Hashable {
    /// A claim about a sign-in, and whether it holds.
    public struct Check: Sendable, Hashable {
        /// The claim, such as "a user with a hash of the kind fbscrypt 14/8 signs in".
        public let claim: String
        /// The kind of hash that the claim is about; `nil` for a flag.
        public let hashKind: String?
        /// What happened instead; `nil` if the claim holds.
        public let failure: String?
    }

    /// The claims in the order in which they were tried.
    public var checks: [Check] = []
    /// Kinds of hashes that no temporary user could have, with the reason.
    public var unproven: [String: String] = [:]

    /// Whether each claim holds.
    public var isSuccess: Bool { checks.allSatisfy { $0.failure == nil } }

    /// Whether sign-ins have verified a kind of hash; `nil` if none was tried.
    public func proves(_ kind: String) -> Bool? {
        let checks = checks.filter { $0.hashKind == kind }
        return checks.isEmpty ? nil : checks.allSatisfy { $0.failure == nil }
    }
}
