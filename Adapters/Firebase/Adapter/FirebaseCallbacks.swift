internal import Lockstep
internal import LockstepWire

/// Reads a link without a request.
struct FirebaseCallbacks: CallbackReading {
    let addresses: [CallbackAddress]

    func read(_ callback: Callback) -> CallbackContent {
        guard addresses.contains(where: { $0.matches(callback) }) else { return .notOurs }
        if let link = ActionLink(callback) { return .proof(kinds: link.message.kinds, state: nil) }
        let parameters = callback.parameters
        if let error = parameters["error"] ?? parameters["error_code"] {
            return .refusal(
                AuthError(
                    .providerRefused, "The page ended with a refusal; see the provider's own words.", remedies: [.startAgain],
                    provider: ProviderDetail(code: error, message: parameters["error_description"], of: callback)))
        }
        // A page that has taken the proof itself leads back with nothing to read: the app polls.
        return parameters["oobCode"] == nil ? .notOurs : .refusal(ActionLink.unreadable)
    }
}
