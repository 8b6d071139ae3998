internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// The outcome for a user who was changed on the source.
private enum ChangeVerdict {
    /// The user on the target must be changed.
    case change(UserChange)
    /// The user on the target already matches the source.
    case isThere
    /// The user no longer exists on the target.
    case isGone
    /// The user was changed on the target, too. The associated value names the values that differ.
    case isChangedThere([String])
    /// The target has rejected the change.
    case isRejected(AuthError)
}

/// A user who was changed on the source, and whose change will be copied.
private struct ChangedUser {
    let former: FollowedUser
    let new: NewDirectoryUser
    var verdict: ChangeVerdict
    /// The digest of the record that the run has last written.
    var written: [UInt8]
    /// Whether a request has changed the target.
    var isSent = false

    var number: Int { former.row.number }

    init(_ former: FollowedUser, _ new: NewDirectoryUser, _ verdict: ChangeVerdict) {
        (self.former, self.new, self.verdict) = (former, new, verdict)
        written = former.row.digest
    }
}

extension UserMove {
    /// Copies the changes of users.
    func follow(
        _ users: [(FollowedUser, NewDirectoryUser)], isDry: Bool, _ report: inout FollowReport
    ) async throws(MigrationError) {
        for start in stride(from: 0, to: users.count, by: batchSize) {
            guard !Task.isCancelled else { throw Self.cancelled }
            let batch = Array(users[start..<min(start + batchSize, users.count)])
            let found = try await targetUsers(batch.map { request(for: $0.0.row) })
            var changed = batch.map { user in
                ChangedUser(user.0, user.1, verdict(on: found[request(for: user.0.row).key], user.0, wanted: user.1))
            }
            if !isDry { try await send(&changed) }
            try await settle(changed, isDry: isDry, &report)
        }
    }

    private func verdict(on found: DirectoryUser?, _ former: FollowedUser, wanted new: NewDirectoryUser) -> ChangeVerdict {
        guard let found else { return .isGone }
        let hasNewPassword = former.carried.map { $0.password != passwordDigest(new.passwordHash) } ?? false
        let wanted = UserRecord(new, at: target)
        let record = record(of: found, since: former.row, wanted: wanted)
        guard isAsWritten(record, former, wanted, hasNewPassword) else {
            let differences = record.differences(from: wanted)
            return differences.isEmpty ? .isThere : .isChangedThere(differences)
        }
        let change = UserChange(from: found, record, to: new, hasNewPassword: hasNewPassword, at: target)
        return change.isEmpty && change.blocked.isEmpty ? .isThere : .change(change)
    }

    /// Whether a user of the target is unchanged since the run wrote it.
    ///
    /// A server may have hashed the same password again at a sign-in.
    private func isAsWritten(
        _ record: UserRecord, _ former: FollowedUser, _ wanted: UserRecord, _ hasNewPassword: Bool
    ) -> Bool {
        if key.digest(of: record) == former.row.digest { return true }
        guard !hasNewPassword, let password = wanted.members["password"] else { return false }
        return key.digest(of: record.with("password", password)) == former.row.digest
    }

    // MARK: Requests

    /// Sends changes, each after its record is on the disk.
    private func send(_ users: inout [ChangedUser]) async throws(MigrationError) {
        var intents: [ChangeIntent] = []
        for user in users {
            if case .change(let change) = user.verdict, let first = change.requests(at: target).first {
                intents.append(intent(user, first))
            }
        }
        guard !intents.isEmpty else { return }
        try await journal.intendChanges(intents)
        for index in users.indices { try await send(&users[index]) }
    }

    private func intent(_ user: ChangedUser, _ change: UserChange) -> ChangeIntent {
        ChangeIntent(
            number: user.number, digest: key.digest(of: change.expected), carried: carried(user.new, with: change, user.former))
    }

    /// The values that a change copies.
    ///
    /// Values that the target cannot change remain to be copied.
    private func carried(_ new: NewDirectoryUser, with change: UserChange, _ former: FollowedUser) -> CarriedUser {
        var carried = carried(new)
        if change.leavesRecord { carried.record = former.carried?.record ?? [] }
        if change.leavesPassword { carried.password = former.carried?.password ?? [] }
        return carried
    }

    /// Sends the change of a user.
    ///
    /// If the change needs several requests, the journal has the outcome of each before the next one is sent.
    /// After a rejection, the others are sent, but no user is enabled.
    private func send(_ user: inout ChangedUser) async throws(MigrationError) {
        guard case .change(let change) = user.verdict else { return }
        var made = change.withoutAnything
        var rejection: AuthError?
        for (place, request) in change.requests(at: target).enumerated() {
            if rejection != nil, request.changes.isDisabled == false { continue }
            let next = place == 0 ? request : made.adding(request)
            if place > 0 {
                if user.isSent {
                    user.written = key.digest(of: made.expected)
                    try await journal.settleChanges([settlement(of: user, made)])
                }
                try await journal.intendChanges([intent(user, next)])
            }
            try await send(next, of: &user)
            switch user.verdict {
            case .change(let sent): made = sent
            case .isRejected(let error):
                rejection = rejection ?? error
                user.verdict = .change(made)
            default: return
            }
        }
        if let rejection, !user.isSent { user.verdict = .isRejected(rejection) }
    }

