public import LockstepPrimitives
internal import Synchronization

/// A sign-up, sign-in or other flow that is not finished.
///
/// It contains no secrets: those are in the store, under its id. So it can be stored, shown and sent anywhere.
public struct Flow: Sendable, Hashable, Codable, Identifiable {
    /// The goal of a flow.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Verifies the email address of an account: after a sign-up, or at a sign-in before it was verified.
        case confirmation
        /// Signs in.
        case signIn
        /// Replaces a forgotten password.
        case passwordReset
        /// Changes the email address of an account.
        case emailChange
        /// Adds an identity to the signed-in user.
        case linking
        /// Renews the sign-in of the signed-in user.
        case reauthentication

        /// Whether only a user who is signed in has such a flow.
        var isOfSignedInUser: Bool { [.emailChange, .linking, .reauthentication].contains(self) }
    }

    /// Identifies the flow on this device.
    public let id: String
    /// The goal of the flow.
    public let kind: Kind
    /// The capability that started it.
    public let capability: Capability
    /// The time when it started, by the device's clock.
    public let startedAt: Instant

    /// The maximum lifetime of a flow that is neither completed nor cancelled: seven days, or until its code or link
    /// expires (``Challenge/expiresAt``) if that is later.
    ///
    /// The first call or launch after that time ends it. Its secrets are removed from memory and store, and a response to
    /// it fails with `flowNotFound`.
    public static let longestLife = Duration.seconds(7 * 24 * 3600)

    /// Creates a flow.
    ///
    /// - Parameters:
    ///   - id: Identifies the flow on this device.
    ///   - kind: The goal of the flow.
    ///   - capability: The capability that started it.
    ///   - startedAt: The time when it started.
    public init(id: String, kind: Kind, capability: Capability, startedAt: Instant) {
        self.id = id
        self.kind = kind
        self.capability = capability
        self.startedAt = startedAt
    }
}

/// An adapter's notes about a flow between its steps.
///
/// The client stores them under the flow's id.
///
/// The client writes them after every call, also after a failed one, and deletes them when the flow ends. Notes about the
/// device rather than a flow, such as a client token that survives sign-outs, belong into the device's part.
public final class FlowMemory: Sendable {
    struct Contents: Sendable, Codable, Equatable {
        var flow: Flow
        var notes: [String: Secret] = [:]
        var completed: [String] = []
        /// The user whose session may end it, where that is known.
        var user: String?
        /// The address or number that it was begun with, where no user was known: the user who ends it must have it.
        var address: String?
        /// Notes that must not be stored; they end with the process.
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

    /// Creates an empty memory of a flow.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - device: The notes of the device. Default: none.
    public convenience init(of flow: Flow, device: [String: Secret] = [:]) {
        self.init(Contents(flow: flow), device: device)
    }

    /// Sequence number of the flow; results of older flows are rejected.
    let ordinal: Int
    /// Identifies a repetition of the call.
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
    /// The proof that came with an identity conflict.
    var handover: Handover? { state.withLock { $0.handover } }

    /// The notes about the device since the last call of this method.
    func takeDeviceChanges() -> [String: Secret?] {
        state.withLock { state in
            defer { state.deviceChanges = [:] }
            return state.deviceChanges
        }
    }

    /// The note in which an adapter keeps the `state` of a redirect.
    ///
    /// The client rejects a callback with another one.
    public static let stateNote = "state"

    /// The flow.
    ///
    /// An adapter can change its goal with ``become(_:)``.
    public var flow: Flow { state.withLock { $0.contents.flow } }

    /// Changes the goal of the flow, for example of a sign-in that requires a verified email address first.
    ///
    /// - Parameter kind: The new goal.
    /// - Returns: The flow.
    @discardableResult
    public func become(_ kind: Flow.Kind) -> Flow {
        state.withLock { state in
            let flow = state.contents.flow
            state.contents.flow = Flow(id: flow.id, kind: kind, capability: flow.capability, startedAt: flow.startedAt)
            return state.contents.flow
        }
    }

