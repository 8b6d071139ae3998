public import LockstepPrimitives

/// The operator's decisions about users who cannot be moved unchanged.
public struct MoveChoices: Sendable, Hashable {
    /// A choice for one kind of users.
    public enum Verdict: String, Sendable, CaseIterable {
        /// The users are left out.
        ///
        /// The plan has no error because of them.
        case skip
        /// The users are left out, and the plan lists them as rejected.
        case refuse
    }

    /// The choice for anonymous users.
    public enum AnonymousUsers: String, Sendable, CaseIterable {
        /// The users are left out.
        ///
        /// The plan has no error because of them.
        case skip
        /// The users are left out, and the plan lists them as rejected.
        case refuse
        /// The users are created, unless the target has no anonymous users.
        ///
        /// Their data keeps its owner, but nobody can sign in as one of them: the app's session is the only way, and it ends.
        case create
    }

    /// The choice for users with second factors that cannot be moved.
    public enum Factors: String, Sendable, CaseIterable {
        /// The users are rejected.
        case refuse
        /// The users are moved without their second factors.
        case drop
        /// The users are moved without their second factors and without their passwords.
        ///
        /// Each of them must first verify the address, or sign in with an identity provider.
        case withoutPassword
    }

    /// The choice for users who could not sign in on the target.
    public enum WithoutWayIn: String, Sendable, CaseIterable {
        /// The users are rejected.
        case refuse
        /// The users are created.
        ///
        /// An administrator must then help them to sign in.
        case create
    }

    /// The choice for the external ids of an app, if the run needs the field for the ids of the source.
    public enum ExternalIDs: String, Sendable, CaseIterable {
        /// There is no plan as long as the app uses external ids.
        case stop
        /// A new user gets the id of the source as the external id, whatever the app has in this field.
        ///
        /// Users who are already on the target keep their external ids.
        case overwrite
    }

    /// The choice for users with an unverified address.
    public enum UnverifiedAddresses: String, Sendable, CaseIterable {
        /// The users are moved with their passwords, and their addresses stay unverified.
        case keep
        /// The users are moved without their passwords.
        ///
        /// Nobody can then sign in with the password of a stranger who has signed up with somebody's address.
        case withoutPassword
        /// The users are moved with their passwords, and their addresses belong to nobody on the target.
        ///
        /// They cannot sign in with such an address, and its owner can register it. Only a target that otherwise reserves
        /// unverified addresses supports this choice.
        case unclaimed
    }

    /// The choice for users with metadata and claims that are too large for the target.
    public enum LargeData: Sendable, Hashable {
        /// The users are rejected.
        case refuse
        /// The users are moved without this data, which is written to a file of the run.
        case sideFile(_ path: String)
    }

    /// The choice for anonymous users.
    public var anonymousUsers: AnonymousUsers
    /// The choice for the users of tenants, whom the source does not list.
    ///
    /// With `refuse`, there is no plan as long as a tenant has users.
    public var tenants = Verdict.refuse
    /// The choice for users with second factors that cannot be moved.
    public var factors: Factors
    /// The choice for users who could not sign in on the target.
    public var withoutWayIn: WithoutWayIn
    /// The choice for users with metadata and claims that are too large for the target.
    public var largeData = LargeData.refuse
    /// The choice for the external ids of an app.
    public var externalIDs = ExternalIDs.stop
    /// The choice for users with an unverified address.
    public var unverifiedAddresses = UnverifiedAddresses.keep
    /// An account on the source with a known password; `nil` for none.
    ///
    /// Before the run writes anything, it checks this password against the hash of the account.
    public var probe: Probe?

    /// An account on the source with a known password.
    public struct Probe: Sendable, Hashable {
        /// The email address of the account.
        public var email: String
        /// The password of the account.
        public var password: Secret

        /// Creates the description of an account.
        ///
        /// - Parameters:
        ///   - email: The email address of the account.
        ///   - password: The password of the account.
        public init(email: String, password: Secret) {
            self.email = email
            self.password = password
        }
    }

    /// Creates choices.
    ///
    /// - Parameters:
    ///   - anonymousUsers: The choice for anonymous users.
    ///   - factors: The choice for users with second factors that cannot be moved.
    ///   - withoutWayIn: The choice for users who could not sign in on the target.
    ///   - probe: An account on the source with a known password.
    public init(
        anonymousUsers: AnonymousUsers = .refuse, factors: Factors = .refuse, withoutWayIn: WithoutWayIn = .refuse,
        probe: Probe? = nil
    ) {
        self.anonymousUsers = anonymousUsers
        self.factors = factors
        self.withoutWayIn = withoutWayIn
        self.probe = probe
    }
}