    private func send(_ part: UserChange, of user: inout ChangedUser) async throws(MigrationError) {
        var change = part
        var patience = Patience(self)
        while !change.isEmpty {
            guard !Task.isCancelled else { throw Self.cancelled }
            do throws(AuthError) {
                try await apply(change)
                (user.verdict, user.isSent) = (.change(change), true)
                return
            } catch {
                if error.code == .unsupported {
                    // Nothing was sent.
                    let reduced = change.withoutUnverifying
                    change = reduced.changes == change.changes ? change.withoutAnything : reduced
                    if !change.isEmpty { try await journal.intendChanges([intent(user, change)]) }
                    user.verdict = .change(change)
                    continue
                }
                guard error.code == .userNotFound || error.mayPass && !error.isOfOneUser else {
                    user.verdict = .isRejected(error)
                    return
                }
                if error.code != .userNotFound { try await patience.wait(after: error, "the target did not change a user") }
            }
            // The request may have arrived.
            guard let found = try await targetUser(change.id) else {
                user.verdict = .isGone
                return
            }
            let record = change.record(of: found, since: user.former.row, in: self)
            let digest = key.digest(of: record)
            if digest == key.digest(of: change.expected), change.passwordHash == nil {
                (user.verdict, user.isSent) = (.change(change), true)
                return
            }
            guard [user.written, key.digest(of: change.expected)].contains(digest) else {
                user.verdict = .isChangedThere(record.differences(from: change.expected))
                return
            }
        }
    }

    private func apply(_ change: UserChange) async throws(AuthError) {
        if change.changes != DirectoryChanges() { _ = try await target.directory.update(change.id, change.changes) }
        if let hash = change.passwordHash { try await target.setPasswordHash?(hash, change.id) }
    }

    // MARK: Outcomes

    private func settle(_ users: [ChangedUser], isDry: Bool, _ report: inout FollowReport) async throws(MigrationError) {
        var settled: [ChangeSettlement] = []
        var gone: [Int] = []
        for user in users {
            var made: ChangeSettlement.Made?
            switch user.verdict {
            case .isGone:
                report.name(user.former.row, .staysDeleted, ["target"])
                gone.append(user.number)
            case .isThere:
                var carried = carried(user.new)
                // If the target returns no hash, the password is still to be carried over.
                if !target.returnsHashes, let former = user.former.carried {
                    carried.password = former.password
                }
                made = .init(digest: digest(of: user.new), carried: carried)
            case .isChangedThere(let names): report.name(user.former.row, .changedOnBothSides, names)
            case .isRejected(let error):
                // An earlier pass may have changed a part.
                let isInPart = report.changedInPart.contains(user.number)
                report.name(user.former.row, isInPart ? .changedInPart : .rejected, [error.code.rawValue])
            case .change(let change):
                let isChanged = user.isSent || isDry && !change.isEmpty
                if isChanged { report.changed += 1 }
                if isChanged, !change.blocked.isEmpty { report.changedInPart.insert(user.number) }
                if !change.blocked.isEmpty {
                    let isInPart = report.changedInPart.contains(user.number)
                    report.name(user.former.row, isInPart ? .changedInPart : .notUpdatable, change.blocked)
                }
                if user.isSent { made = settlement(of: user, change).made }
            }
            settled.append(ChangeSettlement(number: user.number, made: made))
        }
        guard !isDry else { return }
        try await journal.settleChanges(settled)
        try await journal.bury(gone, goneFrom: "target")
    }

    private func settlement(of user: ChangedUser, _ change: UserChange) -> ChangeSettlement {
        ChangeSettlement(
            number: user.number,
            made: .init(digest: key.digest(of: change.expected), carried: carried(user.new, with: change, user.former)))
    }

    /// Finds out what became of each change that may have been sent.
    func resolveChanges() async throws(MigrationError) {
        var last = 0
        while true {
            let users = try await journal.changing(after: last, limit: batchSize)
            guard let end = users.last?.row.number else { return }
            var settled: [ChangeSettlement] = []
            for user in users {
                guard !Task.isCancelled else { throw Self.cancelled }
                var made: ChangeSettlement.Made?
                if let intent = user.intent, intent.digest != user.row.digest, let id = user.row.targetID,
                    let found = try await targetUser(id),
                    has(found, intent.digest)
                {
                    // The password is the last request of a change, so it is set again.
                    let carried = CarriedUser(
                        record: intent.carried.record, password: user.carried?.password ?? intent.carried.password)
                    made = .init(digest: intent.digest, carried: carried)
                }
                settled.append(ChangeSettlement(number: user.row.number, made: made))
            }
            try await journal.settleChanges(settled)
            last = end
        }
    }
}

extension AuthError {
    /// Whether the values of the user are the reason, even if a server reports an internal error.
    fileprivate var isOfOneUser: Bool {
        [.emailAlreadyInUse, .phoneAlreadyInUse, .identityAlreadyInUse, .invalidEmail, .invalidPhone, .invalidInput]
            .contains(code)
    }
}
