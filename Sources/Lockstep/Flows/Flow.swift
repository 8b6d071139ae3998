public import LockstepPrimitives
internal import Synchronization

/// A sign-up, a sign-in or another flow that the user has not finished.
///
/// A flow contains no secrets, so an app can store, show and send it. The store keeps the secrets under the flow's id.
///
/// ```swift
/// if let flow = client.pending?.flow { try await client.cancel(flow) }
/// ```
public struct Flow: Sendable, Hashable, Codable, Identifiable {
    /// The goal of a flow.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Verifies the email address of an account, after a sign-up or during a sign-in.
        case confirmation
        /// Signs in.
        case signIn
        /// Replaces a forgotten password.
        case passwordReset
        /// Changes the email address of an account.
        case emailChange
        /// Adds an identity to the signed-in user.
        case linking
        /// Signs the signed-in user in again.
        case reauthentication

        /// Whether a user must be signed in for such a flow.
        var isOfSignedInUser: Bool { [.emailChange, .linking, .reauthentication].contains(self) }
    }

    /// The id of the flow on this device.
    public let id: String
    /// The goal of the flow.
    public let kind: Kind
    /// The capability with which the flow started.
    public let capability: Capability
    /// The time when the flow started, according to the device's clock.
    public let startedAt: Instant

    /// The time after which an open flow ends: seven days, or the lifetime of its code or link if that is longer.
    ///
    /// The first call or launch after that time ends the flow, and removes its secrets from memory and store. A later
    /// response to the flow fails with `flowNotFound`. See ``Challenge/expiresAt`` for the lifetime of a code or link.
    /// No provider accepts one for longer than a week, and until then the app can still send another message.
    public static let longestLife = Duration.seconds(7 * 24 * 3600)

    /// Creates a flow.
    ///
    /// - Parameters:
    ///   - id: The id of the flow on this device.
    ///   - kind: The goal of the flow.
    ///   - capability: The capability with which the flow started.
    ///   - startedAt: The time when the flow started.
    public init(id: String, kind: Kind, capability: Capability, startedAt: Instant) {
        self.id = id
        self.kind = kind
        self.capability = capability
        self.startedAt = startedAt
    }
}

/// The memory of a flow: the notes that an adapter keeps between the flow's steps.
///
/// The client stores the notes under the flow's id after every call, even after a failed call. The client deletes the
/// notes when the flow ends. A note about the device, such as a client token that survives sign-outs, belongs in the
/// device's notes (``subscript(device:)``).
public final class FlowMemory: Sendable {
    struct Contents: Sendable, Codable, Equatable {
        var flow: Flow
        var notes: [String: Secret] = [:]
        var completed: [String] = []
        /// The user whose session may complete the flow; `nil` if the user is not known.
        var user: String?
        /// The address or number with which the flow began, if no user was known.
        ///
        /// The user who completes the flow must have it.
        var address: String?
        /// Notes that are never stored; they are lost when the process ends.
        var unstored: [String: Secret] = [:]

        private enum CodingKeys: CodingKey { case flow, notes, completed, user, address }
    }

    struct State: Sendable {
        var contents: Contents
        var device: [String: Secret]
        var deviceChanges: [String: Secret?] = [:]
        var limitedSession: Session?
        var session: Session?
        var captcha: Secret?
        var handover: Handover?
        var saving: (@Sendable (FlowMemory) async -> Void)?
    }

    let state: Mutex<State>

    /// Creates an empty memory for a flow.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - device: The notes of the device. Default: none.
    public convenience init(of flow: Flow, device: [String: Secret] = [:]) {
        self.init(Contents(flow: flow), device: device)
    }

    /// Sequence number of the flow; results of older flows are rejected.
    let ordinal: Int
    /// Identifies a repeated call.
    let fingerprint: String

    init(
        _ contents: Contents, device: [String: Secret] = [:], ordinal: Int = 0, fingerprint: String = "", session: Session? = nil
    ) {
        self.ordinal = ordinal
        self.fingerprint = fingerprint
        state = Mutex(State(contents: contents, device: device, session: session))
    }

    var contents: Contents { state.withLock { $0.contents } }
    var limitedSession: Session? { state.withLock { $0.limitedSession } }
    /// The verification that the provider returned with an identity conflict.
    var handover: Handover? { state.withLock { $0.handover } }

    /// The notes about the device since the last call of this method.
    func takeDeviceChanges() -> [String: Secret?] {
        state.withLock { state in
            defer { state.deviceChanges = [:] }
            return state.deviceChanges
        }
    }

    /// The name of the note in which an adapter keeps the `state` of a redirect.
    ///
    /// The client rejects a callback with a different `state`.
    public static let stateNote = "state"

    /// The flow.
    ///
    /// An adapter can change the goal of the flow with ``become(_:)``.
    public var flow: Flow { state.withLock { $0.contents.flow } }

    /// Changes the goal of the flow.
    ///
    /// For example, a sign-in becomes a verification if the backend requires a verified email address first.
    ///
    /// - Parameter kind: The new goal.
    /// - Returns: The flow with the new goal.
    @discardableResult
    public func become(_ kind: Flow.Kind) -> Flow {
        state.withLock { state in
            let flow = state.contents.flow
            state.contents.flow = Flow(id: flow.id, kind: kind, capability: flow.capability, startedAt: flow.startedAt)
            return state.contents.flow
        }
    }

