internal import Lockstep
internal import LockstepCrypto
internal import LockstepDirectory
internal import LockstepPrimitives

/// The values of a user that are compared: on the target, or as they should be there.
///
/// Texts are compared byte by byte, times in milliseconds. It does not contain values that the target sets itself, that a
/// sign-in changes, or that the target's directory does not return.
struct UserRecord: Sendable, Hashable {
    let members: JSONObject

    /// The record of a user to create.
    init(_ user: NewDirectoryUser, at target: MoveTarget) {
        let hash: Secret? = if case .hash(let hash) = user.password { hash } else { nil }
        members = Self.members(of: user, hash: hash, hasPassword: user.password != nil, target)
    }

    /// The record of a user who was read.
    init(_ user: DirectoryUser, at target: MoveTarget) {
        var members = Self.members(
            of: NewDirectoryUser(user), hash: user.passwordHash, hasPassword: user.hasPassword, target)
        if !user.irregularities.isEmpty { members["irregular values"] = .array(user.irregularities.map(JSON.string)) }
        self.members = members
    }

    private static func members(
        of user: NewDirectoryUser, hash: Secret?, hasPassword: Bool?, _ target: MoveTarget
    ) -> JSONObject {
        var members: JSONObject = [:]
        if target.ids != .assigned { members["id"] = user.id.map(JSON.string) }
        let values = user.comparableValues(at: target)
        for row in ComparedField.all where row.isReturned(by: target) { members[row.name] = row.json(values) }
        if target.comparable.contains(.identities) {
            members["identities"] = .array(
                user.providerIdentities.map { "\($0.provider.rawValue) \($0.subject)" }
                    .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(JSON.string))
        }
        if !target.comparable.isDisjoint(with: DirectoryFeature.ofFactors) {
            members["second factors"] = .array(
                user.factors.map { $0.comparable(withSecret: target.returnsHashes) }.sorted {
                    $0.utf8.lexicographicallyPrecedes($1.utf8)
                }.map(JSON.string))
        }
        if target.returnsHasPassword { members["has password"] = hasPassword.map(JSON.bool) }
        if target.returnsHashes, let hash {
            members["password"] = .string(Hex.encode(HashFunction.sha256.digest(Array(hash.reveal().utf8))))
        }
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
    /// The factor for comparisons, with only the digest of an app's secret.
    fileprivate func comparable(withSecret: Bool) -> String {
        switch kind {
        case .authenticatorApp(let secret):
            "app \(isVerified) "
                + (secret.map { withSecret ? Hex.encode(HashFunction.sha256.digest(Array($0.reveal().utf8))) : "" } ?? "")
        case .phone(let number): "number \(isVerified) \(number.comparableNumber)"
        case .passkey: "passkey"
        case .backupCodes: "backup codes"
        case .other(let name): "other \(name)"
        }
    }
}

extension JSONObject {
    /// Returns the members except for the given names.
    func without(_ names: Set<String>) -> JSONObject {
        JSONObject(filter { !names.contains($0.name) }.map { ($0.name, $0.value) })
    }
}
