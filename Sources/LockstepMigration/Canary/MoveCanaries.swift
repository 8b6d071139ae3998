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
        try await journal.noteCanaries(canaries.map(\.id))
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
    /// - Throws: `stopped`, `cancelled`, `journal`.
    public func removeCanaries() async throws(MigrationError) {
        var open = try await journal.canaries()
        var patience = Patience(self)
        while !open.isEmpty {
            let outcomes = await target.directory.delete(open)
            var gone: [String] = []
            var failure: AuthError?
            for (id, outcome) in zip(open, outcomes) {
                switch outcome {
                case .done: gone.append(id)
                case .refused(let error) where error.code == .userNotFound: gone.append(id)
                case .refused(let error), .unknown(let error), .notSent(let error): failure = failure ?? error
                }
            }
            if !gone.isEmpty { try await journal.forgetCanaries(gone) }
            open.removeAll(where: gone.contains)
            if let failure { try await patience.wait(after: failure, "the target did not delete temporary users") }
        }
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

    // MARK: Signing in

    private func prove(
        _ canaries: [Canary], through adapter: any AuthAdapter, _ report: inout CanaryReport
    ) async throws(MigrationError) {
        let refusals = try await create(canaries)
        for canary in canaries {
            let failure: String? =
                if let refusal = refusals[canary.id] {
                    "the target does not create such a user: \(refusal.message)"
                } else {
                    try await contradiction(of: canary, through: adapter)
                }
            report.checks.append(.init(claim: canary.claim, hashKind: canary.hashKind, failure: failure))
        }
        // Once more, now that all requests for them have arrived: at no moment means also later.
        for (index, canary) in canaries.enumerated() where canary.expectation != .session {
            guard report.checks[index].failure == nil,
                let failure = try await contradiction(of: canary, through: adapter)
            else { continue }
            report.checks[index] = .init(claim: canary.claim, hashKind: canary.hashKind, failure: failure)
        }
    }

    /// Creates canaries.
    ///
    /// If a request fails on the way, looks the canary up, and sends it again if it is missing.
    ///
    /// - Returns: The rejections by the target, by id.
    private func create(_ canaries: [Canary]) async throws(MigrationError) -> [String: AuthError] {
        var refusals: [String: AuthError] = [:]
        var open = canaries
        var patience = Patience(self)
        while !open.isEmpty {
            guard !Task.isCancelled else { throw Self.cancelled }
            let outcomes = await target.directory.create(open.map(\.new))
            var rest: [Canary] = []
            var failure: AuthError?
            for (canary, outcome) in zip(open, outcomes) {
                switch outcome {
                case .done: break
                case .refused(let error): refusals[canary.id] = error
                case .unknown(let error), .notSent(let error):
                    rest.append(canary)
                    failure = failure ?? error
                }
            }
            if let failure { try await patience.wait(after: failure, "the target did not create temporary users") }
            let there = try await targetUsers(rest.map(\.id))
            open = rest.filter { there[$0.id] == nil }
        }
        return refusals
    }

    /// Returns why the claim of a canary is false; `nil` if the claim is true.
    private func contradiction(of canary: Canary, through adapter: any AuthAdapter) async throws(MigrationError) -> String? {
        let outcome = try await signIn(canary, canary.password, through: adapter)
        switch (canary.expectation, outcome) {
        case (.refusal, .session), (.noSession, .session): return "the user has signed in"
        case (.refusal, .refused(let error)) where !error.isVerdict: return Self.noVerdict(error)
        case (.noSession, .refused(let error)) where error.provider?.status == nil: return Self.noVerdict(error)
        case (.refusal, _), (.noSession, _): return nil
        case (.session, .asksForMore): return "the target requires more than the password"
        case (.session, .refused(let error)): return "the target rejected the password: \(error.message) (\(error.code))"
        case (.session, .session):
            let wrong = try await signIn(canary, CanaryMaker(self).password(), through: adapter)
            if case .session = wrong { return "the target accepts any password" }
            return nil
        }
    }

    private static func noVerdict(_ error: AuthError) -> String {
        "the target gave no clear result: \(error.message) (\(error.code))"
    }

    private enum SignInOutcome {
        case session
        case asksForMore
        case refused(AuthError)
    }

    /// Signs in like an app; repeats a request that fails on the way.
    private func signIn(
        _ canary: Canary, _ password: Secret, through adapter: any AuthAdapter
    ) async throws(MigrationError) -> SignInOutcome {
        var patience = Patience(self)
        while true {
            let client = AuthClient(adapter: adapter, store: MemorySessionStore())
            do throws(AuthError) {
                let step = try await client.signIn(with: .password(email: canary.email, password: password))
                return step.session == nil ? .asksForMore : .session
            } catch {
                // A server that cannot send an email to the domain has found the password right, and opened no session.
                let isAnswer = canary.expectation == .noSession && error.provider?.status != nil
                guard error.mayPass, !isAnswer else { return .refused(error) }
                try await patience.wait(after: error, "the sign-in of a temporary user got no response")
            }
        }
    }
}

extension AuthError {
    /// Whether the error is the target's decision about the sign-in, not a failure on the way.
    fileprivate var isVerdict: Bool { (provider?.status).map { (400..<500).contains($0) } ?? false }
}
