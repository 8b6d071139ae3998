public import LockstepPrimitives

/// The operator's choices for users who cannot move unchanged.
public struct MoveChoices: Sendable, Hashable {
    /// The treatment of a kind of users.
    public enum Verdict: String, Sendable, CaseIterable {
        /// They are left out, and the plan is still complete.
        case skip
        /// They are left out, and the plan lists them as rejected.
        case refuse
    }

    /// The treatment of second factors that the target cannot import.
    public enum Factors: String, Sendable, CaseIterable {
        /// Their users are rejected.
        case refuse
        /// Their users move without them.
        case drop
        /// Their users move without them and without the password. Each user must first verify the address or the identity.
        case withoutPassword
    }

    /// The treatment of users who cannot sign in on the target.
    public enum WithoutWayIn: String, Sendable, CaseIterable {
        /// They are rejected.
        case refuse
        /// They are created, and an administrator lets them in.
        case create
    }

    /// The treatment of claims and user data that exceed the target's limit.
    public enum LargeData: Sendable, Hashable {
        /// Their users are rejected.
        case refuse
        /// Their users move without them, and the data goes into a file of the run.
        case sideFile(_ path: String)
    }

    /// The treatment of anonymous users.
    public var anonymousUsers: Verdict
    /// The treatment of second factors.
    public var factors: Factors
    /// The treatment of users who cannot sign in.
    public var withoutWayIn: WithoutWayIn
    /// The treatment of data that exceeds the target's limit.
    public var largeData = LargeData.refuse
    /// A known account of the source.
    ///
    /// Its hash is verified before anything is written; `nil` for none.
    public var probe: Probe?

    /// A known account of the source.
    public struct Probe: Sendable, Hashable {
        /// Its address.
        public var email: String
        /// Its password.
        public var password: Secret

        /// Creates an account.
        public init(email: String, password: Secret) {
            self.email = email
            self.password = password
        }
    }

    /// Creates choices.
    ///
    /// - Parameters:
    ///   - anonymousUsers: The treatment of anonymous users.
    ///   - factors: The treatment of second factors.
    ///   - withoutWayIn: The treatment of users who cannot sign in.
    ///   - probe: A known account of the source.
    public init(
        anonymousUsers: Verdict = .refuse, factors: Factors = .refuse, withoutWayIn: WithoutWayIn = .refuse,
        probe: Probe? = nil
    ) {
        self.anonymousUsers = anonymousUsers
        self.factors = factors
        self.withoutWayIn = withoutWayIn
        self.probe = probe
    }
}
