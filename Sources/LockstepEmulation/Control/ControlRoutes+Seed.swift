internal import LockstepPrimitives

extension ControlRoutes {
    /// The state as a seed, if the emulator has an administrator for it.
    var seed: [ControlRoute] {
        guard let seeds = panel.seeds else { return [] }
        return [
            ControlRoute("GET", "/seed", "Returns the state as a seed, with password hashes.") { _ in
                .json(try seeds.current().json)
            },
            ControlRoute("PUT", "/seed", "Replaces the state with a seed. Each later reset goes back to this seed.") { request in
                let seed = try Seed(request.body)
                return .later { .json(["users": .int(Int64(try await seeds.plant(seed)))]) }
            },
        ]
    }
}

extension SeedProblem {
    /// The refusal of a control route.
    var refusal: ControlError { ControlError(kind == .malformed ? 400 : 422, description) }
}
