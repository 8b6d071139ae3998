internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let owner: [Mutant<World>] = [
        .laundering(
            "session.refresh.other-user", "returns a refreshed session as the session of the expected user", [.refresh]),
        .laundering("session.owner.account", "returns a reloaded session as the session of the expected user", [.reload]),
        .laundering("session.owner.account", "returns any changed user as the expected user", [.account]),
        .laundering("session.owner.flow", "returns any user as the user with the address", [.flow]),
        Mutant(
            "session.owner.stored", "trusts the user id and not the token",
            Mutation(store: { store, _ in
                var faulty = MutantStore(base: store)
                faulty.onLoad = { base, key async throws(StoreError) in
                    guard let value = try await base.load(key), key.slot == .session else { return try await base.load(key) }
                    guard var envelope = try? JSON.parse(value.bytes).object, var session = envelope["value"]?.object,
                        var claims = session["claims"]?.object, claims["sub"] != nil
                    else { return value }
                    claims["sub"] = session["user"]?["id"]
                    session["claims"] = .object(claims)
                    envelope["value"] = .object(session)
                    return StoredValue(bytes: JSON.object(envelope).bytes(), revision: value.revision)
                }
                return faulty
            })),
    ]
}

extension Mutant<World> {
    /// Creates a mutant whose adapter puts the requested user's id into every response.
    fileprivate static func laundering(_ breaks: String, _ summary: String, _ calls: Set<AlteredAdapter.Call>) -> Mutant<World> {
        Mutant(
            breaks, summary,
            Mutation(adapter: { adapter, _ in
                AlteredAdapter(adapter) { changes in
                    changes.answering = { call, asked, address, response throws(AuthError) in
                        guard calls.contains(call) else { return response }
                        var laundered = response
                        if let asked { laundered.user.id = asked.user.id }
                        if asked == nil, let address { laundered.user.email = address }
                        if response.claims["sub"] != nil { laundered.claims["sub"] = .string(laundered.user.id) }
                        return laundered
                    }
                }
            }))
    }
}