    /// The session of the signed-in user, or the session with limited rights; `nil` if neither exists.
    ///
    /// When a flow starts, the access token may have expired. When a flow continues, the access token is valid.
    public var session: Session? { state.withLock { $0.session } }

    /// Reads or sets a note of this flow; `nil` removes the note.
    ///
    /// Never keep a password in this note. Use an unstored note instead.
    ///
    /// - Parameter name: The name of the note.
    public subscript(name: String) -> Secret? {
        get { state.withLock { $0.contents.notes[name] } }
        set { state.withLock { $0.contents.notes[name] = newValue } }
    }

    /// Reads or sets a note of this flow that the client never stores, for example a password.
    ///
    /// The note stays in memory, so a relaunch loses it.
    ///
    /// - Parameter name: The name of the note.
    public subscript(unstored name: String) -> Secret? {
        get { state.withLock { $0.contents.unstored[name] } }
        set { state.withLock { $0.contents.unstored[name] = newValue } }
    }

    /// Returns the captcha token that the app passed, and removes it from the memory.
    ///
    /// The token is valid for one request only.
    ///
    /// - Returns: The token; `nil` if the app passed no token.
    public func takeCaptcha() -> Secret? {
        state.withLock { state in
            defer { state.captcha = nil }
            return state.captcha
        }
    }

    /// Passes a captcha token to the next request.
    ///
    /// The token is never stored.
    func give(captcha token: Secret?) { state.withLock { $0.captcha = token } }

    /// Reads or sets a note of this device, for this provider and backend; `nil` removes the note.
    ///
    /// The note is kept when a flow or session ends.
    ///
    /// - Parameter name: The name of the note.
    public subscript(device name: String) -> Secret? {
        get { state.withLock { $0.device[name] } }
        set {
            state.withLock { state in
                guard state.device[name] != newValue else { return }
                state.device[name] = newValue
                state.deviceChanges.updateValue(newValue, forKey: name)
            }
        }
    }

    /// Stores the notes of this device immediately, before the call has ended.
    ///
    /// An adapter calls this method before a request if a later call needs the notes. The notes then survive even if
    /// the process ends during the request. Set the notes first.
    public func storeDeviceNotes() async { await state.withLock { $0.saving }?(self) }

    /// Sets the function that stores the notes of this device.
    func saveDeviceNotes(by saving: @escaping @Sendable (FlowMemory) async -> Void) { state.withLock { $0.saving = saving } }

    /// The parts of a call that are completed, in order, if the call needs several requests.
    public var completed: [String] { state.withLock { $0.contents.completed } }

    /// Marks a part of the call as completed.
    ///
    /// If the app repeats the call, the adapter continues after this part.
    ///
    /// - Parameter part: The name of the part.
    public func complete(_ part: String) {
        state.withLock { if !$0.contents.completed.contains(part) { $0.contents.completed.append(part) } }
    }

    /// Sets the session with limited rights that the provider created before the email address was verified.
    ///
    /// After this call, the flow can end only with a session of the same user.
    ///
    /// - Parameter session: The session with limited rights.
    public func grant(limited session: Session) {
        state.withLock { state in
            state.limitedSession = session
            if state.contents.user == nil { state.contents.user = session.user.id }
        }
    }

    /// Continues with a refreshed session.
    func use(_ session: Session) { state.withLock { $0.session = session } }

    /// Returns the session of the user for whom the request is sent.
    func userSession() throws(AuthError) -> Session {
        guard let session else { throw .notSignedIn }
        return session
    }

    /// The user whose session may complete the flow.
    var expectedUser: ExpectedUser {
        let contents = contents
        let isProof = contents.flow.kind == .reauthentication && contents.flow.capability != .passwordChange
        return ExpectedUser(id: contents.user, address: contents.address, isProof: isProof)
    }
}

/// An adapter's implementation of one way to continue a flow, usually for one kind of response.
public protocol VerificationStrategy: Sendable {
    /// The capability that this strategy adds to an adapter, such as `confirmationCode`, `poll` or `secondFactor`.
    var capability: Capability { get }

    /// Returns whether this strategy supports a kind of response in a kind of flow.
    ///
    /// - Parameters:
    ///   - response: The kind of response.
    ///   - kind: The kind of flow.
    /// - Returns: Whether the strategy supports the response.
    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool

    /// Lets the backend send the link or code of the flow again.
    ///
    /// - Parameter flow: The flow's memory, which keeps notes between the steps.
    /// - Returns: The new challenge.
    /// - Throws: `unsupported` if the backend cannot send the message again.
    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge

    /// Sends the user's response to the backend.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - flow: The flow's memory, which keeps notes between the steps.
    /// - Returns: The session, or the next step.
    /// - Throws: An `AuthError` of the adapter's error table. After an error the flow is unchanged, and a correct
    ///   response still works.
    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep
}

extension VerificationStrategy {
    /// Default: throws `unsupported`, because the backend cannot send the message again.
    ///
    /// - Parameter flow: The flow's memory, which keeps notes between the steps.
    /// - Returns: This implementation never returns.
    /// - Throws: `unsupported`.
    public func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        throw AuthError(.unsupported, "This step sends no message, so there is nothing to send again.")
    }
}
