internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// Reads Clerk's links without a request.
struct ClerkCallbacks: CallbackReading {
    let addresses: [CallbackAddress]

    func decides(_ name: String) -> Bool { Self.decides(name) }

    static func decides(_ name: String) -> Bool { own.contains(name) || Callback.namesOfProofs.contains(name) }

    private static let own: Set<String> = [
        "clerk_error", "flow_id", "approval_token", "rotating_token_nonce", "created_session_id", "__clerk_ticket",
        "__clerk_status", "__clerk_created_session",
    ]

    func read(_ callback: Callback) -> CallbackContent {
        guard addresses.contains(where: { $0.matches(callback) }) else { return .notOurs }
        let parameters = callback.parameters
        if let code = parameters["error"] ?? parameters["clerk_error"] {
            return .refusal(
                AuthError(
                    .providerRefused, "The identity provider returned an error; see `provider.message`.",
                    remedies: [.startAgain],
                    provider: ProviderDetail(code: code, message: parameters["error_description"], of: callback)))
        }
        if let status = parameters["__clerk_status"] {
            return ClerkTicket(callback) == nil ? .refusal(refusal(status, callback)) : .proof(kinds: [], state: nil)
        }
        if parameters["flow_id"] != nil, parameters["approval_token"] != nil {
            return .proof(kinds: [.signIn, .confirmation], state: nil)
        }
        // A redirect that neither signed in nor added an account returns without a nonce (Clerk's Frontend API, OAuth
        // redirect). Parameters that browsers and analytics add to it have no meaning.
        let isBare = !parameters.keys.contains { decides($0) }
        if isBare || parameters["rotating_token_nonce"] != nil || parameters["created_session_id"] != nil {
            return .proof(kinds: [.signIn, .linking], state: nil)
        }
        return .refusal(
            AuthError(
                .linkInvalid, "The link does not have the parameters of a Clerk link. Request a new link.",
                remedies: [.startAgain]))
    }

    /// Returns the error for the status that Clerk's own pages add to a link.
    private func refusal(_ status: String, _ callback: Callback) -> AuthError {
        let meaning: ErrorMeaning =
            switch status {
            case "verified":
                ErrorMeaning(
                    .linkUsed,
                    "The link was opened, and the sign-in continues on the device that requested the link. Continue there.")
            case "complete":
                ErrorMeaning(
                    .emailAlreadyInUse, "The invitation was already accepted. Sign in to its account.", [.signIn])
            case "expired": ErrorMeaning(.linkExpired, "The link has expired. Request a new link.", [.resend, .startAgain])
            case "client_mismatch":
                ErrorMeaning(
                    .flowStartedElsewhere,
                    "The link was opened in another browser or on another device. Open it on the device that requested it.",
                    [.startAgain])
            case "transferable":
                ErrorMeaning(.userNotFound, "No account uses the address of this link. Sign up.", [.startAgain])
            default: ErrorMeaning(.linkInvalid, "Clerk rejects the link. Request a new link.", [.resend, .startAgain])
            }
        return AuthError(
            meaning.code, meaning.sentence, retry: meaning.retry, remedies: meaning.remedies,
            provider: ProviderDetail(code: status, message: nil, of: callback))
    }
}

/// An invitation, or a ticket of the app's server, in a link: `…?__clerk_ticket=…&__clerk_status=sign_up`.
struct ClerkTicket {
    let token: Secret
    /// Whether the ticket creates an account.
    let isSignUp: Bool

    /// `nil` for any other link.
    init?(_ callback: Callback) {
        guard let token = callback.parameters["__clerk_ticket"], !token.isEmpty,
            let status = callback.parameters["__clerk_status"],
            ["sign_up", "sign_in"].contains(status)
        else { return nil }
        self.token = Secret(token)
        isSignUp = status == "sign_up"
    }
}
