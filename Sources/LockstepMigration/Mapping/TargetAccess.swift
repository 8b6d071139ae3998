internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// The way in which a user signs in on the target, and the settings that prevent it.
struct TargetAccess {
    /// The first way that works with the current settings.
    let way: WayIn
    /// The provider on whose page the user signs in.
    let provider: String?
    /// The settings that block the user.
    let obstacles: [MoveObstacle.Key]
    /// The settings that matter to the user.
    let uses: Set<MoveSetting>
    /// Whether the user lacks a value that the target requires.
    let lacksValue: Bool

    /// Finds the way in which a user signs in.
    ///
    /// An open or closed sign-up makes no difference, because an administrator creates the users.
    ///
    /// - Parameters:
    ///   - draft: The user in the form for the target.
    ///   - target: The target.
    ///   - demands: The target's settings. A setting that the target does not return is reported as unknown, not as an obstacle.
    init(of draft: MappingDraft, at target: MoveTarget, _ demands: DirectoryDemands) {
        let new = draft.new
        let hasPassword = new.password != nil
        let providers = Self.providers(of: draft, at: target)
        let open = providers.filter { demands.providers?.contains($0) ?? true }
        var obstacles = providers.filter { !open.contains($0) }.map { MoveObstacle.Key(.providerOff, $0.rawValue) }
        if new.email != nil, demands.email == .off { obstacles.append(.init(.emailOff)) }
        if new.isPhoneConfirmed, demands.phone == .off { obstacles.append(.init(.phoneOff)) }
        if hasPassword, demands.password == .off, demands.email != .off { obstacles.append(.init(.passwordOff)) }
        if let kinds = demands.secondFactors {
            for kind in Set(new.factors.compactMap(\.kind.setting)).subtracting(kinds).sorted(by: { $0.rawValue < $1.rawValue }) {
                obstacles.append(.init(.secondFactorOff, kind.rawValue))
            }
        }
        let missing = Self.missing(new, demands)
        lacksValue = !missing.isEmpty
        self.obstacles = obstacles + missing.map { .init(.valueRequired, $0) }
        uses = Set(
            [
                new.email == nil ? nil : .email, new.isPhoneConfirmed ? .phone : nil, hasPassword ? .password : nil,
                providers.isEmpty ? nil : .providers, new.factors.isEmpty ? nil : .secondFactors,
            ].compactMap(\.self))
        let mail = new.email != nil && new.hasEmailIdentity != false && demands.email != .off
        let password = hasPassword && mail && demands.password != .off
        let needsProof = (target.verifiesFirst || demands.requiresVerifiedEmail == true) && !new.isEmailConfirmed
        if new.isDisabled {
            way = .disabled
        } else if password, !needsProof {
            way = .password
        } else if !open.isEmpty {
            way = .provider
        } else if new.isPhoneConfirmed, demands.phone != .off {
            way = .phoneCode
        } else if password {
            way = .passwordAfterProof
        } else if mail {
            way = draft.lacksHash && demands.password != .off ? .newPassword : .mailLink
        } else {
            way = .none
        }
        provider = way == .provider ? open.first?.rawValue : nil
    }

    /// The providers whose page signs in this user: by the identity, or by the address that both sides know.
    private static func providers(of draft: MappingDraft, at target: MoveTarget) -> [IdentityProvider] {
        var providers: Set<IdentityProvider> = []
        let address = draft.new.email?.comparableAddress
        for identity in draft.user.providerIdentities where target.acceptsProvider(identity.provider) {
            let isWritten = !draft.new.providerIdentities.isEmpty
            let isSameAddress = identity.email.map { $0.comparableAddress == address } ?? true
            let canLink = target.linksByAddress && (draft.new.isEmailConfirmed || target.linksUnverified)
            let isLinked = canLink && address != nil && isSameAddress
            if isWritten || isLinked { providers.insert(identity.provider) }
        }
        return providers.sorted { $0.rawValue < $1.rawValue }
    }

    /// The names of required values that the user lacks.
    private static func missing(_ new: NewDirectoryUser, _ demands: DirectoryDemands) -> [String] {
        let values: [(String, DirectoryDemands.Demand?, Bool)] = [
            ("address", demands.email, new.email != nil), ("number", demands.phone, new.phone != nil),
            ("user name", demands.username, new.username != nil), ("first name", demands.firstName, new.firstName != nil),
            ("last name", demands.lastName, new.lastName != nil),
        ]
        return values.filter { $0.1 == .required && !$0.2 }.map(\.0)
    }
}

extension DirectoryFactor.Kind {
    /// The setting that this kind needs on the target; `nil` for a kind that is never moved.
    fileprivate var setting: DirectoryDemands.SecondFactor? {
        switch self {
        case .authenticatorApp: .authenticatorApp
        case .phone: .phone
        case .passkey, .backupCodes, .other: nil
        }
    }
}
