public import Lockstep
public import Observation

/// The screen that asks a signed-in user to sign in again before a sensitive call.
||||||| base
/// The screen that asks a user who is signed in to sign in again, before a sensitive call, which is made right afterwards, once.
||||||| base
/// The screen that asks the user to sign in again before a sensitive call. The call follows immediately afterwards, once.
///
/// After the sign-in, the call is made once.
///
/// If the sign-in needs a code or a second factor, the next screen asks for it (``AuthModel/sheet``).
||||||| base
/// A code or a second factor on the way is the next screen (``AuthModel/sheet``).
@MainActor @Observable
public final class ReauthenticationModel {
    /// The progress of the new sign-in.
||||||| base
    /// How far it is.
    public enum Progress: Sendable, Hashable {
        /// The user is being asked.
||||||| base
        /// The user is asked.
        case asking
        /// A flow is running.
        ///
        /// Its step is ``AuthModel/sheet``.
||||||| base
        /// A flow is under way: its step is ``AuthModel/sheet``.
        case underWay
        /// The user has signed in again and the call was made.
        ///
        /// Its error is in the model that required the sign-in.
||||||| base
        /// The user has signed in again, and the call is made: its error is the one of the model that has asked for it.
        case done
        /// The user left the screen.
        ///
        /// The call is not made.
||||||| base
        /// The user has left: the call is not made.
        case left
    }

    /// The progress.
||||||| base
    /// How far it is.
    public private(set) var progress = Progress.asking
    /// The account's ways to sign in, the usual one first.
||||||| base
    /// The ways that the account has, the usual one first.
    public let ways: [Capability]
    /// The way to sign in that the form is for.
||||||| base
    /// The way that the form is for.
    public var way: Capability
    /// The current activity and the problems of the form.
||||||| base
    /// What is under way, and what went wrong.
    public let form: FormState

    private var typed: Secret = ""
    private let call: SensitiveCall?
    private let context: ModelContext
    private let left: @MainActor (ReauthenticationModel) -> Void
    private let ended: AuthModel.FlowEnd
    /// The flow under way.
    private var flow: Flow?

    /// - Parameters:
    ///   - ways: Those that the backend names; those of the account where it names none.
    ///   - call: The call that is made afterwards.
    ///   - left: Called when the user leaves: what has asked for it does not wait any longer.
    ///   - ended: Called when the user is signed in again and the call made, or with the error of the call.
    init(
        _ auth: AuthModel, ways: [Capability] = [], call: SensitiveCall? = nil,
        left: @escaping @MainActor (ReauthenticationModel) -> Void, ended: @escaping AuthModel.FlowEnd
    ) {
        context = ModelContext(auth)
        form = context.form()
        self.ways = (ways.isEmpty ? auth.client.account.waysToReauthenticate : ways).filter(auth.client.capabilities.contains)
        way = self.ways.first(where: Self.formWays.contains) ?? self.ways.first ?? .password
        self.call = call
        self.left = left
        self.ended = ended
    }

    /// The password that the user types.
    public var password: String {
        get { typed.reveal() }
        set {
            typed = Secret(newValue)
            form.edited(.password)
        }
    }

    /// The email address for the password, the code or the link.
    public var email: String { context.client.state.session?.user.email ?? "" }
    /// The identity providers of the account.
    public var identityProviders: [IdentityProvider] {
        context.client.state.session?.user.identities.map(\.provider).filter { $0 != .email && $0 != .phone } ?? []
    }
    private static let formWays: [Capability] = [.password, .emailCodeSignIn, .emailLinkSignIn, .phoneCode]

    /// The ways to sign in that have a form.
    ///
    /// The others have buttons.
||||||| base
    /// The ways that the form can be for; the others have buttons.
    public var formWays: [Capability] { ways.filter(Self.formWays.contains) }
    /// The account's providers with a button that opens the system dialog; see ``identityRequest(_:)``.
||||||| base
    /// The account's providers with a button that opens the platform's own sheet; see ``identityRequest(_:)``.
    public var sheetProviders: [IdentityProvider] { ways.contains(.idToken) ? identityProviders : [] }
    /// The account's providers with a button that opens a web page; see ``signIn(with:)``.
    public var pageProviders: [IdentityProvider] { ways.contains(.oauth) ? identityProviders : [] }
    /// Whether to show a button for a forgotten password.
    public var offersPasswordReset: Bool { way == .password && context.offers(.passwordReset) }

    /// Whether the form can be sent.
    ///
    /// Identity providers have no form.
||||||| base
    /// Whether the client would send the form; ways by an identity provider have no form.
||||||| base
    /// Whether the form is complete. Identity providers have no form.
    public var canSubmit: Bool {
        guard !form.isBusy, progress == .asking else { return false }
        return switch way {
        case .password: (try? PasswordCredential(email: email, password: typed).normalized()) != nil
        case .emailCodeSignIn, .emailLinkSignIn: (try? EmailAddress(email)) != nil
        case .phoneCode: context.client.state.session?.user.phone != nil
        default: false
        }
    }

