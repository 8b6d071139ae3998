internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension UserMove {
    /// Returns the record of a user of the target without the traces of the user's own sign-ins since the run wrote the user.
    ///
    /// At a sign-in with an identity provider, the target stores the identity, and puts the provider's data into the user's own data. A
    /// sign-in with a link or a code verifies the address or the number. None of these values is a difference from the source.
    ///
    /// - Parameters:
    ///   - user: The user of the target, with the identities.
    ///   - row: The user in the journal.
    ///   - wanted: The record that the run would write now.
    /// - Returns: The record, in which the values of `wanted` replace the traces.
    func record(of user: DirectoryUser, since row: JournalUser, wanted: UserRecord) -> UserRecord {
        var found = UserRecord(user, at: target)
        // Without a time of the account on the source, the target has set its own.
        if wanted.members["created"] == nil { found = found.with("created", nil) }
        guard user.lastSignInAt?.milliseconds != row.signedIn else { return found }
        // A user whose password did not move has set a new one, and a provider's page removes a stranger's password.
        return found.withoutTraces(of: user.providerIdentities, wanted: wanted).with(
            "has password", wanted.members["has password"])
    }
}

extension UserRecord {
    fileprivate func withoutTraces(of identities: [DirectoryIdentity], wanted: UserRecord) -> UserRecord {
        var names: [String] = []
        for (value, flag) in [("address", "address verified"), ("number", "number verified")]
        where isEqual(value, to: wanted) && wanted.members[flag] == false && members[flag] == true {
            names.append(flag)
        }
        // Who signs in with an address or a number can then also do so on the target.
        for flag in ["address signs in", "number signs in"] where wanted.members[flag] == false && members[flag] == true {
            names.append(flag)
        }
        guard !identities.isEmpty else { return replacing(names, by: wanted) }
        // When the owner of an unverified address comes with a provider, the target removes all that the user had before.
        let isTakenOver = names.contains("address verified")
        if isTakenOver { names.append("address signs in") }
        for (name, told) in [("name", identities.map(\.displayName)), ("photo", identities.map(\.photoURL))] {
            let isTold = told.contains { $0.map(JSON.string).map { $0.bytes() } == members[name]?.bytes() }
            if isTakenOver || isTold { names.append(name) }
        }
        let written = wanted.members["identities"]?.array ?? []
        let found = (members["identities"]?.array ?? []).map { $0.bytes() }
        if isTakenOver || written.allSatisfy({ found.contains($0.bytes()) }) { names.append("identities") }
        return replacing(names, by: wanted)
            .with("user data", .object(ownData(without: identities, isTakenOver, wanted.members["user data"]?.object ?? [:])))
    }

    /// Returns the user's own data, in which the wanted values replace those that a provider has told.
    private func ownData(without identities: [DirectoryIdentity], _ isTakenOver: Bool, _ wanted: JSONObject) -> JSONObject {
        var data = members["user data"]?.object ?? [:]
        for (name, value) in data
        where identities.contains(where: { $0.data[name]?.canonical.bytes() == value.canonical.bytes() }) {
            data[name] = wanted[name]
        }
        if isTakenOver { for (name, value) in wanted where data[name] == nil { data[name] = value } }
        return data
    }

    private func isEqual(_ name: String, to other: UserRecord) -> Bool { members[name]?.bytes() == other.members[name]?.bytes() }

    private func replacing(_ names: [String], by other: UserRecord) -> UserRecord {
        names.reduce(self) { $0.with($1, other.members[$1]) }
    }
}
