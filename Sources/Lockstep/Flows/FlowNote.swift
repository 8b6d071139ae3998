public import LockstepPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The name and type of a value that an adapter keeps in memory between the steps of a flow.
///
/// ```swift
/// extension FlowNote<Secret> {
///     /// The verifier that the code of a returning link is exchanged with (PKCE).
///     static var verifier: Self { "verifier" }
/// }
///
/// func keep(_ key: ProofKey, in flow: FlowMemory) { flow[.verifier] = key.verifier }
/// ```
///
/// The client stores the name with the flow. So a new version of an adapter must still be able to read the notes of the
/// previous version.
public struct FlowNote<Value: Sendable>: Sendable, ExpressibleByStringLiteral {
    /// The name under which the value is stored.
    public let name: String

    /// Creates a note from its name.
    ///
    /// - Parameter name: The name under which the value is stored.
    public init(stringLiteral name: String) { self.name = name }
}

extension FlowMemory {
    /// Reads or sets a secret of this flow; `nil` removes the note.
    ///
    /// Never keep a password in this note. Use an unstored note instead.
    ///
    /// - Parameter note: The note.
    public subscript(note: FlowNote<Secret>) -> Secret? {
        get { self[note.name] }
        set { self[note.name] = newValue }
    }

    /// Reads or sets a string of this flow; `nil` removes the note.
    ///
    /// - Parameter note: The note.
    public subscript(note: FlowNote<String>) -> String? {
        get { self[note.name]?.reveal() }
        set { self[note.name] = newValue.map { Secret($0) } }
    }

    /// Reads or sets a point in time of this flow; `nil` removes the note.
    ///
    /// - Parameter note: The note.
    public subscript(note: FlowNote<Instant>) -> Instant? {
        get { self[note.name].flatMap { Int64($0.reveal()) }.map { Instant(milliseconds: $0) } }
        set { self[note.name] = newValue.map { Secret(String($0.milliseconds)) } }
    }

    /// Reads or sets a session that the flow received before it was completed; `nil` removes the note.
    ///
    /// The note contains the tokens of the session.
    ///
    /// - Parameter note: The note.
    public subscript(note: FlowNote<Session>) -> Session? {
        get { read(note) }
        set { write(newValue, note) }
    }

    /// Reads or sets the second factors from which the user can choose; `nil` removes the note.
    ///
    /// - Parameter note: The note.
    public subscript(note: FlowNote<[FactorChoice]>) -> [FactorChoice]? {
        get { read(note) }
        set { write(newValue, note) }
    }

    private func read<Value: Decodable>(_ note: FlowNote<Value>) -> Value? {
        self[note.name].flatMap { try? JSONDecoder.ofStoredValues.decode(Value.self, from: Data($0.reveal().utf8)) }
    }

    private func write<Value: Encodable>(_ value: Value?, _ note: FlowNote<Value>) {
        let bytes = value.flatMap { try? JSONEncoder.ofStoredValues.encode($0) }
        self[note.name] = bytes.map { Secret(String(decoding: $0, as: UTF8.self)) }
    }
}

extension FlowNote<Session> {
    /// The note with a session that the app cannot use until the user enters a second factor, a new password or a code.
    public static var unfinishedSession: Self { "session" }
}

extension FlowNote<String> {
    /// The note with the id of the signed-in user, if the flow must end with the same user.
    public static var requiredUser: Self { "user" }
}

extension FlowMemory {
    /// Stores the id of the signed-in user if the flow must end with the same user.
    ///
    /// - Parameter purpose: The purpose of the flow. The purposes that require the same user are to link a credential and to
    ///   sign in again.
    public func prepare(for purpose: CredentialPurpose) {
        switch purpose {
        case .signUp, .signIn: break
        case .link(let session), .reauthenticate(let session): self[.requiredUser] = session.user.id
        }
    }

    /// Returns whether the flow requires a different user than the session's user.
    ///
    /// - Parameter session: The session to compare with.
    /// - Returns: `true` if the flow requires a certain user, and the session belongs to a different user.
    public func requiresAnotherUser(than session: Session) -> Bool {
        self[.requiredUser].map { $0.exact != session.user.id.exact } ?? false
    }
}