    /// Sends the form.
    public func submit() async {
        switch way {
        case .password: await sign(in: .password(email: email, password: typed), named: way.rawValue)
        case .emailCodeSignIn: await sign(in: .emailCode(email, createsAccount: false), named: way.rawValue)
        case .emailLinkSignIn: await sign(in: .emailLink(email, createsAccount: false), named: way.rawValue)
        case .phoneCode: await sign(in: .phoneCode(context.client.state.session?.user.phone ?? ""), named: way.rawValue)
        default: break
        }
    }

    /// Creates the request for the system dialog of a provider.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: The request.
||||||| base
    /// What the platform's sheet of a provider is asked for.
    public func identityRequest(_ provider: IdentityProvider) -> IdentityRequest {
        IdentityRequest(provider, randomness: AnyRandomness(context.client.effects.randomness))
    }

    /// Signs in again with the result of the system dialog.
    ///
    /// - Parameter answer: The result of the dialog.
||||||| base
    /// Signs in again by what the platform's sheet has given.
    public func submit(_ answer: IdentityAnswer) async {
        await sign(in: answer.credential, named: "sheet of \(answer.request.provider.rawValue)")
    }

    /// Signs in again on a provider's web page.
    ///
    /// - Parameter provider: The provider.
||||||| base
    /// Goes to a provider's page.
    public func signIn(with provider: IdentityProvider) async {
        await sign(in: .oauth(provider), named: "page of \(provider.rawValue)")
    }

    /// Starts a password reset instead.
||||||| base
    /// Leads out of it to a new password: the call is not made.
||||||| base
    /// Starts a password reset. The call is not made.
    ///
    /// The sensitive call is not made.
    ///
    /// After the message was sent, the next screen is the step of the reset. It covers the screen of the user, who stays
    /// signed in. If the message cannot be sent, the form shows the problem, and the user can still sign in.
||||||| base
    /// It is left when the message is on its way: the next screen is the step of the reset, over the one of the user, who stays
    /// signed in. Where the message cannot be sent, the form says so, and the user may sign in after all.
    public func forgotPassword() async {
        let (client, email) = (context.client, email)
        let isSent = await form.run(.sending, endsOthers: true) { () async throws(AuthError) in
            // What was under way may have counted before it was ended.
            guard self.canBeLeft else { throw .cancelled }
            _ = try await client.requestPasswordReset(email: email)
        }
        if isSent { await cancel() }
    }

    /// Leaves the screen.
    ///
    /// The call is not made and nothing is changed, but a call that has been sent is not undone.
    public func cancel() async {
||||||| base
    /// Leaves it: the call is not made, and nothing has changed; a call that has begun already is not taken back.
||||||| base
    /// Leaves the screen. The call is not made, and nothing changes. A running call is not undone.
    public func leave() async {
        if let flow = stop() { await context.leave(flow) }
    }

    private var canBeLeft: Bool { progress == .asking || progress == .underWay }

    /// Leaves it at once.
    ///
    /// - Returns: the flow that is to be left as well.
    @discardableResult
    func stop() -> Flow? {
        guard canBeLeft else { return nil }
        progress = .left
        typed = ""
        form.cancel()
        left(self)
        defer { flow = nil }
        return flow
    }

    private func sign<C: Credential>(in credential: C, named name: String) async {
        guard progress == .asking else { return }
        let (client, call) = (context.client, call)
        // Only a password is beside its field: the other ways have none.
        let fields = C.self == PasswordCredential.self ? [(FormField.password, isBlank: typed.isEmpty)] : []
        await form.run(.signingIn, fields, named: name) { () async throws(AuthError) in
            guard self.progress == .asking else { throw .cancelled }
            let step: SignInStep
            do throws(AuthError) {
                step = try await client.account.reauthenticate(with: credential, thenRetry: call)
            } catch {
                guard error.isOfCall else { throw error }
                self.typed = ""
                return await self.finish(error)
            }
            self.typed = ""
            // A call may have a step of its own, such as the proof of a new address.
            guard let flow = step.flow, flow.kind == .reauthentication else { return await self.finish(nil) }
            // The user has left at the last moment: the flow, which would make the call, is not shown.
            guard self.progress == .asking else { return await self.context.leave(flow) }
            self.progress = .underWay
            self.flow = flow
            self.context.auth?.follow(flow) { [weak self] error in self?.flowEnded(with: error) }
        }
    }

    private func flowEnded(with error: AuthError?) -> Task<Void, Never>? {
        guard progress == .underWay else { return nil }
        flow = nil
        if let error, !error.isOfCall {
            progress = .asking
            form.show(error)
            return nil
        }
        progress = .done
        return ended(error)
    }

    /// The user is signed in again and the call made, also if the user has left too late to prevent that.
    private func finish(_ error: AuthError?) async {
        progress = .done
        await ended(error)?.value
    }
}

extension AuthError {
    /// Whether it is the error of the call that has followed another sign-in, and not of that.
    fileprivate var isOfCall: Bool { completed.first == SensitiveCall.signIn }
}
