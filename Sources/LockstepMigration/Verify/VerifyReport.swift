/// What a verification has found.
public struct VerifyReport: Sendable, Hashable {
    /// A user who is not as the run wrote it.
    public struct Difference: Sendable, Hashable {
        /// The id at the source.
        public let sourceID: String
        /// The id at the target.
        public let targetID: String
        /// The values that differ; empty if the source has the user no more.
        public let values: [Value]
        /// Whether the source has changed the user since the run carried it over.
        public let isSourceChanged: Bool

        /// The names of the values that differ.
        public var fields: [String] { values.map(\.name) }
    }

    /// A value that differs.
    public struct Value: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// The value that the source asks for; `nil` for none, and for a secret.
        public let source: String?
        /// The value of the target; `nil` for none, and for a secret.
        public let target: String?

        /// Whether the value is a secret, which no report has.
        public var isSecret: Bool { Self.secrets.contains(name) }
        /// Whether the value is, or may have, an address or a number.
        public var isAddress: Bool {
            ["address", "number"].contains(name) || [source, target].contains { $0?.utf8.contains(UInt8(ascii: "@")) == true }
        }

        static let secrets: Set<String> = ["password", "second factors"]
    }

    /// The evidence for a kind of hash.
    public struct HashEvidence: Sendable, Hashable {
        /// The kind and cost, such as "fbscrypt 14/8".
        public let kind: String
        /// How many users of the plan have it.
        public let users: Int
        /// Whether the hashes were read back and compared.
        public let isReadBack: Bool
        /// Whether the sign-in of a temporary user has verified it; `nil` if none was tried.
        public var isProven: Bool?
    }

    /// How many users are as the run wrote them.
    public var verified = 0
    /// Users who are not, the first thousand.
    public var differing: [Difference] = []
    /// How many users are not as the run wrote them.
    public var differingCount = 0
    /// The ids at the source of users who are missing at the target, the first thousand.
    public var missing: [String] = []
    /// How many users are missing at the target.
    public var missingCount = 0
    /// How many users of the plan are not made yet.
    public var open = 0
    /// How many users the target has that the run did not make.
    public var others = 0
    /// The evidence for each kind of hash in the plan.
    public var hashes: [HashEvidence] = []
    /// What sign-ins of temporary users have shown; `nil` if none was tried.
    public var canaries: CanaryReport?

    /// The largest number of users that a report names.
    static let named = 1000

    /// Whether the target is as the run wrote it.
    public var isSuccess: Bool {
        differingCount == 0 && missingCount == 0 && open == 0 && canaries?.isSuccess != false
    }
}
