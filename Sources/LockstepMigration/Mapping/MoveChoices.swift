public import LockstepPrimitives

/// What the operator decides about users who cannot move as they are.
public struct MoveChoices: Sendable, Hashable {
    /// What happens to users of a kind.
    public enum Verdict: String, Sendable, CaseIterable {
        /// They are left out, and the plan is still complete.
        case skip
        /// They are left out, and the plan names them as refused.
        case refuse
    }

    /// What happens to second factors that the target cannot get.
    public enum Factors: String, Sendable, CaseIterable {
        /// Their users are rejected.
        case refuse
        /// Their users move without them.
        case drop
        /// Their users move without them and without the password: each proves the address or the identity first.
        case withoutPassword
    }

    /// What happens to users who have no way to sign in at the target.
    public enum WithoutWayIn: String, Sendable, CaseIterable {
        /// They are rejected.
        case refuse
        /// They are made, and an administrator lets them in.
        case create
    }

    /// What happens to guests.
    public var guests: Verdict
    /// What happens to second factors.
    public var factors: Factors
    /// What happens to users without a way to sign in.
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
    ///   - guests: What happens to guests.
    ///   - factors: What happens to second factors.
    ///   - withoutWayIn: What happens to users without a way to sign in.
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
