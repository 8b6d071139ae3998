internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// The way from a user of the target, as found, to the user that the source asks for.
struct UserChange: Sendable {
    /// The id on the target.
    let id: String
    /// The values that a directory can change.
    private(set) var changes = DirectoryChanges()
    /// The hash of the new password.
    private(set) var passwordHash: Secret?
    /// The names of values that the target cannot change.
    private(set) var blocked: [String] = []
    private let found: UserRecord
    private let wanted: UserRecord

    /// Compares a user of the target with the expected user.
    ///
    /// - Parameters:
    ///   - found: The user of the target.
    ///   - record: The record of this user, without the traces of sign-ins.
    ///   - new: The expected user, from the source.
    ///   - hasNewPassword: Whether the source's password has changed.
    ///   - target: The target.
    init(
        from found: DirectoryUser, _ record: UserRecord, to new: NewDirectoryUser, hasNewPassword: Bool, at target: MoveTarget
    ) {
        id = found.id
        self.found = record
        wanted = UserRecord(new, at: target)
        var names = wanted.differences(from: self.found)
        if hasNewPassword, !names.contains("password") { names.append("password") }
        if !hasNewPassword { names.removeAll { $0 == "password" } }
        for name in names where !set(name, new, target) { blocked.append(name) }
        // An address that is verified stays so if it is changed, unless the change says otherwise.
        if changes.email != nil, new.isEmailConfirmed { changes.isEmailConfirmed = true }
        if changes.phone != nil, new.isPhoneConfirmed { changes.isPhoneConfirmed = true }
    }

    /// Adds the change of a value.
    ///
    /// - Returns: Whether there is such a change.
    private mutating func set(_ name: String, _ new: NewDirectoryUser, _ target: MoveTarget) -> Bool {
        switch name {
        case "address":
            // An unclaimed address would be reserved.
            guard new.hasEmailIdentity != false else { return false }
            changes.email = new.email
            return new.email != nil
        case "address verified":
            changes.isEmailConfirmed = new.isEmailConfirmed
            return new.email != nil
        case "address signs in": return target.reservesAddresses && new.isEmailConfirmed
        case "number":
            changes.phone = new.phone
            return new.phone != nil
        case "number verified":
            changes.isPhoneConfirmed = new.isPhoneConfirmed
            return new.phone != nil
        case "name": changes.displayName = new.displayName ?? ""
        case "first name": changes.firstName = new.firstName ?? ""
        case "last name": changes.lastName = new.lastName ?? ""
        case "user name": changes.username = new.username ?? ""
        case "private data": changes.privateMetadata = merging(name, into: new.privateMetadata)
        case "photo": changes.photoURL = new.photoURL ?? ""
        case "disabled": changes.isDisabled = new.isDisabled
        case "user data": changes.userMetadata = merging(name, into: new.userMetadata.without(target.ownUserData))
        case "claims": changes.appMetadata = merging(name, into: new.appMetadata.without(target.ownClaims))
        case "password":
            guard target.setPasswordHash != nil, let hash = new.passwordHash else { return false }
            passwordHash = hash
        default: return false
        }
        return true
    }

    /// The members to set, and `null` for those to remove.
    private func merging(_ name: String, into new: JSONObject) -> JSONObject {
        let former = found.members[name]?.object ?? [:]
        var changes: JSONObject = [:]
        for (name, value) in new where former[name]?.canonical != value.canonical { changes[name] = value }
        for name in former.names where new[name] == nil { changes[name] = .null }
        return changes
    }

    /// Whether nothing would be sent.
    var isEmpty: Bool { changes == DirectoryChanges() && passwordHash == nil }

    /// Returns the requests of the change in their order, each without what the later ones change.
    ///
    /// A new password is a request of its own.
    func requests(at target: MoveTarget) -> [UserChange] {
        var parts = (changes == DirectoryChanges() ? [] : target.parts?.changes(changes) ?? [changes]).map { part in
            var change = self
            (change.changes, change.passwordHash) = (part, nil)
            return change
        }
        if let passwordHash {
            var change = self
            (change.changes, change.passwordHash) = (DirectoryChanges(), passwordHash)
            parts.append(change)
        }
        for index in parts.indices { parts[index].block(parts[(index + 1)...].flatMap(\.names)) }
        return parts
    }

    /// Returns a later request of the change, after this one was made.
    func adding(_ next: UserChange) -> UserChange {
        var change = self
        (change.changes, change.passwordHash) = (next.changes, next.passwordHash)
        let names = next.names
        change.blocked.removeAll { names.contains($0) }
        return change
    }

    /// The names of the values that the request changes.
    private var names: [String] {
        let all: [(String, Bool)] = [
            ("address", changes.email != nil), ("address verified", changes.isEmailConfirmed != nil),
            ("address signs in", changes.isEmailConfirmed == true),
            ("number", changes.phone != nil), ("number verified", changes.isPhoneConfirmed != nil),
            ("name", changes.displayName != nil), ("first name", changes.firstName != nil),
            ("last name", changes.lastName != nil), ("user name", changes.username != nil), ("photo", changes.photoURL != nil),
            ("disabled", changes.isDisabled != nil), ("user data", !changes.userMetadata.isEmpty),
            ("claims", !changes.appMetadata.isEmpty), ("private data", !changes.privateMetadata.isEmpty),
            ("password", passwordHash != nil),
        ]
        return all.filter(\.1).map(\.0)
    }

    /// Returns the record of a user of the target, without the traces of sign-ins.
    func record(of user: DirectoryUser, since row: JournalUser, in move: UserMove) -> UserRecord {
        move.record(of: user, since: row, wanted: wanted)
    }

    /// Whether the password stays behind.
    var leavesPassword: Bool { blocked.contains("password") }

    /// Whether a value of the record stays behind.
    var leavesRecord: Bool { blocked.contains { $0 != "password" } }

    /// The change without addresses and numbers that would take back a verification, which not every target can.
    ///
    /// Without that they would be verified on the target though they are not on the source.
    var withoutUnverifying: UserChange {
        var change = self
        if changes.isEmailConfirmed == false {
            (change.changes.email, change.changes.isEmailConfirmed) = (nil, nil)
            change.block(["address", "address verified"])
        }
        if changes.isPhoneConfirmed == false {
            (change.changes.phone, change.changes.isPhoneConfirmed) = (nil, nil)
            change.block(["number", "number verified"])
        }
        return change
    }

    /// The change with nothing that could be sent.
    var withoutAnything: UserChange {
        var change = self
        (change.changes, change.passwordHash) = (DirectoryChanges(), nil)
        change.block(names)
        return change
    }

    private mutating func block(_ names: [String]) {
        let differing = wanted.differences(from: found) + ["password"]
        for name in names where differing.contains(name) && !blocked.contains(name) { blocked.append(name) }
    }

    /// The record that the user has afterwards.
    var expected: UserRecord {
        var members = wanted.members
        for name in blocked where name != "password" { members[name] = found.members[name] }
        // A password that is not set stays: the server may have hashed it again.
        if passwordHash == nil { members["password"] = found.members["password"] }
        return UserRecord(members: members)
    }
}

extension UserRecord {
    init(members: JSONObject) { self.members = members }

    /// The record with another value; `nil` leaves it out.
    func with(_ name: String, _ value: JSON?) -> UserRecord {
        var members = members
        members[name] = value
        return UserRecord(members: members)
    }
}
