internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let pages: [Mutant<World>] = [
        Mutant(
            "privacy.page-keeps-no-secret", "puts the verifier into the address of the page",
            Mutation(adapter: { adapter, environment in
                AlteredAdapter(adapter) { changes in
                    changes.redirecting = { redirect, flow in
                        let verifier = environment.randomness.text(43)
                        flow["kept"] = Secret(verifier)
                        var redirect = redirect
                        redirect.url += "&kept=\(verifier)"
                        return redirect
                    }
                }
            }))
    ]

    static let errors: [Mutant<World>] = [
        .renaming("error.unknown-code", "reports every error as a network error", .unknown, .network),
        .failingSignIn("error.rate-limited", "loses the time to wait") { error, _ in
            if error.code == .tooManyRequests { error.retry = .now }
        },
        .failingSignIn("privacy.canary", "shows the password in an error") { error, password in
            if let password { error.message += " (\(password.reveal()))" }
        },
        .failingSignIn("privacy.quotations", "shows the password in Base64 in the provider's message") { error, password in
            // The contract privacy.canary checks the other errors. This contract builds on it.
            if error.code == .unknown, let password { error.provider?.message = Base64.encode(Array(password.reveal().utf8)) }
        },
        .failingSignIn("privacy.own-sentences", "masks the password in the client's own messages") { error, password in
            let words = error.message.split(separator: " ").map { word in
                word.lowercased() == password?.reveal() ? Secret.mask : String(word)
            }
            error.message = words.joined(separator: " ")
        },
        .client("privacy.canary", "shows the address in an event") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                if let password = credential as? PasswordCredential {
                    context.events(AuthEvent(.callBegan, at: context.environment.clock.now, [.call: "signIn " + password.email]))
                }
                return try await base.signIn(with: credential)
            }
        },
        .alone("privacy.canary", "shows the session's id in an event") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                if let id = step.session?.id {
                    context.events(AuthEvent(.sessionAdopted, at: context.environment.clock.now, [.session: id]))
                }
                return step
            }
        },
        .alone("privacy.canary", "adds an undocumented field to an event") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let field = AuthEvent.Field(rawValue: "mutant")
                context.events(AuthEvent(.stateChanged, at: context.environment.clock.now, [.state: "restoring", field: "yes"]))
                return try await base.signIn(with: credential)
            }
        },
        .client("privacy.canary", "shows the refresh token in the event of a sign-out") { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                let token = base.state.session?.refreshToken.reveal()
                context.events(
                    AuthEvent(.sessionEnded, at: context.environment.clock.now, [.reason: "revoked", .verdict: token ?? ""]))
                try await base.signOut(scope, discardingAnonymousUser: discarding)
            }
        },
        .client("privacy.canary", "shows the complete URL of a request in an event") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                if let id = step.session?.user.id {
                    context.events(AuthEvent(.requestBegan, at: context.environment.clock.now, [.route: "/users/" + id]))
                }
                return step
            }
        },
    ]

    static let capabilities: [Mutant<World>] =
        [
            .client("capability.expected", "does not claim its last capability") { faulty, _ in
                faulty.claims = { claims in claims.subtracting(claims.sorted { $0.rawValue < $1.rawValue }.suffix(1)) }
            },
            .client("capability.expected", "claims a capability that nobody expects") { faulty, _ in
                faulty.claims = { $0.union([Capability(rawValue: "telepathy")]) }
            },
        ]
        + Capability.all.map { capability in
            trying("refused-unclaimed", capability, "sends a request for an unclaimed capability") {
                isClaimed, context throws(AuthError) in
                if !isClaimed { await context.waste() }
            }
        }
        + Capability.all.filter { Catalog["capability.\($0.dotted).asked-where-claimed"] != nil }.map { capability in
            trying("asked-where-claimed", capability, "rejects a claimed capability as unsupported") {
                isClaimed, context throws(AuthError) in
                if isClaimed { throw .unsupported(capability, by: context.adapter.name) }
            }
        }

    /// Creates a mutant whose client does something else before each call that needs a capability.
    private static func trying(
        _ rule: String, _ capability: Capability, _ summary: String,
        _ before: @escaping @Sendable (_ isClaimed: Bool, Mutation.Context) async throws(AuthError) -> Void
    ) -> Mutant<World> {
        .alone("capability.\(capability.dotted).\(rule)", summary) { faulty, context in
            let isClaimed = faulty.base.capabilities.contains(capability)
            faulty.base = HinderedClient(base: faulty.base, capability: capability) { () async throws(AuthError) in
                try await before(isClaimed, context)
            }
        }
    }
}

/// A client that does something else before each call that needs a capability.
private struct HinderedClient: WrappingClient {
    let base: any PortableClient
    let capability: Capability
    let before: @Sendable () async throws(AuthError) -> Void

    func perform<C: ClientCall>(_ call: C) async throws(AuthError) -> C.Output {
        if call.capability == capability { try await before() }
        return try await base.perform(call)
    }
}
