internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// Reads a link without a request.
struct FirebaseCallbacks: CallbackReading {
    let addresses: [CallbackAddress]

    func decides(_ name: String) -> Bool { Self.decides(name) }

    static func decides(_ name: String) -> Bool {
        ["mode", "oobCode", "link"].contains(name) || Callback.namesOfProofs.contains(name)
            || Callback.namesOfIdentities.contains(name)
    }

    func read(_ callback: Callback) -> CallbackContent {
        guard addresses.contains(where: { $0.matches(callback) }) else { return .notOurs }
        if let link = ActionLink(callback) { return .proof(kinds: link.message.kinds, state: nil) }
        let parameters = callback.parameters
        if let error = parameters["error"] ?? parameters["error_code"] {
            return .refusal(
                AuthError(
                    .providerRefused, "The identity provider's page returned an error; see `provider.message`.",
                    remedies: [.startAgain],
                    provider: ProviderDetail(code: error, message: parameters["error_description"], of: callback)))
        }
        if let state = parameters["state"], parameters["code"] != nil || callback.bringsIdentity {
            guard !callback.bringsIdentity else { return .refusal(ActionLink.unreadable) }
            return .proof(kinds: [.signIn, .linking, .reauthentication], state: Secret(state))
        }
        // A page that has used the verification itself redirects without parameters, so the app polls.
        return parameters["oobCode"] == nil ? .notOurs : .refusal(ActionLink.unreadable)
    }
}

extension Callback {
    /// Whether the URL has parameters from which Firebase would read an identity, or a verification in its fragment.
    ///
    /// An attacker can add both to any link of the app. The page of a redirect adds a code and a state, in the query.
    /// Parameters that browsers and analytics add have no effect, and the fragment is not sent.
    var bringsIdentity: Bool {
        !Self.namesOfProofs.isDisjoint(with: fragmentNames) || !Self.namesOfIdentities.isDisjoint(with: parameters.keys)
    }

    static let namesOfIdentities: Set<String> = [
        "providerId", "id_token", "access_token", "refresh_token", "oauth_token", "oauth_token_secret", "SAMLResponse", "nonce",
        "postBody",
    ]
}

/// One of Firebase's links, parsed: `…?mode=verifyEmail&oobCode=…`.
struct ActionLink {
    /// The message that contained the link.
    let message: Message
    /// The one-time code.
    let code: String

    /// Reads an action link; the result is `nil` for any other link, and for a link that only Firebase's pages handle.
    init?(_ callback: Callback) {
        // Links for apps wrap the link for browsers.
        if let inner = callback.parameters["link"], callback.parameters["oobCode"] == nil {
            guard let unwrapped = try? Callback(inner, deciding: FirebaseCallbacks.decides), unwrapped.parameters["link"] == nil,
                let link = ActionLink(unwrapped)
            else {
                return nil
            }
            self = link
            return
        }
        guard let message = callback.parameters["mode"].flatMap(Message.init(mode:)), let code = callback.parameters["oobCode"],
            !code.isEmpty
        else { return nil }
        self.message = message
        self.code = code
    }

    static let unreadable = AuthError(
        .linkInvalid,
        "This link does not have the form of Firebase's links: a code with a known mode, and no tokens. Request a new link.",
        remedies: [.resend, .startAgain])
}
