public import Lockstep
internal import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSystem

extension UserMove {
    /// Creates temporary users on the target, and checks that they can sign in.
    ///
    /// The run creates a temporary user for each kind and cost of hash in the plan. The run also creates a user for each state
    /// such as "disabled". Before the run creates the users, it records their ids in the journal. After the sign-ins, it deletes
    /// the users. If the call was killed, the next call deletes the users.
    ///
    /// - Parameter adapter: The adapter that signs the users in, through the target's API for apps.
    /// - Returns: The results of the sign-ins.
    /// - Throws: `notPlanned`, `anotherEnd`, `stopped`, `cancelled`, `journal`.
    public func proveSignIns(through adapter: any AuthAdapter) async throws(MigrationError) -> CanaryReport {
        let plan = try await plannedSummary()
        try await removeCanaries()
        var report = CanaryReport()
        let canaries = try await makeCanaries(for: plan, &report)
        guard !canaries.isEmpty else { return report }
        try await journal.noteCanaries(canaries.map(\.key))
        do throws(MigrationError) {
            try await prove(canaries, through: adapter, &report)
        } catch {
            // What stays is removed by the next call.
            try? await removeCanaries()
            throw error
        }
        try await removeCanaries()
        return report
    }

    /// Deletes all temporary users that this run may have left on the target, for example after a kill.
    ///
    /// An id in the journal alone does not decide: a user who does not have the address of this run's temporary users stays.
    ///
    /// - Throws: `journal`, also if the journal names such a user; `stopped`, `cancelled`.
    public func removeCanaries() async throws(MigrationError) {
        var open = try await journal.canaries()
        let maker = CanaryMaker(self)
        var patience = Patience(self)
        while !open.isEmpty {
            let found = try await targetUsers(open.map(maker.request))
            let there = open.compactMap { key in found[maker.request(key).key].map { (key: key, user: $0) } }
            let strangers = there.filter { !maker.hasMade($0.user) }.map(\.key).sorted()
            let canaries = there.filter { maker.hasMade($0.user) }
            var gone = open.filter { found[maker.request($0).key] == nil }
            var failure: AuthError?
            for (canary, outcome) in zip(canaries, await target.directory.delete(canaries.map(\.user.id))) {
                switch outcome {
                case .done: gone.append(canary.key)
                case .refused(let error) where error.code == .userNotFound: gone.append(canary.key)
                case .refused(let error), .unknown(let error), .notSent(let error): failure = failure ?? error
                }
            }
            try await journal.forgetCanaries(gone + strangers)
            guard strangers.isEmpty else { throw Self.notCanaries(strangers) }
            open.removeAll(where: gone.contains)
            if let failure { try await patience.wait(after: failure, "the target did not delete temporary users") }
        }
    }

    private static func notCanaries(_ ids: [String]) -> MigrationError {
        let names = ids.prefix(10).map { "\"\($0.visible)\"" }.joined(separator: ", ") + (ids.count > 10 ? ", …" : "")
        return MigrationError(
            .journal,
            "The journal of the run lists \(names) as temporary users, but they do not have the addresses of such users. They were "
                + "not deleted, and the list no longer has them. Find out who has edited the journal, then run the command again."
        )
    }

    // MARK: Making

    private func makeCanaries(
        for plan: PlanSummary, _ report: inout CanaryReport
    ) async throws(MigrationError) -> [Canary] {
        let templates = try await hashes(of: Set(plan.hashes.keys))
        let maker = CanaryMaker(self)
        let executor: ThreadExecutor
        do throws(SystemError) {
            executor = try ThreadExecutor()
        } catch {
            throw MigrationError(.stopped, "No thread for hashing passwords can be started: \(error).")
        }
        var canaries: [Canary] = []
        for kind in plan.hashes.keys.sorted() {
            guard let template = templates[kind] else {
                report.unproven[kind] = "the source no longer has such a hash"
                continue
            }
            let password = maker.password()
            guard let hash = await hash(password, like: template, on: executor) else {
                report.unproven[kind] = "hashes of this kind cannot be computed here"
                continue
            }
            canaries.append(maker.canary("a user with the hash \(kind) signs in", hash, of: kind, password, .session))
            // The flags are those of users of any kind of hash.
            guard canaries.count == 1 else { continue }
            if target.directory.features.contains(.disabling) {
                canaries.append(
                    maker.canary("a disabled user never signs in", hash, of: nil, password, .refusal) { $0.isDisabled = true })
            }
            if target.verifiesFirst {
                canaries.append(
                    maker.canary("a user with an unverified address does not sign in", hash, of: nil, password, .noSession) {
                        $0.isEmailConfirmed = false
                    })
            }
        }
        return canaries
    }

    /// Returns a hash of each kind from the source.
    ///
    /// The canaries' hashes use its cost and key.
    private func hashes(of kinds: Set<String>) async throws(MigrationError) -> [String: PasswordHash] {
        var found: [String: PasswordHash] = [:]
        let reader = PageReader(self, of: source.directory, "the users of the source cannot be read")
        while found.count < kinds.count, let users = try await reader.page().get() {
            guard !Task.isCancelled else { throw Self.cancelled }
            for user in users {
                guard let hash = (user.passwordHash?.reveal()).flatMap({ try? PasswordHash($0) }) else { continue }
                // The plan may name the hash as the source has it, or as the target gets it.
                let written = target.hashText(hash).flatMap { try? PasswordHash($0) }
                for kind in Set([hash, written].compactMap(\.self).map(HashKind.name))
                where kinds.contains(kind) && found[kind] == nil {
                    found[kind] = hash
                }
            }
        }
        return found
    }

    @concurrent
    private func hash(_ password: Secret, like template: PasswordHash, on executor: ThreadExecutor) async -> Secret? {
        let (target, randomness) = (self.target, self.randomness)
        return await withTaskExecutorPreference(executor) {
            guard let hash = try? template.hashingAlike(password, randomness: randomness) else { return nil }
            return target.hashText(hash).map { Secret($0) }
        }
    }
}
