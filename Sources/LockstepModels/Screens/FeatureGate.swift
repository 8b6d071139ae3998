public import Lockstep
public import Observation

/// A gate that opens a feature only to users who meet its requirements.
///
/// If the user does not meet a requirement, the gate names the screen that resolves it (``obstacle``). When all
/// requirements are met, the gate runs the action.
///
/// ```swift
/// let gate = FeatureGate(auth, requiring: .verified)  // its obstacle is what to show meanwhile
/// await gate.enter { session in await post(draft, as: session.user) }
/// ```
@MainActor @Observable
public final class FeatureGate: Identifiable {
    /// A requirement of a feature.
    public enum Requirement: Sendable, Hashable {
        /// A user is signed in, permanent or anonymous.
        case session
        /// A permanent user is signed in.
        ///
        /// An anonymous user, or a user with an unverified email address, does not meet the requirement.
        case signedIn
        /// The user has a verified email address, or another verified identity.
        case verified
        /// The user has signed in with a second factor.
        case secondFactor
        /// The user has signed in within this time.
        case recent(Duration)
    }

    /// A requirement that the user does not meet, with the screen that resolves it.
    public enum Obstacle {
        /// No user is signed in.
        ///
        /// Show the sign-in.
        case signIn
        /// The user is anonymous.
        ///
        /// Show how to become a permanent user.
        case linkAnonymousUser
        /// The user must complete the step in ``AuthModel/step``.
        case step
        /// The user must sign in again with a second factor, or must first add one (``AccountModel``).
        case secondFactor(ReauthenticationModel)
        /// The user has signed in again, but the account has no second factor.
        ///
        /// If ``AccountModel/offersFactors`` is `true`, the user can add a factor. Otherwise the feature is not
        /// available for this account.
        case noSecondFactor
        /// The last sign-in is too old, and the user must sign in again.
        case reauthenticate(ReauthenticationModel)
        /// The gate could not check the requirements.
        ///
        /// Call ``FeatureGate/retry()`` to check them again.
        case problem(FormProblem)
    }

    /// The requirements of the feature.
    public let requirements: [Requirement]
    /// The requirement that the waiting user does not meet; `nil` if ``enter(_:)`` is not waiting.
    public private(set) var obstacle: Obstacle?

    /// Whether ``enter(_:)`` is waiting for the requirements or running the action.
    ///
    /// Meanwhile, a second call of ``enter(_:)`` does nothing.
    public private(set) var isInside = false

    private let context: ModelContext
    /// Whether the user no longer wants to use the feature.
    @ObservationIgnored private var hasLeft = false
    /// The user who waits; an anonymous user may become a permanent one meanwhile.
    @ObservationIgnored private var userID: String?
    /// Whether the gate has asked for a second factor and the user has then signed in.
    @ObservationIgnored private var hasAskedForFactor = false
    @ObservationIgnored private var wake: AsyncStream<Void>.Continuation?
    /// The clock's uptime when the user signed in again here.
    ///
    /// It is for providers whose tokens do not contain the time.
    @ObservationIgnored private var signedInAgain: (uptime: Duration, userID: String)?

    /// Creates a gate for a feature.
    ///
    /// - Parameters:
    ///   - auth: The app's model.
    ///   - requirements: The requirements of the feature.
    public init(_ auth: AuthModel, requiring requirements: Requirement...) {
        context = ModelContext(auth)
        self.requirements = requirements
    }

    /// Whether ``enter(_:)`` is waiting for a requirement.
    public var isWaiting: Bool { obstacle != nil }

    /// Runs an action once, as soon as every requirement is met.
    ///
    /// While the user does not meet a requirement, the call waits, and the app shows the screen for ``obstacle``. The
    /// call ends without the action after ``cancel()``, or when its task is cancelled. It also ends when the user
    /// leaves the required sign-in, or when another user signs in. While ``isInside`` is `true`, a second call does
    /// nothing, so disable the button.
    ///
    /// - Parameter action: The action. Its parameter is the user's session.
    /// - Returns: The result of the action; `nil` if the action did not run.
    /// - Throws: The error that the action throws.
    public func enter<Value>(_ action: @MainActor (Session) async throws -> Value) async rethrows -> Value? {
        guard !isInside else { return nil }
        (isInside, hasLeft, hasAskedForFactor, userID) = (true, false, false, nil)
        defer { isInside = false }
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        let client = context.client
        let following = Task { for await _ in client.snapshots { wake.yield() } }
        let session = await firstSession(wakes)
        following.cancel()
        self.wake = nil
        obstacle = nil
        guard let session else { return nil }
        return try await action(session)
    }

