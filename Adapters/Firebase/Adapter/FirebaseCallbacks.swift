internal import Lockstep
internal import LockstepPrimitives
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
        // An attacker can put a fragment behind any link of the app's.
        if let state = parameters["state"], parameters["code"] ?? parameters["oauth_verifier"] != nil,
            callback.fragmentNames.isDisjoint(with: ["state", "code", "oauth_verifier"])
        {
            return .proof(kinds: [.signIn, .linking, .reauthentication], state: Secret(state))
        }
        // A page that has taken the proof itself leads back with nothing to read: the app polls.
        return parameters["oobCode"] == nil ? .notOurs : .refusal(ActionLink.unreadable)
    }
}

/// One of Firebase's links, parsed: `…?mode=verifyEmail&oobCode=…`.
struct ActionLink {
    /// The message that it came with.
    let message: Message
    /// The one-time code.
    let code: String

    /// `nil` for any other link, and for one that only Firebase's pages take.
    init?(_ callback: Callback) {
        // Links for apps wrap the link for browsers.
        if let inner = callback.parameters["link"], callback.parameters["oobCode"] == nil {
            guard let unwrapped = try? Callback(inner), unwrapped.parameters["link"] == nil, let link = ActionLink(unwrapped)
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
        .linkInvalid, "This link carries no proof that Firebase gives out. Ask for a new one.", remedies: [.resend, .startAgain])
}
