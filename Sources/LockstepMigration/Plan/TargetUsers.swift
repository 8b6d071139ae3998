internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// The users who are on the target before the run and who matter to the plan.
struct TargetUsers: Sendable {
    private let move: UserMove
    /// The number of users, as the target counts them.
    let count: Int
    private var isNoted = false

    /// Counts the users of the target, and reads them if they are few.
    ///
    /// - Parameters:
    ///   - move: The run.
    ///   - users: The number of users on the source.
    /// - Throws: `MigrationError`.
    init(_ move: UserMove, source users: Int) async throws(MigrationError) {
        self.move = move
        count = try await move.asking("the users of the target cannot be counted") { () throws(AuthError) in
            try await move.target.directory.count()
        }
        if count == 0 {
            isNoted = true
        } else if count <= max(users, move.target.scannedUsers) {
            try await noteAll()
        } else if try await lookUp([.phone("+10000000000")]) == nil {
            // A backend that looks up only some kinds, one user at a time, is slower than its list.
            try await noteAll()
        }
    }

    /// Records the users of the target who share an id or a value with these new users.
    ///
    /// - Parameter users: Users of the source in the form for the target.
    /// - Throws: `MigrationError`.
    mutating func note(like users: [MappedUser]) async throws(MigrationError) {
        guard !isNoted else { return }
        guard let found = try await lookUp(users.filter { $0.outcome == .create }.flatMap { requests($0.new) }[...]) else {
            // The backend has no look-up of a kind that is needed.
            return try await noteAll()
        }
        try await note(found)
    }

    private mutating func noteAll() async throws(MigrationError) {
        let move = move
        try await move.inSnapshot(of: move.target.directory, "the users of the target cannot be read") {
            directory throws(MigrationError) in
            try await move.forEachPage(of: directory, "the users of the target cannot be read") { users throws(MigrationError) in
                try await note(users)
            }
        }
        isNoted = true
    }

    private func note(_ users: [DirectoryUser]) async throws(MigrationError) {
        guard !users.isEmpty else { return }
        try await move.journal.note(
            users.map { user in
                TargetUser(
                    id: user.id, externalID: user.externalID, digest: move.key.digest(of: UserRecord(user, at: move.target)),
                    claims: move.claims(of: user))
            })
    }

    private func requests(_ new: NewDirectoryUser) -> [RequestedUser] {
        [
            new.id.map { .id($0) } ?? new.externalID.map { .externalID($0) }, new.email.map { .email($0) },
            new.phone.map { .phone($0) },
        ].compactMap(\.self) + new.otherEmails.map { .email($0.value) } + new.otherPhones.map { .phone($0.value) }
            + move.factorNumbers(of: new).map { .phone($0) }
            + new.providerIdentities.map { .identity($0.provider, subject: $0.subject) }
    }

    /// Looks up users; `nil` if the backend does not support the look-up.
    private func lookUp(_ requests: ArraySlice<RequestedUser>) async throws(MigrationError) -> [DirectoryUser]? {
        guard !requests.isEmpty else { return [] }
        let answer = try await move.asking("users of the target cannot be looked up") { () throws(AuthError) -> LookUp in
            do throws(AuthError) {
                return .found(try await move.target.directory.users(Array(requests)))
            } catch  where error.code == .unsupported {
                return .isMissing
            } catch  where error.code == .invalidInput {
                return .isInvalid
            }
        }
        switch answer {
        case .found(let users):
            var ids: Set<ExactString> = []
            return users.compactMap(\.self).filter { ids.insert($0.id.exact).inserted }
        case .isMissing: return nil
        case .isInvalid:
            // No user of the target can have a value that it does not accept.
            guard requests.count > 1 else { return [] }
            let middle = requests.startIndex + requests.count / 2
            guard let first = try await lookUp(requests[..<middle]), let second = try await lookUp(requests[middle...]) else {
                return nil
            }
            return first + second
        }
    }

    private enum LookUp: Sendable {
        case found([DirectoryUser?])
        case isMissing
        case isInvalid
    }
}

extension UserMove {
    /// The values of a user of the target that no other user can have.
    ///
    /// Users of single sign-on may share their addresses with others.
    fileprivate func claims(of user: DirectoryUser) -> [Claim] {
        claims(
            emails: user.isSingleSignOn ? [] : user.emails.map(\.value), phones: user.phones.map(\.value),
            identities: user.providerIdentities, username: user.username)
    }

    /// The values of a user of the source that no other user can have on the target.
    func claims(of new: NewDirectoryUser) -> [Claim] {
        claims(
            emails: [new.email].compactMap(\.self) + new.otherEmails.filter { !$0.isPrimary }.map(\.value),
            phones: [new.phone].compactMap(\.self) + new.otherPhones.filter { !$0.isPrimary }.map(\.value)
                + factorNumbers(of: new),
            identities: new.providerIdentities, username: new.username)
    }

    /// The numbers of second factors that no other user of the target can have.
    fileprivate func factorNumbers(of new: NewDirectoryUser) -> [String] {
        guard target.claimsFactorNumbers else { return [] }
        return new.factors.compactMap { if case .phone(let number) = $0.kind { number } else { nil } }
    }

    private func claims(
        emails: [String], phones: [String], identities: [DirectoryIdentity], username: String?
    ) -> [Claim] {
        emails.map { claim(.address, "address", $0.addressFingerprint) }
            + phones.map { claim(.number, "number", $0.comparableNumber) }
            + identities.map { claim(.identity, "identity", "\($0.provider.rawValue)\u{0}\($0.subject)") }
            + [username].compactMap(\.self).map { claim(.username, "username", $0.lowercased()) }
    }

    private func claim(_ kind: Claim.Kind, _ name: String, _ value: String) -> Claim {
        Claim(kind: kind, digest: Array(key.digest(name, value).prefix(Claim.digestSize)))
    }

    /// Runs `body` with a directory whose reads show one point in time, if the directory supports this.
    func inSnapshot<Value: Sendable>(
        of directory: any UserDirectory, _ occasion: String,
        _ body: (any UserDirectory) async throws(MigrationError) -> Value
    ) async throws(MigrationError) -> Value {
        do {
            return try await directory.withSnapshot { directory in try await body(directory) }
        } catch let error as MigrationError {
            throw error
        } catch let error as AuthError {
            throw error.code == .cancelled ? Self.cancelled : .stopped(error, occasion)
        } catch {
            throw Task.isCancelled ? Self.cancelled : MigrationError(.stopped, "\(occasion): \(error).")
        }
    }
}