    /// Checks the requirements again after the obstacle ``Obstacle/problem(_:)``.
    public func retry() {
        hasAskedForFactor = false
        wake?.yield()
    }

    /// Stops the waiting call of ``enter(_:)``, because the user no longer wants to use the feature.
    public func cancel() async {
        let model = reauthentication
        end()
        await model?.cancel()
    }

    private func end() {
        hasLeft = true
        wake?.finish()
    }

    /// The screen on which the user signs in again, if it is shown.
    private var reauthentication: ReauthenticationModel? {
        switch obstacle {
        case .secondFactor(let model), .reauthenticate(let model): model
        default: nil
        }
    }

    private func firstSession(_ wakes: AsyncStream<Void>) async -> Session? {
        for await _ in wakes {
            let session = await check()
            // The user may have left during the call of the client.
            guard !hasLeft, !Task.isCancelled else { return nil }
            if let session { return session }
        }
        return nil
    }

    /// Returns whether a user is the waiting user.
    ///
    /// An anonymous user, or no user, may become any user.
    private func isSame(_ user: User?) -> Bool {
        guard let user else { return true }
        if userID == nil, !user.isAnonymous { userID = user.id }
        return userID == nil || userID == user.id
    }

    // MARK: Requirements

    private func check() async -> Session? {
        context.update()
        guard isSame(context.client.state.session?.user) else { return await leftToAnother() }
        do throws(AuthError) {
            let session = try await context.client.session(requiring: Set(requirements.map(\.inClient)))
            guard isSame(session.user) else { return await leftToAnother() }
            guard !hasLeft else { return nil }
            for case .recent(let age) in requirements where !isRecent(session, within: age) {
                askToSignInAgain { .reauthenticate($0) }
                return nil
            }
            return session
        } catch {
            if !hasLeft { show(error) }
            return nil
        }
    }

    private func leftToAnother() async -> Session? {
        await cancel()
        return nil
    }

    private func isRecent(_ session: Session, within age: Duration) -> Bool {
        let clock = context.clock
        if let passed = session.timeSinceSignIn(on: clock), passed <= age { return true }
        guard let signedInAgain, signedInAgain.userID == session.user.id else { return false }
        return clock.uptime >= signedInAgain.uptime && clock.uptime - signedInAgain.uptime <= age
    }

    private func show(_ error: AuthError) {
        switch error.code {
        case .notSignedIn: obstacle = context.auth?.step == nil ? .signIn : .step
        // An anonymous user with a step in progress must complete that step.
        case .verificationRequired: obstacle = context.isGuest && context.auth?.step == nil ? .linkAnonymousUser : .step
        case .secondFactorRequired where hasAskedForFactor: obstacle = .noSecondFactor
        case .secondFactorRequired: askToSignInAgain { .secondFactor($0) }
        case .cancelled: break
        default: obstacle = error.code.endsSession ? .signIn : .problem(FormProblem(error, in: [], blank: []))
        }
    }

    private func askToSignInAgain(_ obstacle: (ReauthenticationModel) -> Obstacle) {
        // The user is already signing in again.
        if let model = reauthentication, model.progress != .left, model.progress != .done { return }
        guard let auth = context.auth else { return }
        let model = ReauthenticationModel(auth) { [weak self] model in
            if self?.reauthentication === model { self?.end() }
        } ended: { [weak self] error in
            guard let self, error == nil, let id = self.context.client.state.session?.user.id else { return nil }
            self.signedInAgain = (self.context.clock.uptime, id)
            if case .secondFactor? = self.obstacle { self.hasAskedForFactor = true }
            self.wake?.yield()
            return nil
        }
        self.obstacle = obstacle(model)
    }
}

extension FeatureGate.Requirement {
    fileprivate var inClient: SessionRequirement {
        switch self {
        case .session: .any
        case .signedIn, .verified, .recent: .verified
        case .secondFactor: .secondFactor
        }
    }
}

extension AuthError.Code {
    /// Whether this error means that the session has ended.
    fileprivate var endsSession: Bool {
        [
            .sessionExpired, .sessionRevoked, .refreshTokenReused, .refreshTokenUnknown, .credentialChanged, .userDeleted,
            .userDisabled,
        ]
        .contains(self)
    }
}
