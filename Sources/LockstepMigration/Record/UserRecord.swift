internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// A user as the target has it, or shall have it: the values that are compared.
///
/// Texts are compared byte by byte, times in milliseconds. What the target sets itself and what a sign-in changes is left out.
struct UserRecord: Sendable, Hashable {
    let members: JSONObject

    /// The record of a user who is to be made.
    init(_ user: NewDirectoryUser, at target: MoveTarget) {
        var hash: Secret?
        if case .hash(let text) = user.password { hash = text }
        members = Self.members(
            id: user.id, email: user.email, isEmailConfirmed: user.isEmailConfirmed, phone: user.phone,
            isPhoneConfirmed: user.isPhoneConfirmed, name: user.displayName, photo: user.photoURL, isDisabled: user.isDisabled,
            userData: user.userMetadata, claims: user.appMetadata, target
        ).merged(with: Self.rows(hash, user.createdAt, user.providerIdentities, user.factors, user.isAnonymous, target))
    }

    /// The record of a user who was read.
    init(_ user: DirectoryUser, at target: MoveTarget) {
        members = Self.members(
            id: user.id, email: user.email, isEmailConfirmed: user.isEmailConfirmed, phone: user.phone,
            isPhoneConfirmed: user.isPhoneConfirmed, name: user.displayName, photo: user.photoURL,
            isDisabled: user.isDisabled, userData: user.userMetadata, claims: user.appMetadata, target
        ).merged(
            with: Self.rows(
                user.passwordHash, user.createdAt, user.providerIdentities, user.factors, user.isAnonymous, target))
    }

    /// What only some targets store and return.
    private static func rows(
        _ hash: Secret?, _ createdAt: Instant?, _ identities: [DirectoryIdentity], _ factors: [DirectoryFactor], _ isGuest: Bool,
        _ target: MoveTarget
    ) -> JSONObject {
        var members: JSONObject = [:]
        let features = target.directory.features
        if target.returnsHashes { members["password"] = .string(hash?.reveal() ?? "") }
        if features.contains(.creationTimes), let createdAt { members["created"] = .int(createdAt.milliseconds) }
        if features.contains(.identities) {
            members["identities"] = .array(
                identities.map { "\($0.provider.rawValue) \($0.subject)" }.sorted().map(JSON.string))
        }
        if features.contains(.factors) {
            members["second factors"] = .array(factors.compactMap(\.comparable).sorted().map(JSON.string))
        }
        if isGuest { members["guest"] = true }
        return members
    }

    private static func members(
        id: String?, email: String?, isEmailConfirmed: Bool, phone: String?, isPhoneConfirmed: Bool, name: String?,
        photo: String?,
        isDisabled: Bool, userData: JSONObject, claims: JSONObject, _ target: MoveTarget
    ) -> JSONObject {
        var members: JSONObject = ["disabled": .bool(isDisabled)]
        members["id"] = id.map(JSON.string)
        if let email {
            members["address"] = .string(email.lowercased())
            members["address verified"] = .bool(isEmailConfirmed)
        }
        if let phone {
            members["number"] = .string(phone.comparableNumber)
            members["number verified"] = .bool(isPhoneConfirmed)
        }
        members["name"] = name.map(JSON.string)
        members["photo"] = photo.map(JSON.string)
        members["user data"] = .object(userData.without(target.ownUserData))
        members["claims"] = .object(claims.without(target.ownClaims))
        return members
    }

    /// Returns the names of the values that differ.
    func differences(from other: UserRecord) -> [String] {
        var names = members.names
        for name in other.members.names where !names.contains(name) { names.append(name) }
        return names.filter { members[$0]?.canonical.bytes() != other.members[$0]?.canonical.bytes() }.sorted()
    }
}

extension DirectoryFactor {
    /// The factor as factors are compared; `nil` for one that no directory writes.
    fileprivate var comparable: String? {
        switch kind {
        case .authenticatorApp(let secret): "app \(secret?.reveal() ?? "") \(isVerified)"
        case .phone(let number): "number \(number.comparableNumber) \(isVerified)"
        case .passkey, .backupCodes, .other: nil
        }
    }
}

extension JSONObject {
    /// Returns the members with those of another object.
    fileprivate func merged(with other: JSONObject) -> JSONObject {
        var members = self
        for (name, value) in other { members[name] = value }
        return members
    }

    /// Returns the members without those of the given names.
    func without(_ names: Set<String>) -> JSONObject {
        JSONObject(filter { !names.contains($0.name) }.map { ($0.name, $0.value) })
    }
}
