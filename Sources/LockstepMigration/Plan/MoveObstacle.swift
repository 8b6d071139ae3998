/// A setting of the target that blocks users.
public struct MoveObstacle: Sendable, Hashable {
    /// The kinds of obstacle.
    public enum Kind: String, Sendable, CaseIterable {
        case emailOff, phoneOff, passwordOff, providerOff, secondFactorOff, valueRequired, userQuota
    }

    /// An obstacle apart from its users.
    struct Key: Sendable, Hashable {
        let kind: Kind
        let name: String?

        init(_ kind: Kind, _ name: String? = nil) {
            self.kind = kind
            self.name = name
        }
    }

    /// The kind.
    public let kind: Kind
    /// The provider, the second factor, the value or the quota; `nil` if the kind is sufficient.
    public let name: String?
    /// The number of affected users.
    public var users: Int

    init(_ key: Key, users: Int) {
        kind = key.kind
        name = key.name
        self.users = users
    }

    /// The obstacle and the remedy.
    public var sentence: String {
        let count = PlanSummary.grouped(users) + (users == 1 ? " user" : " users")
        let have = users == 1 ? "has" : "have"
        let name = (name ?? "").visible
        return switch kind {
        case .emailOff: "\(count) \(have) an address, and sign-in by email is off on the target: turn it on."
        case .phoneOff: "\(count) \(have) a number, and sign-in by phone is off on the target: turn it on."
        case .passwordOff: "\(count) \(have) a password, and passwords are off on the target: turn them on."
        case .providerOff: "\(count) \(have) an identity of \(name), which is off on the target: turn it on."
        case .secondFactorOff: "\(count) \(have) a second factor (\(name)) that is off on the target: turn it on."
        case .valueRequired: "\(count) \(have) no \(name), which the target requires: make it optional."
        case .userQuota: "\(count) would exceed the target's quota of \(name) users: raise it."
        }
    }
}

/// A setting of the target that determines how users sign in.
public enum MoveSetting: String, Sendable, CaseIterable {
    case email, phone, password, providers
    case secondFactors = "second factors"
    case userQuota = "quota of users"
    case emailLimit = "email limit"

    /// The setting in words.
    public var sentence: String {
        switch self {
        case .email: "sign-in by email"
        case .phone: "sign-in by phone"
        case .password: "passwords"
        case .providers: "identity providers"
        case .secondFactors: "second factors"
        case .userQuota: "quota of users"
        case .emailLimit: "email limit"
        }
    }
}
