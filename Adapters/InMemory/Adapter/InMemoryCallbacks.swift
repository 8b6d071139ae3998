internal import Lockstep
internal import LockstepPrimitives

/// Reads the links of an in-memory backend: `?token=…&kind=…&state=…`, or `?error=…` for a refusal.
struct InMemoryCallbacks: CallbackReading {
    let addresses: [CallbackAddress]

    func read(_ callback: Callback) -> CallbackContent {
        if let error = callback.parameters["error"] {
            return .refusal(
                AuthError(
                    .providerRefused, "The user or the identity provider said no.", remedies: [.startAgain],
                    provider: ProviderDetail(code: error)))
        }
        guard callback.parameters["token"] != nil, let kind = callback.parameters["kind"].flatMap(Flow.Kind.init(rawValue:))
        else {
            return .notOurs
        }
        return .proof(kinds: [kind], state: callback.parameters["state"].map { Secret($0) })
    }
}
