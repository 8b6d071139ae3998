// Exports the types of the public interface, so that an app imports only `LockstepModels`.
@_exported public import Lockstep
public import Observation

/// The app's main model, which decides which screen the app shows.
///
/// An app creates one such model and keeps it for its whole lifetime.
///
/// In SwiftUI, add `.task { await auth.run() }` and `.onOpenURL { url in Task { await auth.handle(url.absoluteString) }
/// }` once, at the root view. Then show the model's screen:
///
/// ```swift
/// let auth = AuthModel(client)
/// await auth.restore()
/// switch auth.screen {
/// case .signedOut: show(SignInModel(auth))
/// case .step(.verify(let model)): show(model)
/// default: show(auth.screen.name)
/// }
/// ```
@MainActor @Observable
public final class AuthModel {
    /// The client that the model follows.
    public let client: AuthClient
    /// The meter and the minimum strength for new passwords; `nil` if the app has no meter.
    public let passwordAdvice: PasswordAdvice?

    /// The current screen.
    public private(set) var screen: Screen = .restoring
    /// The step that the app shows over the screen of a signed-in or anonymous user; `nil` if there is no such step.
    ///
    /// An example is the code for a new email address.
    public private(set) var sheet: Step?
    /// The problem with the last URL that opened the app; `nil` if there was no problem.
    ///
    /// The model clears the problem when the screen changes, and when the app calls ``dismissProblem()``.
    public private(set) var problem: FormProblem?
    /// The conflict if an identity could not be added because it belongs to another account; `nil` if there is no conflict.
    ///
    /// The current user is still signed in. ``AnonymousUserModel`` and ``AccountModel`` offer a sign-in to the other
    /// account.
    public private(set) var conflict: IdentityConflictStep?
    /// The email address that the user entered last.
    ///
    /// New forms already contain this address.
    ///
    /// If a flow is in progress, the address survives a relaunch of the app.
    public var email = ""

    @ObservationIgnored private var lastCheck: Duration?
    /// The number of answers in progress by flow: a link may be opened while a code is sent.
    @ObservationIgnored private var answering: [Flow.ID: Int] = [:]
    @ObservationIgnored private var ends: [Flow.ID: FlowEnd] = [:]
    @ObservationIgnored private var followers: [UserFollower] = []
    @ObservationIgnored private var userID: String?
    @ObservationIgnored private var seen: ClientSnapshot?

    /// The minimum time between two calls of ``becameActive()`` that ask the backend whether the user has opened the
    /// link.
    public static let checkInterval = Duration.seconds(5)

    /// Creates a model.
    ///
    /// Its screen is ``Screen/restoring`` until ``run()`` has read the store.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - passwordAdvice: The meter and the minimum strength for new passwords. Default: none.
    public init(_ client: AuthClient, passwordAdvice: PasswordAdvice? = nil) {
        self.client = client
        self.passwordAdvice = passwordAdvice
        update()
    }

    /// The current step, which the app shows as a screen or over the current screen; `nil` if there is no step.
    public var step: Step? { screen.step ?? sheet }

    // MARK: Calls of the app

    /// Reads the store without using the network.
    ///
    /// ``run()`` calls this method first.
    public func restore() async {
        await client.restore()
        update()
    }

    /// Reads the store and follows the client until the task is cancelled.
    ///
    /// Run this method for the lifetime of the app.
    public func run() async {
        await restore()
        for await _ in client.snapshots { update() }
    }

    /// Handles a URL that opened the app.
    ///
    /// Call this method for every URL that opens the app.
    ///
    /// - Parameter url: The URL.
    /// - Returns: Whether the URL belongs to a sign-in. If the sign-in failed, ``problem`` contains the error.
    @discardableResult
    public func handle(_ url: String) async -> Bool {
        // If the URL launched the app, its flow is in the store.
        await client.restore()
        update()
        let flow = client.pending?.flow
        if let flow { answering[flow.id, default: 0] += 1 }
        let outcome = await client.handle(url)
        var refusal: AuthError?
        switch outcome {
        case .notOurs: break
        case .step(let step):
            if let flow { await took(step, of: flow) }
        case .refused(let error):
            refusal = error
            if let flow { await took(error, of: flow) }
        }
        if let flow { answered(flow) }
        update()
        if case .notOurs = outcome { return false }
        problem = refusal.map { FormProblem($0, in: [], blank: []) }
        return true
    }

