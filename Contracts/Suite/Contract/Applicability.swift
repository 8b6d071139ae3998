public import Lockstep

/// The adapters to which a contract applies.
///
/// No adapter is exempt: it must reject every capability that it does not claim.
public enum Applicability: Sendable, Hashable {
    /// Every adapter.
    case every
    /// Adapters that claim all of these.
    case claiming(Set<Capability>)
    /// Adapters that claim at least one of these.
    case claimingAny(Set<Capability>)
    /// Adapters that do not claim this one.
    case notClaiming(Capability)

    /// Adapters that claim this one.
    public static func claiming(_ capability: Capability) -> Applicability { .claiming([capability]) }

    /// Returns why it does not apply to an adapter with these capabilities; `nil` if it applies.
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
    /// The description in the catalog.
    public var description: String {
        switch self {
        case .every: "every"
        case .claiming(let capabilities): "claims " + capabilities.map(\.rawValue).sorted().joined(separator: ", ")
        case .claimingAny(let capabilities): "claims one of " + capabilities.map(\.rawValue).sorted().joined(separator: ", ")
        case .notClaiming(let capability): "does not claim \(capability)"
        }
    }
}

/// A condition on the configuration under which a contract applies.
public struct Condition: Sendable {
    /// The condition in words: "an address has to be verified".
    public let sentence: String
    let holds: @Sendable (ProviderBehavior) -> Bool

    /// Creates a condition on the declared behavior.
    public init(_ sentence: String, _ holds: @escaping @Sendable (ProviderBehavior) -> Bool) {
        self.sentence = sentence
        self.holds = holds
    }

    /// Whether the declared behavior meets the condition.
    public func holds(for behavior: ProviderBehavior) -> Bool { holds(behavior) }

    /// A sign-out is sent to the backend, which ends the session.
    public static let sessionsEnd = Condition("a sign-out ends the session at the backend") {
        $0.refreshTokenAfterSignOut != .lives
    }

    /// The client's own calls send its access token, so they can be rejected because of it.
    public static let callsShowAccessTokens = Condition("the client's own calls show its access token") {
        $0.tokenOfCalls == .accessToken
    }

    /// The backend rejects access tokens after their life.
    public static let accessTokensEnd = Condition("the backend rejects expired access tokens") {
        $0.accessTokenAfterSignOut != .lives
    }

    /// A user can have several authenticator apps.
    public static let appsAreSeveral = Condition("a user can have several authenticator apps") {
        $0.authenticatorApps == .several
    }

    /// A user can have one authenticator app.
    public static let appIsOne = Condition("a user can have one authenticator app") { $0.authenticatorApps == .one }

    /// An address has to be verified.
    public static let proofIsRequired = Condition("an address must be verified") { $0.signUpProof == .required }
}

/// The statement of a provider's behavior that a contract checks.
public struct Declaration: Sendable {
    /// The name of the statement, as in `ProviderBehavior.statements`.
    public let name: String

    /// Creates a declaration from a statement's name.
    public init(_ name: String) { self.name = name }

    /// Returns the declared value.
    public func value(in behavior: ProviderBehavior) -> String? { behavior.statements.first { $0.name == name }?.value }
}

/// A control that a check needs from its environment.
public enum Need: String, Sendable, CaseIterable, Comparable {
    /// The backend's clock can be moved.
    case clock
    /// The messages that were sent can be read.
    case mailbox
    /// Links can be opened.
    case browser
    /// Requests can be made to fail.
    case faults
    /// The administrator's API.
    case administrator
    /// Requests are counted.
    case trace
    /// ID tokens can be issued.
    case issuer
    /// The backend's own limits for codes and links are known.
    case proofTimes
    /// A person can use an identity provider's page.
    case identityPage
    /// Passkeys can be made and used.
    case passkeys
    /// The codes of second factors that users add can be read.
    case authenticators
    /// Other adapters of the provider can be made.
    case factory

    /// Compares in the order of declaration.
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
        }
    }
}
