internal import LockstepPrimitives
internal import Synchronization

/// The second factors of the user who is signed in.
public struct AccountFactors: Sendable {
    let client: AuthClient

    private func power() throws(AuthError) -> any SecondFactors {
        guard let power = client.adapter.secondFactors else { throw client.unsupported(.factorEnrolment) }
        return power
    }

    /// The user's active factors, as the backend has them now.
    @concurrent
    public func all() async throws(AuthError) -> [FactorChoice] {
        let power = try power()
        return try await client.call("account.factors.all") { () async throws(AuthError) in
            try await client.asUser { session async throws(AuthError) in
                let (user, factors) = try await client.ask { () async throws(AuthError) in try await power.all(of: session) }
                try client.refuse(session, if: user)
                return factors
            }
        }
    }

    /// Begins to add a factor, which is active after the first right answer: give that to ``AuthClient/proceed(_:with:)``.
    ///
    /// - Throws: `unsupported`, `notEnabled`, `invalidPhone`; `secondFactorRequired` where another factor has to be given first.
    @concurrent
    public func add(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        let power = try power()
        var factor = factor
        if let phone = factor.phone { factor.phone = try PhoneCodeCredential(phone: phone).normalized().phone }
        guard factor.kind != .phone || factor.phone != nil else {
            throw AuthError(.invalidPhone, "A phone as second factor needs a number. Ask the user for it before calling.")
        }
        let wanted = factor
        return try await client.call("account.factors.add") { () async throws(AuthError) in
            let enrolment = Mutex<FactorEnrolment?>(nil)
            _ = try await client.beginUsersFlow(.factorEnrolment, kind: .linking, identifier: "") {
                memory, session async throws(AuthError) in
                let begun = try await power.begin(wanted, of: session, in: memory)
                enrolment.withLock { $0 = begun }
                return .verify(begun.challenge)
            }
            guard let begun = enrolment.withLock({ $0 }) else { throw AuthError.cancelled }
            return begun
        }
    }

    /// Removes a factor.
    ///
    /// - Throws: `secondFactorRequired` where the session was made without it.
    @concurrent
    public func remove(_ factor: FactorChoice) async throws(AuthError) {
        let power = try power()
        try await client.call("account.factors.remove") { () async throws(AuthError) in
            _ = try await client.account.changed { session async throws(AuthError) in
                try await power.remove(factor, from: session)
            }
        }
    }
}