    /// Reads the store again, and asks the backend whether the user has opened the link.
    ///
    /// Call this method when the app enters the foreground. The model asks the backend only if the provider supports
    /// this request, and at most once per ``checkInterval``.
    public func becameActive() async {
        await client.reloadFromStore()
        update()
        let uptime = client.effects.clock.uptime
        guard lastCheck.map({ uptime < $0 || uptime - $0 >= Self.checkInterval }) ?? true else { return }
        let isUnverified = if case .unverified(let account) = client.state { account.session != nil } else { false }
        guard client.pending?.accepts.contains(.poll) == true || isUnverified else { return }
        lastCheck = uptime
        // A missing verification is not a problem for a user who has only returned to the app. Neither is a missing network.
        try? await checkProof()
    }

    /// Clears ``problem`` after the user has read it.
    public func dismissProblem() { problem = nil }

    /// Clears ``conflict``; the user stays signed in to the current account.
    public func dismissConflict() { conflict = nil }

    // MARK: Calls of the models

    /// Sends the user's response to a step.
    func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) {
        answering[flow.id, default: 0] += 1
        defer {
            answered(flow)
            update()
        }
        do throws(AuthError) {
            await took(try await client.respond(to: flow, with: response), of: flow)
        } catch {
            await took(error, of: flow)
            throw error
        }
    }

    private func answered(_ flow: Flow) {
        let others = answering[flow.id, default: 0] - 1
        answering[flow.id] = others > 0 ? others : nil
    }

    /// Cancels a flow, even if the task of the screen that cancels it is cancelled.
    func leave(_ flow: Flow, because error: AuthError = .cancelled) async {
        await Task { [client] in try? await client.cancel(flow) }.value
        await ended(flow, with: error)
        update()
    }

    /// The action after a flow that a model began; the caller waits for the task that it returns.
    typealias FlowEnd = @MainActor (AuthError?) -> Task<Void, Never>?

    /// Calls `end` when a flow has ended: without an error if the flow was completed.
    func follow(_ flow: Flow, _ end: @escaping FlowEnd) { ends[flow.id] = end }

    private func ended(_ flow: Flow, with error: AuthError?) async {
        guard let end = ends.removeValue(forKey: flow.id) else { return }
        await end(error)?.value
    }

    /// Applies the step after a response.
    ///
    /// A step of another flow belongs to the call that came after the response.
    private func took(_ step: AuthStep, of flow: Flow) async {
        if case .identityConflict(let conflict) = step {
            self.conflict = conflict
            await leave(flow, because: AuthError(.identityAlreadyInUse, "This sign-in method belongs to another account."))
        } else if step.session != nil || step.flow?.id != flow.id {
            await ended(flow, with: nil)
        }
    }

    /// Handles the error of a response; most errors leave the flow unchanged.
    private func took(_ error: AuthError, of flow: Flow) async {
        guard client.pending?.flow?.id == flow.id else {
            // Another answer in progress may have completed the flow. Otherwise the call after the flow failed.
            if answering[flow.id, default: 0] > 1, error.completed.isEmpty { return }
            return await ended(flow, with: error)
        }
        if let session = client.state.session, flow.kind == .linking || session.user.isAnonymous, error.code.isConflict {
            conflict = IdentityConflictStep(flow: flow, currentUserID: session.user.id, signInMethods: [flow.capability])
            await leave(flow, because: error)
        } else if error.code == .providerRefused, case .redirect? = client.pending {
            // If the user cancelled on the page, the sign-in screen appears again and shows the reason.
            await leave(flow, because: error)
        }
    }

    /// Calls `change` with the id of each new user, as long as the model exists.
    ///
    /// So a model can drop the previous user's input.
    func followUser(_ model: AnyObject, _ change: @escaping @MainActor (String) -> Void) {
        followers.removeAll { $0.model == nil }
        followers.append(UserFollower(model: model, change: change))
    }

    private struct UserFollower {
        weak var model: AnyObject?
        let change: @MainActor (String) -> Void
    }

    private func followUser(of state: AuthState) {
        guard let id = state.session?.user.id, id != userID else { return }
        userID = id
        if conflict?.currentUserID != id { conflict = nil }
        for follower in followers where follower.model != nil { follower.change(id) }
    }

    /// Ends the actions that waited for a flow, if another flow has replaced it.
    private func forgetAbandonedFlows() {
        for (id, end) in ends where id != seen?.pending?.flow?.id && answering[id] == nil {
            ends[id] = nil
            _ = end(.cancelled)
        }
    }

    /// Asks the backend whether the user has completed the verification elsewhere.
    func checkProof() async throws(AuthError) {
        defer { update() }
        if let step = client.pending, let flow = step.flow, step.accepts.contains(.poll) {
            try await respond(to: flow, with: .poll)
        } else {
            _ = try await client.refreshUser()
        }
    }

    /// Updates the screens to the state of the client.
    func update() {
        let snapshot = client.snapshot
        guard snapshot != seen else { return }
        if let identifier = snapshot.identifier, identifier.contains("@") { email = identifier }
        let before = (screen.name, seen?.pending?.flow?.id)
        seen = snapshot
        show(snapshot)
        if before != (screen.name, snapshot.pending?.flow?.id) { problem = nil }
        if let flow = snapshot.pending?.flow?.id, flow != conflict?.flow.id, flow != before.1 { conflict = nil }
        followUser(of: snapshot.state)
        forgetAbandonedFlows()
    }

    private func show(_ snapshot: ClientSnapshot) {
        let step = snapshot.pending.flatMap { self.step(for: $0) }
        sheet = nil
        switch snapshot.state {
        case .restoring: screen = .restoring
        case .unavailable(let failure): screen = .unavailable(failure)
        case .signedOut(let reason): screen = step.map { .step($0) } ?? .signedOut(reason)
        case .unverified(let account): screen = (step ?? self.step(for: .verify(account.challenge))).map { .step($0) } ?? screen
        case .anonymous(let session):
            screen = .anonymous(session)
            sheet = step
        case .signedIn(let session):
            screen = .signedIn(session)
            sheet = step
        }
    }

    /// Returns the model of a step.
    ///
    /// As long as the flow needs the same kind of response, the model stays the same, so that the typed text stays.
    private func step(for step: AuthStep) -> Step? {
        let current = self.step
        switch step {
        case .complete, .identityConflict: return nil
        case .verify(let challenge):
            if case .verify(let model) = current, model.challenge.flow.id == challenge.flow.id {
                model.show(challenge)
                return current
            }
            return .verify(VerificationModel(challenge, self))
        case .secondFactor(let step):
            if case .secondFactor(let model) = current, model.step.flow.id == step.flow.id {
                model.show(step)
                return current
            }
            return .secondFactor(SecondFactorModel(step, self))
        case .newPassword(let step):
            if case .newPassword(let model) = current, model.step.flow.id == step.flow.id { return current }
            return .newPassword(NewPasswordModel(step, self))
        case .moreInformation(let step):
            if case .missingFields(let model) = current, model.step == step { return current }
            return .missingFields(MissingFieldsModel(step, self))
        case .redirect(let step): return .browser(BrowserModel(step.flow, page: step.url, self))
        case .other(let step): return .unknown(BrowserModel(step.flow, page: nil, self))
        }
    }
}

