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
        members = Self.members(of: NewDirectoryUser(user), hash: user.passwordHash, hasPassword: user.hasPassword, target)
    }

    private static func members(
        of user: NewDirectoryUser, hash: Secret?, hasPassword: Bool?, _ target: MoveTarget
    ) -> JSONObject {
        var members: JSONObject = ["disabled": .bool(user.isDisabled)]
        if target.ids != .assigned { members["id"] = user.id.map(JSON.string) }
        if let email = user.email {
            members["address"] = .string(email.lowercased())
            members["address verified"] = .bool(user.isEmailConfirmed)
        }
        if let phone = user.phone {
            members["number"] = .string(phone.comparableNumber)
            members["number verified"] = .bool(user.isPhoneConfirmed)
        }
        if target.splitName == nil { members["name"] = user.displayName.map(JSON.string) }
        members["photo"] = user.photoURL.map(JSON.string)
        members["user data"] = JSON.object(user.userMetadata.without(target.ownUserData)).rounded(beyond: target.largestNumber)
        members["claims"] = JSON.object(user.appMetadata.without(target.ownClaims)).rounded(beyond: target.largestNumber)
        // A directory returns what it can write of these, except the hashes.
        let features = target.directory.features
        if features.contains(.identities) {
            members["identities"] = .array(
                user.providerIdentities.map { "\($0.provider.rawValue) \($0.subject)" }
                    .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(JSON.string))
        }
        if !features.isDisjoint(with: [.factors, .appFactors, .phoneFactors]) {
            members["second factors"] = .array(
                user.factors.map { $0.comparable(withSecret: target.returnsHashes) }.sorted {
                    $0.utf8.lexicographicallyPrecedes($1.utf8)
                }.map(JSON.string))
        }
        if features.contains(.creationTimes) { members["created"] = user.createdAt.map { .int($0.milliseconds) } }
        if features.contains(.externalIDs) { members["external id"] = user.externalID.map(JSON.string) }
        if features.contains(.usernames) { members["user name"] = user.username.map { .string($0.lowercased()) } }
        if features.contains(.personNames) {
            (members["first name"], members["last name"]) = (user.firstName.map(JSON.string), user.lastName.map(JSON.string))
        }
        if features.contains(.privateMetadata) { members["private data"] = .object(user.privateMetadata) }
        if features.contains(.locks), user.isLocked { members["locked"] = true }
        if features.contains(.otherAddresses) {
            members["more addresses"] = .texts(user.otherEmails) { $0.lowercased() }
            members["more numbers"] = .texts(user.otherPhones.filter { !$0.isSecondFactor }, \.comparableNumber)
        }
        if user.isAnonymous { members["anonymous"] = true }
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

extension JSON {
    /// Further addresses or numbers with their states, in an order that does not depend on the backend.
    fileprivate static func texts(_ addresses: [DirectoryAddress], _ form: (String) -> String) -> JSON? {
        guard !addresses.isEmpty else { return nil }
        let texts = addresses.map { "\(form($0.value)) \($0.isConfirmed ? "verified" : "unverified")" }
        return .array(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(JSON.string))
    }
}
