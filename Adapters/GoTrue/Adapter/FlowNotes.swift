internal import Lockstep
internal import LockstepPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension FlowMemory {
    /// Values that a flow keeps between its steps.
    enum Note: String {
        /// The address that the message went to.
        case email
        /// The account's current address, until the new one is proven.
        case formerEmail
        /// The number that the message went to.
        case phone
        /// Which message was sent.
        case message
        /// When it was sent, in milliseconds.
        case sentAt
        /// Whether an unknown address may become an account.
        case createsAccount
        /// The verifier that the code of a returning link is exchanged with (PKCE).
        case verifier
        /// An unfinished session: a second factor, or a new password, is missing.
        case session
        /// The second factor that was chosen.
        case factor
        /// The open challenge of that factor.
        case factorChallenge
        /// The masked number that gets that factor's codes.
        case factorPhone
        /// An unverified factor, which the flow adds to the signed-in user.
        case enrolledFactor
        /// Whether a passkey is made (`create`) or used (`request`).
        case ceremony
        /// The open challenge of a passkey that signs in, or is added to the user.
        case passkeyChallenge
        /// The user that the flow must end with.
        case user
    }

    subscript(note: Note) -> Secret? {
        get { self[note.rawValue] }
        set { self[note.rawValue] = newValue }
    }

    /// A note that is not secret.
    func text(_ note: Note) -> String? { self[note]?.reveal() }

    func note(_ note: Note, _ text: String?) { self[note] = text.map { Secret($0) } }

    /// When the message was sent.
    var sentAt: Instant? { text(.sentAt).flatMap { Int64($0) }.map { Instant(milliseconds: $0) } }

    /// The message that was sent last.
    var message: Message? { text(.message).flatMap(Message.init) }

    /// The session that is not finished.
    var unfinishedSession: Session? {
        get {
            guard let text = self[.session]?.reveal() else { return nil }
            return try? JSONDecoder().decode(Session.self, from: Data(text.utf8))
        }
        set {
            let encoder = JSONEncoder()
            encoder.userInfo[.revealsSecrets] = true
            let bytes = newValue.flatMap { try? encoder.encode($0) }
            note(.session, bytes.map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Prepares for a purpose: stores the user that the flow must end with.
    func prepare(for purpose: CredentialPurpose) {
        switch purpose {
        case .signUp, .signIn: break
        case .link(let session), .reauthenticate(let session): note(.user, session.user.id)
        }
    }
}
