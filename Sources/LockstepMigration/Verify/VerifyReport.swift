/// The results of a verification.
public struct VerifyReport: Sendable, Hashable {
    /// A user who differs from what the run wrote.
    public struct Difference: Sendable, Hashable {
        /// The id on the source.
        public let sourceID: String
        /// The id on the target.
        public let targetID: String
        /// The values that differ; empty if the user no longer exists on the source.
        public let values: [Value]
        /// Whether the source has changed the user since the run carried it over.
        public let isSourceChanged: Bool

        /// The names of the values that differ.
        public var fields: [String] { values.map(\.name) }
    }

    /// A value that differs.
    public struct Value: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value from the source; `nil` for none, and for a secret.
        public let source: String?
        /// The value on the target; `nil` for none, and for a secret.
        public let target: String?

        /// Whether the value is a secret, which no report contains.
        public var isSecret: Bool { Self.secrets.contains(name) }
        /// Whether the value is or may contain an address or a number.
        public var isAddress: Bool {
            ["address", "number"].contains(name) || [source, target].contains { $0?.utf8.contains(UInt8(ascii: "@")) == true }
        }

        static let secrets: Set<String> = ["password", "second factors"]
    }

    /// The evidence for a kind of hash.
    public struct HashEvidence: Sendable, Hashable {
        /// The kind and cost, such as "fbscrypt 14/8".
        public let kind: String
        /// The number of users of the plan with this kind.
        public let users: Int
        /// Whether the hashes were read back and compared.
        public let isReadBack: Bool
        /// Whether the sign-in of a temporary user has verified it; `nil` if none was tried.
        public var isProven: Bool?
    }

    /// The number of users that match what the run wrote.
    public var verified = 0
    /// The users that differ, up to a thousand.
    public var differing: [Difference] = []
    /// The number of users that differ.
    public var differingCount = 0
    /// The source ids of users that are missing on the target, up to a thousand.
    public var missing: [String] = []
    /// The number of users that are missing on the target.
    public var missingCount = 0
    /// The number of users of the plan that are not created yet.
    public var open = 0
    /// The number of users on the target that the run did not create.
    public var others = 0
    /// The evidence for each kind of hash in the plan.
    public var hashes: [HashEvidence] = []
    /// The results of the sign-ins of temporary users; `nil` if none was tried.
    public var canaries: CanaryReport?

    /// The largest number of users that a report names.
    static let named = 1000

    /// Whether the target matches what the run wrote.
    public var isSuccess: Bool {
        differingCount == 0 && missingCount == 0 && open == 0 && canaries?.isSuccess != false
    }
}
