public import Lockstep
public import Observation

/// The model of the screen that asks a signed-in user to sign in again before a sensitive call.
///
/// After the sign-in, the model makes the call once. If the sign-in requires a code or a second factor, the next screen
/// asks for it (``AuthModel/sheet``).
///
/// ```swift
/// if let model = account.reauthentication {
///     model.password = "correct horse battery staple"
///     await model.submit()                     // signs in again, then makes the change
/// }
/// ```
@MainActor @Observable
public final class ReauthenticationModel {
    /// The progress of the new sign-in.
    public enum Progress: Sendable, Hashable {
        /// The screen asks the user to sign in again.
        case asking
        /// The user must complete a step of the sign-in: ``AuthModel/sheet``.
        case underWay
        /// The user has signed in again, and the model has made the call.
        ///
        /// If the call failed, the model that required the sign-in shows the error.
        case done
        /// The user left the screen, and the model does not make the call.
        case left
    }

    /// The progress of the new sign-in.
    public private(set) var progress = Progress.asking
    /// The ways in which the user can sign in, the usual one first.
    public let ways: [Capability]
    /// The way to sign in that the form shows.
    public var way: Capability
    /// The current activity of the form, and its problems.
    public let form: FormState

    private var typed: Secret = ""
    private let call: SensitiveCall?
    private let context: ModelContext
    private let left: @MainActor (ReauthenticationModel) -> Void
    private let ended: AuthModel.FlowEnd
    /// The flow in progress.
    private var flow: Flow?

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - auth: The app's main model.
    ///   - ways: The ways that the backend returned; the account's own ways if it returned none.
    ///   - call: The call that is repeated afterwards.
    ///   - left: Called when the user leaves the screen, so that the model that required the sign-in stops waiting.
    ///   - ended: Called when the user has signed in again and the call was made, or with the error of the call.
    init(
        _ auth: AuthModel, ways: [Capability] = [], call: SensitiveCall? = nil,
        left: @escaping @MainActor (ReauthenticationModel) -> Void, ended: @escaping AuthModel.FlowEnd
    ) {
        context = ModelContext(auth)
        form = context.form()
        self.ways = (ways.isEmpty ? auth.client.account.reauthenticationMethods : ways).filter(auth.client.capabilities.contains)
        way = self.ways.first(where: Self.formWays.contains) ?? self.ways.first ?? .password
        self.call = call
        self.left = left
        self.ended = ended
    }

    /// The password, as the user types it.
    public var password: String {
        get { typed.reveal() }
        set {
            typed = Secret(newValue)
            form.edited(.password)
        }
    }

    /// The text in the field for the email address.
    public var email: String { context.client.state.session?.user.email ?? "" }
    /// The identity providers of the account.
    public var identityProviders: [IdentityProvider] {
        context.client.state.session?.user.identities.map(\.provider).filter { $0 != .email && $0 != .phone } ?? []
    }
    private static let formWays: [Capability] = [.password, .emailCodeSignIn, .emailLinkSignIn, .phoneCode]

    /// The ways to sign in that have a form; the other ways have buttons.
    public var formWays: [Capability] { ways.filter(Self.formWays.contains) }
    /// The identity providers with a button that opens the system's dialog; see ``identityRequest(_:)``.
    public var sheetProviders: [IdentityProvider] { ways.contains(.idToken) ? identityProviders : [] }
    /// The identity providers with a button that opens a web page; see ``signIn(with:)``.
    public var pageProviders: [IdentityProvider] { ways.contains(.oauth) ? identityProviders : [] }
    /// Whether the screen shows a button for a forgotten password.
    public var offersPasswordReset: Bool { way == .password && context.offers(.passwordReset) }

    /// Whether the button that sends the form can be enabled.
    public var canSubmit: Bool {
        guard !form.isBusy, progress == .asking else { return false }
        return switch way {
        case .password: (try? PasswordCredential(email: email, password: typed).normalized()) != nil
        case .emailCodeSignIn, .emailLinkSignIn: (try? EmailAddress(email)) != nil
        case .phoneCode: context.client.state.session?.user.phone != nil
        default: false
        }
    }

