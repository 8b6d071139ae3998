public import Lockstep
public import Observation

/// Lets a user into a feature that needs one: at once, or by the screen that leads to it, and then goes on with what the user wanted.
///
/// ```swift
/// let gate = FeatureGate(auth, requiring: .verified)  // its obstacle is what to show meanwhile
/// await gate.enter { session in await post(draft, as: session.user) }
/// ```
@MainActor @Observable
public final class FeatureGate: Identifiable {
    /// What a feature asks for.
    public enum Requirement: Sendable, Hashable {
        /// A user or guest.
        case session
        /// A user; a guest is not enough, an address that is not proven neither.
        case signedIn
        /// A user whose address is proven, or who came in by another proof.
        case verified
        /// A user who has given a second factor.
        case secondFactor
        /// A user whose sign-in is not longer ago than this.
        case recent(Duration)
    }

    /// What stands before the feature, and the screen that leads past it.
    public enum Obstacle {
        /// No user is signed in: show the sign-in.
        case signIn
        /// A guest is not enough: show how to become a user.
        case linkAnonymousUser
        /// A step is due: it is ``AuthModel/step``.
        case step
        /// A second factor is asked for: the user signs in again with one, or adds one (``AccountModel``).
        case secondFactor(ReauthenticationModel)
        /// The user has signed in again, and the account has no second factor: the user adds one where
        /// ``AccountModel/offersFactors`` says so; elsewhere the feature is not for this account.
        case noSecondFactor
        /// The sign-in is too long ago.
        case reauthenticate(ReauthenticationModel)
        /// It could not be found out; ``FeatureGate/retry()`` tries again.
        case problem(FormProblem)
    }

    /// What the feature asks for.
    public let requirements: [Requirement]
    /// What stands before the feature; `nil` where nothing does, and while no user wants in.
    public private(set) var obstacle: Obstacle?

    /// Whether a user wants in or is in: from ``enter(_:)`` to the end of its action, which is not begun a second time meanwhile.
    public private(set) var isInside = false

    private let context: ModelContext
    /// Whether the user does not want in any more.
    @ObservationIgnored private var hasLeft = false
    /// The user who wants in; a guest may become one on the way.
    @ObservationIgnored private var userID: String?
    /// Whether the user was asked to sign in with a second factor, and did sign in.
    @ObservationIgnored private var hasAskedForFactor = false
    @ObservationIgnored private var wake: AsyncStream<Void>.Continuation?
    /// When the user signed in again here, by the clock's uptime: for providers whose tokens do not tell.
    @ObservationIgnored private var signedInAgain: (uptime: Duration, userID: String)?

    /// A gate before a feature.
    public init(_ auth: AuthModel, requiring requirements: Requirement...) {
        context = ModelContext(auth)
        self.requirements = requirements
    }

    /// Whether a user wants in and waits.
    public var isWaiting: Bool { obstacle != nil }

    /// Goes in: calls `action` with the session as soon as every requirement is met, once.
    ///
    /// It waits while ``obstacle`` is shown, until ``cancel()``, the caller's cancellation, or another user's sign-in: what one user
    /// wanted is not done as another. Leaving the sign-in that it asks for leaves the gate as well. While ``isInside``, a second call
    /// does nothing: disable the button.
    ///
    /// - Returns: what `action` has given; `nil` where the user has left.
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

    /// Looks again, after a ``Obstacle/problem(_:)``.
    public func retry() {
        hasAskedForFactor = false
        wake?.yield()
    }

    /// The user does not want in any more.
    public func cancel() async {
        let model = reauthentication
        end()
        await model?.cancel()
    }

    private func end() {
        hasLeft = true
        wake?.finish()
    }

    /// The screen on which the user signs in again, where it is shown.
    private var reauthentication: ReauthenticationModel? {
        switch obstacle {
        case .secondFactor(let model), .reauthenticate(let model): model
        default: nil
        }
    }

    private func firstSession(_ wakes: AsyncStream<Void>) async -> Session? {
        for await _ in wakes {
            let session = await check()
            // The user may have left while the client was asked.
            guard !hasLeft, !Task.isCancelled else { return nil }
            if let session { return session }
        }
        return nil
    }

    /// Whether it is the user who wants in; a guest, or no user, may become any.
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
        // A guest who is at it is asked for the proof.
        case .verificationRequired: obstacle = context.isGuest && context.auth?.step == nil ? .linkAnonymousUser : .step
        case .secondFactorRequired where hasAskedForFactor: obstacle = .noSecondFactor
        case .secondFactorRequired: askToSignInAgain { .secondFactor($0) }
        case .cancelled: break
        default: obstacle = error.code.endsSession ? .signIn : .problem(FormProblem(error, in: [], blank: []))
        }
    }

    private func askToSignInAgain(_ obstacle: (ReauthenticationModel) -> Obstacle) {
        // The user is at it.
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
    /// Whether the session has ended with it.
    fileprivate var endsSession: Bool {
        [
            .sessionExpired, .sessionRevoked, .refreshTokenReused, .refreshTokenUnknown, .credentialChanged, .userDeleted,
            .userDisabled,
        ]
        .contains(self)
    }
}
