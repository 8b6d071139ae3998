internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    /// Faults for the contract about repeated reloads.
    static let quietReload: [Mutant<World>] = [
        .alone("session.reload.quiet", "gets a new token at each reload") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                let user = try await base.refreshUser()
                let answers = Keeper<Int>()
                _ = try? await base.authorized(AppRequest(url: "https://app.example.com/orders")) { request in
                    answers.value = (answers.value ?? 0) + 1
                    return AppResponse(status: answers.value == 1 ? 401 : 200, content: request.body)
                }
                return user
            }
        }
    ]
}
