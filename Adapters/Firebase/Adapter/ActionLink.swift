internal import Lockstep

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
