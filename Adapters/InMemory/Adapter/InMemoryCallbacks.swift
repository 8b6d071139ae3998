internal import Lockstep
internal import LockstepPrimitives

/// Reads the links of an in-memory backend: `?token=…&kind=…&state=…`, `?ticket=…` for an invitation, or `?error=…` for
/// an error.
struct InMemoryCallbacks: CallbackReading {
    let addresses: [CallbackAddress]
    var linksComeWithCodes = false

    func decides(_ name: String) -> Bool { name == "kind" || Callback.namesOfProofs.contains(name) }

    func read(_ callback: Callback) -> CallbackContent {
        if let error = callback.parameters["error"] {
            return .refusal(
                AuthError(
                    .providerRefused, "The user or the identity provider declined the sign-in.", remedies: [.startAgain],
                    provider: ProviderDetail(code: error)))
        }
        if callback.parameters["ticket"] != nil { return .proof(kinds: [], state: nil) }
        guard callback.parameters["token"] != nil, let kind = callback.parameters["kind"].flatMap(Flow.Kind.init(rawValue:))
        else {
            return .notOurs
        }
        return .proof(kinds: [kind], state: callback.parameters["state"].map { Secret($0) })
    }
}