extension AuthError.Code {
    /// Whether another account already has the value to add.
    var isConflict: Bool { [.identityAlreadyInUse, .emailAlreadyInUse, .phoneAlreadyInUse].contains(self) }
}

/// The client of a model, and the app's main model that gets a report of each call.
@MainActor
struct ModelContext {
    let client: AuthClient
    weak var auth: AuthModel?

    init(_ auth: AuthModel) {
        client = auth.client
        self.auth = auth
    }

    func update() { auth?.update() }

    func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) {
        guard let auth else { throw .cancelled }
        try await auth.respond(to: flow, with: response)
    }

    func leave(_ flow: Flow) async { await auth?.leave(flow) }

    var clock: any DeviceClock { client.effects.clock }

    /// Returns the form of a model.
    ///
    /// The main model updates the screen before a call of the form returns.
    ///
    /// - Parameter isDoneByOne: Whether one successful call completes the form.
    /// - Returns: The form.
    func form(isDoneByOne: Bool = true) -> FormState {
        FormState(isDoneByOne: isDoneByOne) { [weak auth] in auth?.update() }
    }

    func offers(_ capability: Capability) -> Bool { client.capabilities.contains(capability) }

    /// Returns the sign-in methods.
    ///
    /// If an anonymous user is signed in, some methods are not available.
    func signInMethods(discardingAnonymousUser: Bool) -> [Capability] {
        _ = auth?.screen.name
        return client.signInMethods(discardingAnonymousUser: discardingAnonymousUser)
    }

    /// The sign-up methods.
    var signUpMethods: [Capability] {
        _ = auth?.screen.name
        return client.signUpMethods
    }

    /// The sign-in methods that can be added to the user.
    var linkMethods: [Capability] {
        _ = auth?.screen.name
        return client.account.linkMethods
    }

    var isGuest: Bool { if case .anonymous = client.state { true } else { false } }
}
