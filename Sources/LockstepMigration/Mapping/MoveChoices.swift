public import LockstepPrimitives

/// What the operator decides about users who cannot move as they are.
public struct MoveChoices: Sendable, Hashable {
    /// What becomes of users of a kind.
    public enum Verdict: String, Sendable, CaseIterable {
        /// They are left out, and the plan is still complete.
        case skip
        /// They are left out, and the plan names them as refused.
        case refuse
    }

    /// What becomes of second factors that the target cannot get.
    public enum Factors: String, Sendable, CaseIterable {
        /// Their users are refused.
        case refuse
        /// Their users move without them.
        case drop
        /// Their users move without them and without the password: each proves the address or the identity first.
        case withoutPassword
    }

    /// What becomes of users who have no way to sign in at the target.
    public enum WithoutWayIn: String, Sendable, CaseIterable {
        /// They are refused.
        case refuse
        /// They are made, and an administrator lets them in.
        case create
    }

    /// What becomes of guests.
    public var guests: Verdict
    /// What becomes of second factors.
    public var factors: Factors
    /// What becomes of users without a way to sign in.
    public var withoutWayIn: WithoutWayIn
    /// A known account of the source, whose hash is verified before anything is written; `nil` for none.
    public var probe: Probe?

    /// A known account of the source.
    public struct Probe: Sendable, Hashable {
        /// Its address.
        public var email: String
        /// Its password.
        public var password: Secret

        /// An account.
        public init(email: String, password: Secret) {
            self.email = email
            self.password = password
        }
    }

    /// Choices.
    ///
    /// - Parameters:
    ///   - guests: What becomes of guests.
    ///   - factors: What becomes of second factors.
    ///   - withoutWayIn: What becomes of users without a way to sign in.
    ///   - probe: A known account of the source.
    public init(
        guests: Verdict = .refuse, factors: Factors = .refuse, withoutWayIn: WithoutWayIn = .refuse, probe: Probe? = nil
    ) {
        self.guests = guests
        self.factors = factors
        self.withoutWayIn = withoutWayIn
        self.probe = probe
    }
}