    /// Signs in again with the values of the form.
    public func submit() async {
        switch way {
        case .password: await sign(in: .password(email: email, password: typed), named: way.rawValue)
        case .emailCodeSignIn: await sign(in: .emailCode(email, createsAccount: false), named: way.rawValue)
        case .emailLinkSignIn: await sign(in: .emailLink(email, createsAccount: false), named: way.rawValue)
        case .phoneCode: await sign(in: .phoneCode(context.client.state.session?.user.phone ?? ""), named: way.rawValue)
        default: break
        }
    }

    /// Creates a request for the system's dialog of an identity provider.
    ///
    /// - Parameter provider: The identity provider.
    /// - Returns: The request for the dialog.
    public func identityRequest(_ provider: IdentityProvider) -> IdentityRequest {
        IdentityRequest(provider, randomness: AnyRandomness(context.client.effects.randomness))
    }

    /// Signs in again with the result of the system's dialog.
    ///
    /// - Parameter answer: The result of the dialog.
    public func submit(_ answer: IdentityAnswer) async {
        await sign(in: answer.credential, named: "sheet of \(answer.request.provider.rawValue)")
    }

    /// Signs in again on the web page of an identity provider.
    ///
    /// - Parameter provider: The identity provider.
    public func signIn(with provider: IdentityProvider) async {
        await sign(in: .oauth(provider), named: "page of \(provider.rawValue)")
    }

    /// Starts a password reset, and does not make the sensitive call.
    ///
    /// If the backend sends the message, the next screen shows the step of the reset. The user stays signed in
    /// meanwhile. If the backend cannot send the message, the form shows the problem, and the user can still sign in
    /// again.
    public func forgotPassword() async {
        let (client, email) = (context.client, email)
        let isSent = await form.run(.sending, endsOthers: true) { () async throws(AuthError) in
            // The sign-in in progress may have succeeded before it was cancelled.
            guard self.canBeLeft else { throw .cancelled }
            _ = try await client.requestPasswordReset(email: email)
        }
        if isSent { await cancel() }
    }

    /// Leaves the screen, and does not make the sensitive call.
    ///
    /// If the request for the sensitive call has already been sent, this method cannot undo the change.
    public func cancel() async {
        if let flow = stop() { await context.leave(flow) }
    }

    private var canBeLeft: Bool { progress == .asking || progress == .underWay }

    /// Leaves the screen immediately.
    ///
    /// - Returns: The flow that must also be cancelled.
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
        // Only a password has a field on the form; the other ways to sign in do not.
        let fields = C.self == PasswordCredential.self ? [(FormField.password, isBlank: typed.isEmpty)] : []
        await form.run(.signingIn, fields, named: name) { () async throws(AuthError) in
            guard self.progress == .asking else { throw .cancelled }
            let step: AuthStep
            do throws(AuthError) {
                step = try await client.account.reauthenticate(with: credential, thenRetry: call)
            } catch {
                guard error.isOfCall else { throw error }
                self.typed = ""
                return await self.finish(error)
            }
            self.typed = ""
            // A call may have its own step, such as the verification of a new address.
            guard let flow = step.flow, flow.kind == .reauthentication else { return await self.finish(nil) }
            // The user left the screen at the last moment. The flow would make the call, so it is cancelled.
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

    /// Ends the screen because the user has signed in again and the call was made.
    ///
    /// This also happens if the user left the screen too late to prevent the call.
    private func finish(_ error: AuthError?) async {
        progress = .done
        await ended(error)?.value
    }
}

extension AuthError {
    /// Whether the error belongs to the call after the other sign-in, not to the sign-in itself.
    fileprivate var isOfCall: Bool { completed.first == SensitiveCall.signIn }
}
