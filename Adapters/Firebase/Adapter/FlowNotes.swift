internal import Lockstep
internal import LockstepCrypto
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
        /// Which message was sent.
        case message
        /// When it was sent, in milliseconds.
        case sentAt
        /// The code of a link that was checked and not yet used.
        case oobCode
        /// A session that the flow has created and not yet returned.
        case session
        /// The user that the flow must end with.
        case user
        /// Firebase's pending credential, until the second factor is proven.
        case pendingCredential
        /// The second factors to choose from, and the one that was chosen.
        case factors, factor
        /// The SMS that was sent for it.
        case smsSession
    }

    /// The finished parts of calls that take several requests.
    enum Part: String {
        case account, displayName, message, newPassword
    }

    subscript(note: Note) -> Secret? {
        get { self[note.rawValue] }
        set { self[note.rawValue] = newValue }
    }

    /// A note that is not secret.
    func text(_ note: Note) -> String? { self[note]?.reveal() }

    func note(_ note: Note, _ text: String?) { self[note] = text.map { Secret($0) } }

    func complete(_ part: Part) { complete(part.rawValue) }

    func hasCompleted(_ part: Part) -> Bool { completed.contains(part.rawValue) }

    /// When the message was sent.
    var sentAt: Instant? { text(.sentAt).flatMap { Int64($0) }.map { Instant(milliseconds: $0) } }

    /// The message that was sent last.
    var message: Message? { text(.message).flatMap { Message(rawValue: $0) } }

    /// The session that the flow has created and not yet returned.
    var unfinishedSession: Session? {
        get { read(Session.self, .session) }
        set { write(newValue, .session) }
    }

    /// The second factors to choose from.
    var factors: [FactorChoice] {
        get { read([FactorChoice].self, .factors) ?? [] }
        set { write(newValue, .factors) }
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ note: Note) -> Value? {
        guard let text = self[note]?.reveal() else { return nil }
        return try? JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private func write(_ value: (some Encodable)?, _ note: Note) {
        let encoder = JSONEncoder()
        encoder.userInfo[.revealsSecrets] = true
        let bytes = value.flatMap { try? encoder.encode($0) }
        self.note(note, bytes.map { String(decoding: $0, as: UTF8.self) })
    }

    /// A digest that identifies a secret without revealing it.
    static func digest(_ text: String) -> String { String(Hex.encode(HashFunction.sha256.digest(text)).prefix(32)) }
}
