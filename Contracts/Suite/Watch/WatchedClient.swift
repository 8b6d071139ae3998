internal import Lockstep
internal import LockstepPrimitives

/// A client that checks everything that an app can see: values, errors and states.
struct WatchedClient: WrappingClient {
    let base: any PortableClient
    let world: World
    let known: KnownUsers
    /// Whether the adapter's responses are changed.
    ///
    /// The backend then does not know their contents.
    let isAltered: Bool

    var watch: Watch { world.watch }

    /// Makes a call, and checks its result.
    func perform<C: ClientCall>(_ call: C) async throws(AuthError) -> C.Output {
        for secret in call.secrets {
            switch secret {
            case .value(let value, let what): watch.keep(value, what)
            case .link(let url): watch.keep(link: url)
            }
        }
        let effect = call.effect
        let start = await begin(effect)
        let observed = call.observed { await look(at: $0, C.name) }
        let outcome: Result<C.Output, AuthError> = await TraceContext.$current.withValue(watch.nextTrace()) {
            do throws(AuthError) { return .success(try await base.perform(observed)) } catch { return .failure(error) }
        }
        let result: CallResult =
            switch outcome {
            case .success(let output): C.result(output)
            case .failure(let error): .refusal(error)
            }
        await lookAfterwards(C.name, effect, since: start, at: result)
        // The stored session comes from a sign-in in an earlier launch.
        if case .state(let state) = result, let session = state.session { known.note(session.user.id) }
        return try outcome.get()
    }
}
