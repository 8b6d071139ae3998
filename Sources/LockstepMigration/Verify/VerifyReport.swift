/// The result of comparing the target with what a run has written.
public struct VerifyReport: Sendable, Hashable {
    /// A user who differs from what the run has written.
    public struct Difference: Sendable, Hashable {
        /// The id of the user on the source.
        public let sourceID: String
        /// The id of the user on the target.
        public let targetID: String
        /// The values that differ; empty if the user no longer exists on the source.
        public let values: [Value]
        /// Whether the user was changed on the source after the run had copied the user.
        public let isSourceChanged: Bool

        /// The names of the values that differ.
        public var fields: [String] { values.map(\.name) }
    }

    /// A value of a user that differs.
    public struct Value: Sendable, Hashable {
        /// The name of the value.
        public let name: String
        /// The value on the source; `nil` if the value is missing or secret.
        public let source: String?
        /// The value on the target; `nil` if the value is missing or secret.
        public let target: String?

        /// Whether the value is secret.
        ///
        /// No report contains secret values.
        public var isSecret: Bool { Self.secrets.contains(name) }
        /// Whether the value is, or may contain, an email address or a phone number.
        public var isAddress: Bool {
            ["address", "number", "more addresses", "more numbers", "user name"].contains(name)
                || [source, target].contains { $0?.utf8.contains(UInt8(ascii: "@")) == true }
        }

        static let secrets: Set<String> = ["password", "second factors"]
    }

    /// The checks of one kind of password hash.
    public struct HashEvidence: Sendable, Hashable {
        /// The kind and the cost of the hash, such as "fbscrypt 14/8".
        public let kind: String
        /// The number of planned users with such a hash.
        public let users: Int
        /// Whether the hashes were read from the target and compared.
        public let isReadBack: Bool
        /// Whether a temporary user could sign in with such a hash; `nil` if this was not tested.
        public var isProven: Bool?
    }

    /// The number of users that match what the run has written.
    public var verified = 0
    /// The users that differ, at most a thousand.
    public var differing: [Difference] = []
    /// The number of users that differ.
    public var differingCount = 0
    /// The source ids of users that are missing on the target, at most a thousand.
    public var missing: [String] = []
    /// The number of users that are missing on the target.
    public var missingCount = 0
    /// The number of planned users that the run has not created yet.
    public var open = 0
    /// The number of users on the target that the run did not create.
    public var others = 0
    /// The names of values that were not compared, because the target's directory does not return them.
    public var notCompared: [String] = []
    /// The checks of each kind of password hash in the plan.
    public var hashes: [HashEvidence] = []
    /// The results of the sign-ins of temporary users; `nil` if these were not tested.
    public var canaries: CanaryReport?

    /// The largest number of users that a report names.
    static let named = 1000

    /// Whether the target matches what the run has written.
    public var isSuccess: Bool {
        differingCount == 0 && missingCount == 0 && open == 0 && canaries?.isSuccess != false
    }
}
