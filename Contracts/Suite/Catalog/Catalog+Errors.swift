public import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about errors of the backend.
    public static let errors: [Contract<World>] = [
        Contract(
            "error.unknown-code", "An unknown provider code becomes `unknown`, with the raw code.",
            appliesTo: takingPersons, needs: [.faults]
        ) { w in
            let raw = "flux_capacitor_empty"
            let error = try await w.failingSignIn(with: .unknownCode(raw), as: .unknown)
            w.expect(error?.provider?.code?.lowercased() == raw, "the error does not contain the provider's raw code")
        },

        Contract(
            "error.rate-limited",
            "A rate limit is reported as `tooManyRequests` with the time to wait.", appliesTo: takingPersons,
            needs: [.faults]
        ) { w in
            let error = try await w.failingSignIn(with: .rateLimited(retryAfter: .seconds(42)), as: .tooManyRequests)
            w.expect(error?.retry.isAbout(.seconds(42)) == true, "the error does not contain the time to wait")
        },
    ]

    /// Contracts about capabilities: calls that need an unclaimed capability are rejected, and calls that need a claimed
    /// capability reach the backend.
    public static let capabilities: [Contract<World>] =
        [
            Contract(
                "capability.expected",
                "The adapter claims exactly the capabilities that its harness expects, so a claim that was lost in a port is noticed.",
                needs: [.capabilities]
            ) { w in
                let expected = try w.need(w.environment.expectedCapabilities, "the harness expects no capabilities")
                let claimed = w.client().capabilities
                func names(_ some: Set<Capability>) -> String { some.map(\.rawValue).sorted().joined(separator: ", ") }
                let (lost, new) = (expected.subtracting(claimed), claimed.subtracting(expected))
                w.expect(lost.isEmpty, "the adapter does not claim \(names(lost))")
                w.expect(new.isEmpty, "the harness does not expect \(names(new))")
            }
        ]
        + Capability.all.map { capability in
            Contract(
                "capability.\(capability.dotted).refused-unclaimed",
                "If `\(capability)` is not claimed, its call is rejected before a request is sent.",
                appliesTo: .notClaiming(capability),
                needs: [.trace], buildsOn: Attempt.of(capability)?.buildsOn ?? []
            ) { w in
                guard let attempt = Attempt.of(capability) else {
                    throw NotApplicable("the client has no call for \(capability)")
                }
                let client = w.client()
                let call = try await attempt.prepare(w, client)
                try await w.expectRequests(0...0, "trying \(capability)") {
                    await w.refused(.unsupported, .responseNotAccepted, of: capability.rawValue) { () async throws(AuthError) in
                        try await call.result(on: client).get()
                    }
                }
            }
        }
        + Attempt.calls.map { capability in
            Contract(
                "capability.\(capability.dotted).asked-where-claimed",
                "If `\(capability)` is claimed, its call sends a request to the backend, and never fails with `unsupported`.",
                appliesTo: .claiming(capability), needs: [.trace]
            ) { w in
                guard let attempt = Attempt.of(capability) else {
                    throw NotApplicable("the client has no call for \(capability)")
                }
                let client = w.client()
                let call = try await attempt.prepare(w, client)
                let outcome = try await w.expectRequests(1...20, "a call of \(capability)") { await call.result(on: client) }
                let code = outcome.refusal?.code
                w.expect(code != .unsupported && code != .responseNotAccepted, "the call failed with \(named(outcome))")
            }
        }
}

extension World {
    /// Checks that a sign-in whose request meets `fault` is rejected with `code`.
    fileprivate func failingSignIn(
        with fault: Fault, as code: AuthError.Code, line: Int = #line
    ) async throws -> AuthError? {
        let (client, person, isByPassword) = (client(), stranger(), can(.password))
        try await fail(isByPassword ? .signIn : .any, with: fault, times: 1)
        return await refused(code, of: "a sign-in", line: line) { () async throws(AuthError) in
            isByPassword
                ? try await client.signIn(with: person.credential) : try await client.signIn(with: .emailCode(person.email))
        }
    }
}

extension Capability {
    /// The name of the capability in contract ids, such as `account-deletion`.
    public var dotted: String {
        rawValue.reduce(into: "") { text, character in
            if character.isUppercase { text += text.isEmpty ? "" : "-" }
            text += character.lowercased()
        }
    }
}
