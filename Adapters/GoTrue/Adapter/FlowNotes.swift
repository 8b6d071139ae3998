import Lockstep
import LockstepPrimitives

extension FlowMemory {
    /// What is kept of a flow between its steps.
    enum Note: String {
        /// The address that the message went to.
        case email
        /// The address that the account has until the new one is proven.
        case formerEmail
        /// The number that the message went to.
        case phone
        /// Which message was sent.
        case message
        /// When it was sent, in milliseconds.
        case sentAt
        /// Whether an unknown address may become an account.
        case createsAccount
        /// What the code in a link that comes back is exchanged with (PKCE).
        case verifier
        /// Tokens of a session that is not finished: a second factor, or a new password, is missing.
        case accessToken, refreshToken
        /// The second factor that was chosen.
        case factor
        /// The challenge of that factor, where it was sent one.
        case factorChallenge
        /// The only user whom the flow may end with.
        case user
        /// The access token of the session that the flow's session takes the place of.
        case formerToken
    }

    subscript(note: Note) -> Secret? {
        get { self[note.rawValue] }
        set { self[note.rawValue] = newValue }
    }

    /// A note that is no secret.
    func text(_ note: Note) -> String? { self[note]?.reveal() }

    func note(_ note: Note, _ text: String?) { self[note] = text.map { Secret($0) } }
}
