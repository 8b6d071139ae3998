internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// A user of the source, and the outcome on the target.
struct MappedUser: Sendable {
    enum Outcome: Sendable, Hashable {
        case create
        case skip(UserReason)
        case refuse(UserReason)
    }

    let outcome: Outcome
    /// The user to create; also set if the outcome is different.
    let new: NewDirectoryUser
    /// Values that the target cannot store, by their names; empty for nearly all users.
    let leftOut: JSONObject
    /// The properties of the user that the plan counts.
    let shape: PlanShape
}

/// The field table: the treatment of each field of a user between two backends.
///
/// It depends on what the target can write, not on a particular backend.
struct Mapping: Sendable {
    let source: MoveSource
    let target: MoveTarget
    let choices: MoveChoices
    private let space: NameUUID
    let features: Set<DirectoryFeature>

    init(from source: MoveSource, to target: MoveTarget, _ choices: MoveChoices) {
        self.source = source
        self.target = target
        self.choices = choices
        space = NameUUID("lockstep:\(source.space)", in: .url)
        features = target.directory.features
    }

    /// Returns the id of a source's user on the target; `nil` if the target makes it.
    func targetID(of id: String) -> String? {
        switch target.ids {
        case .kept: id
        case .uuids: NameUUID(id, in: space).text
        case .assigned: nil
        }
    }

    /// Returns what happens to a user.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - demands: The requirements of the target. It decides how the user signs in there and who is rejected, never what is
    ///     written.
    /// - Returns: The result.
    func map(_ user: DirectoryUser, demands: DirectoryDemands = DirectoryDemands()) -> MappedUser {
        var draft = MappingDraft(source.profile.naming(user))
        draft.new.isAnonymous = user.isAnonymous
        draft.new.id = targetID(of: user.id)
        let keepsID = draft.new.id?.exact == user.id.exact
        draft.add(.id, keepsID ? .kept : .transformed, keepsID ? nil : draft.new.id == nil ? .idIsAssigned : .idIsMade)
        mapNumber(&draft)
        mapAddresses(&draft)
        mapPassword(&draft)
        mapProfile(&draft)
        mapState(&draft)
        mapClaims(&draft)
        mapTimes(&draft)
        mapIdentities(&draft)
        let factorRefusal = mapFactors(&draft)
        mapRest(&draft)
        limitData(&draft)
        noteNumbers(&draft)
        let access = TargetAccess(of: draft, at: target, demands)
        return MappedUser(
            outcome: outcome(of: draft, factorRefusal, access), new: draft.new, leftOut: draft.leftOut,
            shape: PlanShape(
                fields: draft.fields, way: access.way, provider: access.provider, hashKind: draft.hashKind,
                obstacles: access.obstacles, uses: access.uses))
    }

    private func outcome(
        of draft: MappingDraft, _ factorRefusal: UserReason?, _ access: TargetAccess
    ) -> MappedUser.Outcome {
        let user = draft.user
        if user.isAnonymous {
            if choices.anonymousUsers == .skip { return .skip(.anonymousUser) }
            guard choices.anonymousUsers == .create else { return .refuse(.anonymousUser) }
            guard features.contains(.anonymousUsers) else { return .refuse(.anonymousUserNotAccepted) }
        }
        let hasAddress = draft.new.email != nil || draft.new.phone != nil
        if !hasAddress, !user.isAnonymous, target.needsAddressOrNumber || user.providerIdentities.isEmpty {
            return .refuse(.noAddressOrNumber)
        }
        let emails = [draft.new.email].compactMap(\.self) + draft.new.otherEmails.map(\.value)
        if !emails.allSatisfy(target.acceptsAddress) { return .refuse(.addressNotAccepted) }
        if !target.acceptsNUL, draft.new.hasNUL { return .refuse(.valueWithNUL) }
        if choices.factors == .refuse, let factorRefusal { return .refuse(factorRefusal) }
        if choices.largeData == .refuse, draft.exceedsLimit { return .refuse(.dataTooLarge) }
        if access.lacksValue { return .refuse(.valueMissing) }
        if access.way == .none, !user.isAnonymous, choices.withoutWayIn == .refuse { return .refuse(.noWayIn) }
        return .create
    }
}

/// A user during the mapping from the source to the target.
struct MappingDraft {
    let user: DirectoryUser
    var new: NewDirectoryUser
    /// The treatment of each field, in the order of the table.
    var fields: [FieldVerdict] = []
    /// The kind and the cost of the hash that is moved.
    var hashKind: String?
    /// Whether the source has a password that is not moved, and that the user must not keep.
    var lacksHash = false
    /// The values of the user that have no rule of their own.
    var rest: UserFields
    /// Values that the target cannot store, by their names.
    var leftOut: JSONObject = [:]
    /// Whether claims or user data exceed the target's limit.
    var exceedsLimit = false

    init(_ user: DirectoryUser) {
        self.user = user
        rest = user.values
        new = NewDirectoryUser(email: user.email, phone: user.phone)
    }

    mutating func add(_ field: MoveField, _ treatment: FieldTreatment, _ reason: FieldReason? = nil) {
        fields.append(FieldVerdict(field: field, treatment: treatment, reason: reason))
    }

    /// Adds a field that the run cannot write: there is another way of writing to the target, or none.
    mutating func addUnwritten(_ field: MoveField, at target: MoveTarget) {
        let hasWay = target.otherWay != nil
        add(field, hasWay ? .otherWay : .lost, hasWay ? .otherWay : .noPlace)
    }

    /// Leaves out the password.
    mutating func dropPassword(_ reason: FieldReason) {
        guard new.password != nil else { return }
        new.password = nil
        hashKind = nil
        fields.removeAll { $0.field == .password }
        add(.password, .lost, reason)
    }
}

extension NewDirectoryUser {
    /// Whether a text of the user contains a NUL character.
    fileprivate var hasNUL: Bool {
        let texts = [
            self.email, self.phone, self.displayName, self.photoURL, self.username, self.firstName, self.lastName, self.role,
            self.audience, self.externalID,
        ]
        let ofIdentities = providerIdentities.flatMap { identity -> [String?] in
            [identity.subject, identity.provider.rawValue, identity.email, identity.displayName, identity.photoURL]
        }
        let objects = [self.userMetadata, self.appMetadata, self.privateMetadata] + providerIdentities.map(\.data)
        return (texts + ofIdentities + factors.map(\.friendlyName)).contains { $0?.utf8.contains(0) == true }
            || objects.contains { JSON.object($0).hasNUL }
    }
}
