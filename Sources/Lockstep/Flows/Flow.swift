public import LockstepPrimitives
internal import Synchronization

/// A sign-up, sign-in or other exchange that is not finished yet.
///
/// It has no secrets: those are in the store, under its id. So it may be kept, shown and sent anywhere.
public struct Flow: Sendable, Hashable, Codable, Identifiable {
    /// The goal of a flow.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// To prove the address of an account: after a sign-up, or at a sign-in before it was proven.
        case confirmation
        /// To sign in.
        case signIn
        /// To replace a forgotten password.
        case passwordReset
        /// To change the address of an account.
        case emailChange
        /// To add an identity to the user who is signed in.
        case linking
        /// To renew the sign-in of the user who is signed in.
        case reauthentication

        /// Whether only a user who is signed in has such a flow.
        var isOfSignedInUser: Bool { [.emailChange, .linking, .reauthentication].contains(self) }
    }

    /// Names the flow on this device.
    public let id: String
    /// The goal.
    public let kind: Kind
    /// The capability that began it.
    public let capability: Capability
    /// When it began, by this device's clock.
    public let startedAt: Instant

    /// How long a flow lives that is neither completed nor cancelled: seven days from its beginning, or until the proof that it
    /// waits for expires where that is later (``Challenge/expiresAt``).
    ///
    /// The first call, or launch, after that ends it: its secrets leave memory and store, and an answer to it is `flowNotFound`.
    public static let longestLife = Duration.seconds(7 * 24 * 3600)

    /// A flow.
    public init(id: String, kind: Kind, capability: Capability, startedAt: Instant) {
        self.id = id
        self.kind = kind
        self.capability = capability
        self.startedAt = startedAt
    }
}

/// An adapter's notes about a flow between its steps, kept by the client in the store under the flow's id.
///
/// It is written after every call, also after one that failed, and deleted when the flow ends. Notes about the device and not
/// about one flow (a client token that must outlive sign-outs) go into the device's part.
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

    /// An empty memory of a flow.
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

    /// The note under which an adapter keeps the `state` of a round trip: the client refuses a callback that carries another one.
    public static let stateNote = "state"

    /// The flow; an adapter may change its kind by ``become(_:)``.
    public var flow: Flow { state.withLock { $0.contents.flow } }

    /// Changes the goal of the flow: a sign-in that first needs the address proven.
    @discardableResult
    public func become(_ kind: Flow.Kind) -> Flow {
        state.withLock { state in
            let flow = state.contents.flow
            state.contents.flow = Flow(id: flow.id, kind: kind, capability: flow.capability, startedAt: flow.startedAt)
            return state.contents.flow
        }
    }

    /// The session of the signed-in user, or the limited one; `nil` where there is none.
    ///
    /// When a flow continues, its token is valid now; when one begins, it may have expired.
    public var session: Session? { state.withLock { $0.session } }

    /// A note of this flow, where `nil` removes it.
    ///
    /// A password must never be one: use an unstored note.
    public subscript(name: String) -> Secret? {
        get { state.withLock { $0.contents.notes[name] } }
        set { state.withLock { $0.contents.notes[name] = newValue } }
    }

    /// A note of this flow that is kept in memory and never stored, for a password: it is gone after a relaunch.
    public subscript(unstored name: String) -> Secret? {
        get { state.withLock { $0.contents.unstored[name] } }
        set { state.withLock { $0.contents.unstored[name] = newValue } }
    }

    /// The token of a captcha that the app has given for the next request, which it counts for: it is gone then.
    public func takeCaptcha() -> Secret? {
        state.withLock { state in
            defer { state.captcha = nil }
            return state.captcha
        }
    }

    /// Hands a token of a captcha to the next request; never stored.
    func give(captcha token: Secret?) { state.withLock { $0.captcha = token } }

    /// A note of this device, under this provider and backend, which outlives flows and sessions.
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
    /// Call it before a request whose answer may never come, after noting what a later call needs: the process may end in between.
    public func storeDeviceNotes() async { await state.withLock { $0.saving }?(self) }

    /// Sets how the notes of this device are stored.
    func saveDeviceNotes(by saving: @escaping @Sendable (FlowMemory) async -> Void) { state.withLock { $0.saving = saving } }

    /// The completed parts, in order, of a call that takes several requests.
    public var completed: [String] { state.withLock { $0.contents.completed } }

    /// Marks a part as completed: repeating the call continues after it.
    public func complete(_ part: String) {
        state.withLock { if !$0.contents.completed.contains(part) { $0.contents.completed.append(part) } }
    }

    /// Sets the limited session that the provider gave before the address was proven.
    ///
    /// The flow can end in a session of this user only.
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

/// One way to continue a flow: an adapter's implementation for one kind of answer.
public protocol VerificationStrategy: Sendable {
    /// The capability that it gives an adapter: `confirmationCode`, `confirmationLink`, `poll`, `secondFactor`,
    /// `newPasswordStep`…
    var capability: Capability { get }

    /// Whether it takes `response` in a flow of that kind.
    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool

    /// Sends the link or code of the flow again.
    ///
    /// - Throws: `unsupported` where nothing can be sent again.
    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge

    /// Sends the answer to the backend.
    ///
    /// - Throws: an `AuthError` of the adapter's error table; the flow stays as it was, so that a right answer still works.
    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

extension VerificationStrategy {
    /// Nothing can be sent again.
    public func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        throw AuthError(.unsupported, "This step sends no message, so there is nothing to send again.")
    }
}
