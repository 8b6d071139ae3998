internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// Reads Clerk's links without a request.
struct ClerkCallbacks: CallbackReading {
    let addresses: [CallbackAddress]

    func read(_ callback: Callback) -> CallbackContent {
        guard addresses.contains(where: { $0.matches(callback) }) else { return .notOurs }
        let parameters = callback.parameters
        if let code = parameters["error"] ?? parameters["clerk_error"] {
            return .refusal(
                AuthError(
                    .providerRefused, "The round trip ended with a refusal; see the provider's own words.",
                    remedies: [.startAgain],
                    provider: ProviderDetail(code: code, message: parameters["error_description"], of: callback)))
        }
        if parameters["flow_id"] != nil, parameters["approval_token"] != nil {
            return .proof(kinds: [.signIn, .confirmation], state: nil)
        }
        // A round trip that did neither sign in nor add comes back without a nonce (reference: FAPI, OAuth redirect).
        if parameters.isEmpty || parameters["rotating_token_nonce"] != nil || parameters["created_session_id"] != nil {
            return .proof(kinds: [.signIn, .linking], state: nil)
        }
        return .refusal(
            AuthError(
                .linkInvalid, "The link carries nothing that Clerk's links carry. Ask for a new one.", remedies: [.startAgain]))
    }
}
