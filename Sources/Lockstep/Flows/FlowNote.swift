public import LockstepPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The name and type of a value that an adapter keeps in a flow's memory between its steps.
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
/// The name is stored with the flow. So a new version of an adapter must still read the notes of the previous version.
public struct FlowNote<Value: Sendable>: Sendable, ExpressibleByStringLiteral {
    /// The name under which the value is stored.
    public let name: String

    /// Creates a note from its name.
    public init(stringLiteral name: String) { self.name = name }
}

extension FlowMemory {
    /// A secret of this flow.
    ///
    /// Setting `nil` removes it.
    ///
    /// Never store a password in a note: use an unstored note.
    public subscript(note: FlowNote<Secret>) -> Secret? {
        get { self[note.name] }
        set { self[note.name] = newValue }
    }

    /// A text of this flow.
    ///
    /// Setting `nil` removes it.
    public subscript(note: FlowNote<String>) -> String? {
        get { self[note.name]?.reveal() }
        set { self[note.name] = newValue.map { Secret($0) } }
    }

    /// A timestamp of this flow.
    ///
    /// Setting `nil` removes it.
    public subscript(note: FlowNote<Instant>) -> Instant? {
        get { self[note.name].flatMap { Int64($0.reveal()) }.map { Instant(milliseconds: $0) } }
        set { self[note.name] = newValue.map { Secret(String($0.milliseconds)) } }
    }

    /// A session that the flow received before its end, with its tokens.
    ///
    /// Setting `nil` removes it.
    public subscript(note: FlowNote<Session>) -> Session? {
        get { read(note) }
        set { write(newValue, note) }
    }

    /// The second factors to choose from.
    ///
    /// Setting `nil` removes them.
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
    /// A session that still requires a second factor, a new password or a message.
    public static var unfinishedSession: Self { "session" }
}

extension FlowNote<String> {
    /// The id of the user that the flow must end with, if a user is signed in.
    public static var requiredUser: Self { "user" }
}

extension FlowMemory {
    /// Stores the user that a flow must end with.
    ///
    /// - Parameter purpose: The purpose of the flow.
    public func prepare(for purpose: CredentialPurpose) {
        switch purpose {
        case .signUp, .signIn: break
        case .link(let session), .reauthenticate(let session): self[.requiredUser] = session.user.id
        }
    }

    /// Returns whether the flow must end with another user.
    ///
    /// - Parameter session: The session to compare with.
    /// - Returns: Whether its user is not the required one.
    public func requiresAnotherUser(than session: Session) -> Bool {
        self[.requiredUser].map { $0 != session.user.id } ?? false
    }
}