    /// The session of the signed-in user, or the limited session; `nil` if there is none.
    ///
    /// When a flow continues, its access token is valid. When a flow starts, it may have expired.
    public var session: Session? { state.withLock { $0.session } }

    /// A note of this flow.
    ///
    /// Setting `nil` removes it.
    ///
    /// Never store a password in a note: use an unstored note.
    public subscript(name: String) -> Secret? {
        get { state.withLock { $0.contents.notes[name] } }
        set { state.withLock { $0.contents.notes[name] = newValue } }
    }

    /// A note of this flow that stays in memory and is never stored, for a password.
    ///
    /// It is lost at a relaunch.
    public subscript(unstored name: String) -> Secret? {
        get { state.withLock { $0.contents.unstored[name] } }
        set { state.withLock { $0.contents.unstored[name] = newValue } }
    }

    /// Returns and removes the captcha token that the app supplied.
    ///
    /// It is valid for the next request only.
    public func takeCaptcha() -> Secret? {
        state.withLock { state in
            defer { state.captcha = nil }
            return state.captcha
        }
    }

    /// Hands a token of a captcha to the next request; never stored.
    func give(captcha token: Secret?) { state.withLock { $0.captcha = token } }

    /// A note of this device, for this provider and backend.
    ///
    /// It survives flows and sessions.
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

    /// Stores the notes of this device now, before the call has ended.
    ///
    /// Call it before a request whose response may never arrive, after setting the notes that a later call needs. The
    /// process may end in between.
    public func storeDeviceNotes() async { await state.withLock { $0.saving }?(self) }

    /// Sets how the notes of this device are stored.
    func saveDeviceNotes(by saving: @escaping @Sendable (FlowMemory) async -> Void) { state.withLock { $0.saving = saving } }

    /// The completed parts of a call with several requests, in order.
    public var completed: [String] { state.withLock { $0.contents.completed } }

    /// Marks a part as completed.
    ///
    /// Repeating the call continues after it.
    ///
    /// - Parameter part: The name of the part.
    public func complete(_ part: String) {
        state.withLock { if !$0.contents.completed.contains(part) { $0.contents.completed.append(part) } }
    }

    /// Sets the limited session that the provider created before the email address was verified.
    ///
    /// The flow can only end with a session of this user.
    ///
    /// - Parameter session: The limited session.
    public func grant(limited session: Session) {
        state.withLock { state in
            state.limitedSession = session
            if state.contents.user == nil { state.contents.user = session.user.id }
        }
    }

    /// Continues with a refreshed session.
    func use(_ session: Session) { state.withLock { $0.session = session } }

    /// The user whose session may end the flow.
    var expectedUser: ExpectedUser {
        let contents = contents
        let isProof = contents.flow.kind == .reauthentication && contents.flow.capability != .passwordChange
        return ExpectedUser(id: contents.user, address: contents.address, isProof: isProof)
    }
}

/// One way to continue a flow: an adapter's implementation for one kind of response.
public protocol VerificationStrategy: Sendable {
    /// The capability that it adds to an adapter: `confirmationCode`, `confirmationLink`, `poll`, `secondFactor`,
    /// `newPasswordStep`, and others.
    var capability: Capability { get }

    /// Returns whether this strategy supports a response in a flow.
    ///
    /// - Parameters:
    ///   - response: The kind of response.
    ///   - kind: The kind of flow.
    /// - Returns: Whether it is supported.
    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool

    /// Sends the link or code of the flow again.
    ///
    /// - Parameter flow: The memory of the flow.
    /// - Returns: The new challenge.
    /// - Throws: `unsupported` if nothing can be sent again.
    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge

    /// Sends a response to the backend.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - flow: The memory of the flow.
    /// - Returns: The session, or the next step.
    /// - Throws: An `AuthError` of the adapter's error table. The flow is unchanged, so a correct response still works.
    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

extension VerificationStrategy {
    /// Default: nothing can be sent again.
    ///
    /// - Parameter flow: The memory of the flow.
    /// - Returns: Nothing.
    /// - Throws: `unsupported`.
    public func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        throw AuthError(.unsupported, "This step sends no message, so there is nothing to send again.")
    }
}
