/// A setting of the target that prevents users from being created or from signing in.
public struct MoveObstacle: Sendable, Hashable {
    /// A kind of obstacle.
    public enum Kind: String, Sendable, CaseIterable {
        case emailOff, phoneOff, passwordOff, providerOff, secondFactorOff, valueRequired, userQuota
    }

    /// An obstacle without its users.
    struct Key: Sendable, Hashable {
        let kind: Kind
        let name: String?

        init(_ kind: Kind, _ name: String? = nil) {
            self.kind = kind
            self.name = name
        }
    }

    /// The kind of the obstacle.
    public let kind: Kind
    /// The subject of the setting: a provider, a second factor, a value or a quota; `nil` if the kind needs no subject.
    public let name: String?
    /// The number of users whom the setting blocks.
    public var users: Int

    init(_ key: Key, users: Int) {
        kind = key.kind
        name = key.name
        self.users = users
    }

    /// A sentence that names the setting and says what to do.
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

/// A setting of the target that decides how users sign in.
public enum MoveSetting: String, Sendable, CaseIterable {
    case email, phone, password, providers
    case secondFactors = "second factors"
    case userQuota = "quota of users"
    case emailLimit = "email limit"

    /// The setting as a part of a sentence.
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
