public import Lockstep

/// The adapters to which a contract applies.
///
/// There are no exceptions. If an adapter does not have a capability, it must reject every call that needs the capability.
public enum Applicability: Sendable, Hashable {
    /// Every adapter.
    case every
    /// Adapters that have all of these capabilities.
    case claiming(Set<Capability>)
    /// Adapters that have at least one of these capabilities.
    case claimingAny(Set<Capability>)
    /// Adapters that do not have this capability.
    case notClaiming(Capability)

    /// Returns the value `claiming` with one capability.
    public static func claiming(_ capability: Capability) -> Applicability { .claiming([capability]) }

    /// Returns the reason why a contract does not apply to an adapter.
    ///
    /// - Returns: The reason; `nil` if the contract applies.
    public func excuse(for capabilities: Set<Capability>) -> String? {
        switch self {
        case .every: return nil
        case .claiming(let needed):
            let missing = needed.subtracting(capabilities).map(\.rawValue).sorted()
            return missing.isEmpty ? nil : "does not claim \(missing.joined(separator: ", "))"
        case .claimingAny(let some):
            let names = some.map(\.rawValue).sorted().joined(separator: ", ")
            return some.isDisjoint(with: capabilities) ? "claims none of \(names)" : nil
        case .notClaiming(let capability):
            return capabilities.contains(capability) ? "claims \(capability)" : nil
        }
    }
}

extension Applicability: CustomStringConvertible {
    /// The description that the catalog of contracts shows.
    public var description: String {
        switch self {
        case .every: "every"
        case .claiming(let capabilities): "claims " + capabilities.map(\.rawValue).sorted().joined(separator: ", ")
        case .claimingAny(let capabilities): "claims one of " + capabilities.map(\.rawValue).sorted().joined(separator: ", ")
        case .notClaiming(let capability): "does not claim \(capability)"
        }
    }
}

/// A condition on the behavior of a provider.
///
/// A contract with a condition applies only if the condition is satisfied.
public struct Condition: Sendable {
    /// The condition as a clause, such as "an address must be verified".
    public let sentence: String
    let holds: @Sendable (ProviderBehavior) -> Bool

    /// Creates a condition.
    ///
    /// - Parameters:
    ///   - sentence: The condition as a clause.
    ///   - holds: Returns whether a behavior satisfies the condition.
    public init(_ sentence: String, _ holds: @escaping @Sendable (ProviderBehavior) -> Bool) {
        self.sentence = sentence
        self.holds = holds
    }

    /// Returns whether a behavior satisfies the condition.
    ///
    /// - Parameter behavior: The behavior that the adapter declares.
    /// - Returns: Whether the condition is satisfied.
    public func holds(for behavior: ProviderBehavior) -> Bool { holds(behavior) }

    /// The condition that a sign-out ends the session on the backend.
    public static let sessionsEnd = Condition("a sign-out ends the session on the backend") {
        $0.refreshTokenAfterSignOut != .lives
    }

    /// The condition that the client's own calls contain the access token.
    ///
    /// The backend can then reject such a call because of the token.
    public static let callsShowAccessTokens = Condition("the client's own calls send its access token") {
        $0.tokenOfCalls == .accessToken
    }

    /// The condition that the backend can be asked whether a session has ended.
    public static let backendCanBeAsked = Condition("the backend can be asked about a session") {
        $0.refusedCredential == .asksBackend
    }

    /// The condition that the backend rejects expired access tokens.
    public static let accessTokensEnd = Condition("the backend rejects expired access tokens") {
        $0.accessTokenAfterSignOut != .lives
    }

    /// The condition that a user can have several authenticator apps.
    public static let appsAreSeveral = Condition("a user can have several authenticator apps") {
        $0.authenticatorApps == .several
    }

    /// The condition that a user can have one authenticator app.
    public static let appIsOne = Condition("a user can have one authenticator app") { $0.authenticatorApps == .one }

    /// The condition that users must verify their addresses.
    public static let proofIsRequired = Condition("an address must be verified") { $0.signUpProof == .required }
}

/// A statement about the behavior of a provider.
///
/// A contract checks the statement.
public struct Declaration: Sendable {
    /// The name of the statement, as in `ProviderBehavior.statements`.
    public let name: String

    /// Creates a reference to a statement.
    public init(_ name: String) { self.name = name }

    /// Returns the value of the statement.
    ///
    /// - Parameter behavior: The behavior that the adapter declares.
    /// - Returns: The value; `nil` if the behavior does not contain the statement.
    public func value(in behavior: ProviderBehavior) -> String? { behavior.statements.first { $0.name == name }?.value }
}

/// A control of the environment that a check needs.
public enum Need: String, Sendable, CaseIterable, Comparable {
    /// A backend clock that a check can move.
    case clock
    /// A mailbox that contains the sent messages.
    case mailbox
    /// A browser that opens links.
    case browser
    /// Faults that make requests fail.
    case faults
    /// The API for administrators.
    case administrator
    /// A trace that counts requests.
    case trace
    /// An issuer of ID tokens.
    case issuer
    /// The backend's own time limits for codes and links.
    case proofTimes
    /// A person who uses the page of an identity provider.
    case identityPage
    /// A dialog that creates and uses passkeys.
    case passkeys
    /// The codes of the second factors that users add.
    case authenticators
    /// A factory for other adapters of the provider.
    case factory
    /// The capabilities that the adapter must claim.
    case capabilities

    /// Returns whether one control comes before another in the order of their declaration.
    ///
    /// - Parameters:
    ///   - left: The first control.
    ///   - right: The second control.
    /// - Returns: Whether `left` comes first.
    public static func < (left: Need, right: Need) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }

    func isMet(by environment: TestEnvironment) -> Bool {
        switch self {
        case .clock: environment.backendClock != nil
        case .mailbox: environment.outbox != nil
        case .browser: environment.browser != nil
        case .faults: environment.faults != nil
        case .administrator: environment.administrator != nil
        case .trace: environment.trace != nil
        case .issuer: environment.issuer != nil
        case .proofTimes: environment.proofTimes != nil
        case .identityPage: environment.identityPage != nil
        case .passkeys: environment.passkeys != nil
        case .authenticators: environment.authenticators != nil
        case .factory: environment.factory != nil
        case .capabilities: environment.expectedCapabilities != nil
        }
    }
}
