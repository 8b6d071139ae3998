internal import Lockstep
internal import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSystem

extension UserMove {
    /// Plans the run: reads both sides, and writes to neither.
    ///
    /// - Parameter progress: Is called with the number of users read.
    /// - Returns: The plan in numbers.
    /// - Throws: `probe`, `count`, `collision`, `stopped`, `journal`.
    @discardableResult
    public func plan(progress: @Sendable (Int) -> Void = { _ in }) async throws(MigrationError) -> PlanSummary {
        try await journal.begin(RunHead(source: source.mark, target: target.mark, access: target.access))
        try await noteTarget()
        var summary = PlanSummary()
        var probe = try ProbeCheck(choices.probe)
        var addresses = ComposedAddresses()
        var batch: [MappedUser] = []
        var planned: [PlannedUser] = []
        var users = source.directory.all(pageSize: pageSize).makeAsyncIterator()
        while let user = try await next(&users, "the users of the source cannot be read") {
            try await probe.look(at: user)
            let mapped = mapping.map(user)
            batch.append(mapped)
            planned.append(self.planned(user, mapped, &addresses))
            if batch.count >= pageSize { try await flush(&batch, &planned, &summary, progress) }
        }
        try await flush(&batch, &planned, &summary, progress)
        summary.probe = try probe.result()
        summary.counted = try await asking("the users of the source cannot be counted") { () throws(AuthError) in
            try await source.directory.count()
        }
        if let counted = summary.counted, counted != summary.read {
            throw MigrationError(
                .count,
                "The source counts \(counted) users but returned \(summary.read). Plan again. If they still differ, look for a missing page."
            )
        }
        try await journal.finishPlan(JSON.object(summary.json).text())
        return summary
    }

    private func flush(
        _ batch: inout [MappedUser], _ planned: inout [PlannedUser], _ summary: inout PlanSummary,
        _ progress: @Sendable (Int) -> Void
    ) async throws(MigrationError) {
        guard !batch.isEmpty else { return }
        guard !Task.isCancelled else { throw Self.cancelled }
        for (user, settlement) in zip(batch, try await journal.plan(planned)) { summary.count(user, settlement) }
        (batch, planned) = ([], [])
        progress(summary.read)
    }

    private func planned(_ user: DirectoryUser, _ mapped: MappedUser, _ addresses: inout ComposedAddresses) -> PlannedUser {
        var (state, reason): (UserState, UserReason?) =
            switch mapped.outcome {
            case .create: (.planned, nil)
            case .skip(let reason): (.skipped, reason)
            case .refuse(let reason): (.refused, reason)
            }
        if state == .planned, let email = mapped.new.email, !addresses.insert(email) {
            (state, reason) = (.refused, .addressTwice)
        }
        return PlannedUser(
            sourceID: user.id, targetID: mapped.new.id ?? "", state: state, reason: reason, digest: digest(of: mapped.new),
            carried: carried(mapped.new),
            claims: claims(email: mapped.new.email, phone: mapped.new.phone))
    }

    /// Notes who is at the target already; one page is enough if nobody is.
    private func noteTarget() async throws(MigrationError) {
        var users = target.directory.all(pageSize: pageSize).makeAsyncIterator()
        var batch: [TargetUser] = []
        while let user = try await next(&users, "the users of the target cannot be read") {
            batch.append(
                TargetUser(
                    id: user.id, digest: key.digest(of: UserRecord(user, at: target)),
                    claims: claims(email: user.email, phone: user.phone)))
            if batch.count >= pageSize {
                try await journal.note(batch)
                batch = []
            }
        }
        if !batch.isEmpty { try await journal.note(batch) }
    }

    private func claims(email: String?, phone: String?) -> [Claim] {
        var claims: [Claim] = []
        if let email { claims.append(Claim(kind: .address, digest: key.digest("address", email.comparableAddress))) }
        if let phone { claims.append(Claim(kind: .number, digest: key.digest("number", phone.comparableNumber))) }
        return claims
    }
}

/// Addresses that equal another one when its letters are composed: two spellings of one address.
///
/// Only addresses outside of ASCII are kept, which are few; all others are compared by their digests in the journal.
private struct ComposedAddresses {
    private var seen: Set<String> = []

    /// Adds an address; `false` if another spelling of it was added before.
    mutating func insert(_ address: String) -> Bool {
        address.utf8.allSatisfy { $0 < 0x80 } || seen.insert(address.comparableAddress).inserted
    }
}

/// The known account of the source: its exported hash must verify with its password before a plan is worth anything.
private struct ProbeCheck {
    private let probe: MoveChoices.Probe?
    private let address: String
    private let executor: ThreadExecutor?
    private var isVerified = false

    init(_ probe: MoveChoices.Probe?) throws(MigrationError) {
        self.probe = probe
        address = probe?.email.comparableAddress ?? ""
        do throws(SystemError) {
            executor = probe == nil ? nil : try ThreadExecutor()
        } catch {
            throw MigrationError(.probe, "The probe cannot be checked: \(error).")
        }
    }

    mutating func look(at user: DirectoryUser) async throws(MigrationError) {
        guard let probe, let executor, !isVerified, user.email?.comparableAddress == address else { return }
        guard let text = user.passwordHash else {
            throw MigrationError(
                .probe,
                "The source returns no hash for the probe's account. Use a key that may read hashes, or another account.")
        }
        let isRight: Bool
        do throws(PasswordError) {
            isRight = try await PasswordHash(text.reveal()).verify(probe.password, on: executor)
        } catch {
            throw MigrationError(.probe, "The hash of the probe's account cannot be checked. \(error.message)")
        }
        guard isRight else {
            throw MigrationError(
                .probe,
                "The hash of the probe's account does not verify with the given password. Either the password or the "
                    + "hash parameters are wrong. No user could sign in on the target.")
        }
        isVerified = true
    }

    func result() throws(MigrationError) -> String? {
        guard let probe else { return nil }
        guard isVerified else {
            throw MigrationError(.probe, "The source has no user with the probe's address. Use an account of this project.")
        }
        return String(String.UnicodeScalarView(probe.email.unicodeScalars.prefix { $0 != "@" })).visible + "@…"
    }
}
