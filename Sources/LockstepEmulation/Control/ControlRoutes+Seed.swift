internal import LockstepPrimitives

extension ControlRoutes {
    /// The routes of seeds; none if the emulator cannot replace its state.
    var seed: [ControlRoute] {
        guard let seeds = panel.seeds else { return [] }
        return [
            ControlRoute("GET", "/seed", "Returns the state as a seed, with password hashes.") { _ in
                .json(try seeds.current().json)
            },
            ControlRoute("PUT", "/seed", "Replaces the state with a seed. Each later reset restores this seed.") { request in
                let seed = try Seed(request.body)
                return .later { .json(["users": .int(Int64(try await seeds.plant(seed)))]) }
            },
        ]
    }
}

extension SeedProblem {
    /// The response of a control route to this problem.
    var refusal: ControlError { ControlError(kind == .malformed ? 400 : 422, description) }
}
