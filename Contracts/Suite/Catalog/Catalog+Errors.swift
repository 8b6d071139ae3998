public import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Errors of the backend.
    public static let errors: [Contract] = [
        Contract(
            "error.unknown-code", "An unknown provider code becomes `unknown` with the raw code kept.",
            appliesTo: .claiming(.password),
            needs: [.faults]
        ) { w in
            let raw = "flux_capacitor_empty"
            try await w.fail(.signIn, with: .unknownCode(raw), times: 1)
            let error = await w.refused(.unknown, of: "a sign-in") { () async throws(AuthError) in
                try await w.client().signIn(with: w.stranger().credential)
            }
            w.expect(error?.provider?.code?.lowercased() == raw, "the raw code is lost")
        },

        Contract(
            "error.rate-limited", "A rate limit is `tooManyRequests` with its time.", appliesTo: .claiming(.password),
            needs: [.faults]
        ) { w in
            try await w.fail(.signIn, with: .rateLimited(retryAfter: .seconds(42)), times: 1)
            let error = await w.refused(.tooManyRequests, of: "a sign-in too many") { () async throws(AuthError) in
                try await w.client().signIn(with: w.stranger().credential)
            }
            w.expect(error?.retry.isAbout(.seconds(42)) == true, "the time is lost")
        },
    ]

    /// Capabilities that are not claimed are refused, and none is claimed by hand.
    public static let capabilities: [Contract] =
        [
            /// Cases: K07.
            Contract(
                "capability.claims-are-strategies", "What is claimed has a strategy or power behind it, and the reverse."
            ) { w in
                let behind = w.environment.adapter.whatIsBehind
                let claimed = w.client().capabilities
                let (empty, hidden) = (claimed.subtracting(behind), behind.subtracting(claimed))
                w.expect(empty.isEmpty, "claimed with nothing behind: \(empty.map(\.rawValue).sorted())")
                w.expect(hidden.isEmpty, "not claimed, though it is there: \(hidden.map(\.rawValue).sorted())")
            }
        ]
        + Capability.all.map { capability in
            Contract(
                "capability.\(capability.dotted).refused-unclaimed",
                "`\(capability)` is refused where it is not claimed, before any request is sent.",
                appliesTo: .notClaiming(capability),
                needs: [.trace], buildsOn: Attempt.of(capability)?.buildsOn ?? []
            ) { w in
                guard let attempt = Attempt.of(capability) else {
                    throw NotApplicable("the client has no call for \(capability)")
                }
                let client = w.client()
                let flow = try await attempt.prepare(w, client)
                try await w.expectRequests(0...0, "trying \(capability)") {
                    await w.refused(.unsupported, .responseNotAccepted, of: capability.rawValue) { () async throws(AuthError) in
                        try await attempt.run(client, flow)
                    }
                }
            }
        }
}

extension Capability {
    /// As a part of a dotted id.
    public var dotted: String {
        rawValue.reduce(into: "") { text, character in
            if character.isUppercase { text += text.isEmpty ? "" : "-" }
            text += character.lowercased()
        }
    }
}

extension AuthAdapter {
    /// The capabilities that have code, found without asking for the claimed ones.
    fileprivate var whatIsBehind: Set<Capability> {
        var found = Set(signIn.capabilities)
        for strategy in verification { found.insert(strategy.capability) }
        if passwordReset != nil { found.insert(.passwordReset) }
        if profile != nil { found.insert(.displayName) }
        if profile?.takesPhoto == true { found.insert(.photo) }
        if profile?.takesMetadata == true { found.insert(.userMetadata) }
        if passwordChange != nil { found.insert(.passwordChange) }
        if emailChange != nil { found.insert(.emailChange) }
        if linking != nil { found.insert(.linking) }
        if secondFactors != nil { found.insert(.factorEnrolment) }
        if reauthentication != nil { found.insert(.reauthentication) }
        if accountDeletion != nil { found.insert(.accountDeletion) }
        if signOutScopes.contains(.others) { found.insert(.signOutOthers) }
        if signOutScopes.contains(.everywhere) { found.insert(.signOutEverywhere) }
        return found
    }
}
