public import Lockstep
public import Observation

/// The screen that asks a user who is signed in to sign in again, before a sensitive call, which is made right afterwards, once.
///
/// A code or a second factor on the way is the next screen (``AuthModel/sheet``).
@MainActor @Observable
public final class ReauthenticationModel {
    /// How far it is.
    public enum Progress: Sendable, Hashable {
        /// The user is asked.
        case asking
        /// A flow is under way: its step is ``AuthModel/sheet``.
        case underWay
        /// The user has signed in again, and the call is made: its error is the one of the model that has asked for it.
        case done
        /// The user has left: the call is not made.
        case left
    }

    /// How far it is.
    public private(set) var progress = Progress.asking
    /// The ways that the account has, the usual one first.
    public let ways: [Capability]
    /// The way that the form is for.
    public var way: Capability
    /// What is under way, and what went wrong.
    public let form: FormState

    private var typed: Secret = ""
    private let call: SensitiveCall?
    private let context: ModelContext
    private let ended: @MainActor (AuthError?) -> Void

    /// - Parameters:
    ///   - ways: Those that the backend names; those of the account where it names none.
    ///   - call: The call that is made afterwards.
    ///   - ended: Called when the user is signed in again and the call made, or with the error of the call.
    init(
        _ auth: AuthModel, ways: [Capability] = [], call: SensitiveCall? = nil, ended: @escaping @MainActor (AuthError?) -> Void
    ) {
        context = ModelContext(auth)
        form = context.form()
        self.ways = (ways.isEmpty ? auth.client.account.waysToReauthenticate : ways).filter(auth.client.capabilities.contains)
        way = self.ways.first ?? .password
        self.call = call
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

    /// The address that a password, a code or a link is for.
    public var email: String { context.client.state.session?.user.email ?? "" }
    /// The identity providers of the account.
    public var identityProviders: [IdentityProvider] {
        context.client.state.session?.user.identities.map(\.provider).filter { $0 != .email && $0 != .phone } ?? []
    }
    /// Whether to show a button for a forgotten password.
    public var offersPasswordReset: Bool { way == .password && context.offers(.passwordReset) }

    /// Whether the client would send the form; ways by an identity provider have no form.
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
        case .password: await sign(in: .password(email: email, password: typed))
        case .emailCodeSignIn: await sign(in: .emailCode(email, createsAccount: false))
        case .emailLinkSignIn: await sign(in: .emailLink(email, createsAccount: false))
        case .phoneCode: await sign(in: .phoneCode(context.client.state.session?.user.phone ?? ""))
        default: break
        }
    }

    /// What the platform's sheet of a provider is asked for.
    public func identityRequest(_ provider: IdentityProvider) -> IdentityRequest {
        IdentityRequest(provider, randomness: AnyRandomness(context.client.effects.randomness))
    }

    /// Signs in again by what the platform's sheet has given.
    public func submit(_ answer: IdentityAnswer) async { await sign(in: answer.credential) }

    /// Goes to a provider's page.
    public func signIn(with provider: IdentityProvider) async { await sign(in: .oauth(provider)) }

    /// Leads out of it to a new password: the call is not made.
    ///
    /// The next screen is the step of the reset, over the one of the user, who stays signed in.
    public func forgotPassword() async {
        let (client, email) = (context.client, email)
        await leave()
        await form.run(.sending) { () async throws(AuthError) in _ = try await client.requestPasswordReset(email: email) }
    }

    /// Leaves it: the call is not made, and nothing has changed.
    public func leave() async {
        guard progress == .asking || progress == .underWay else { return }
        let flow = progress == .underWay ? context.client.pending?.flow : nil
        progress = .left
        typed = ""
        form.cancel()
        if let flow, flow.kind == .reauthentication { await context.leave(flow) }
    }

    private func sign<C: Credential>(in credential: C) async {
        guard progress == .asking else { return }
        let (client, call) = (context.client, call)
        await form.run(.signingIn, [(.password, typed.isEmpty)]) { () async throws(AuthError) in
            let step: SignInStep
            do throws(AuthError) {
                step = try await client.account.reauthenticate(with: credential, thenRetry: call)
            } catch {
                guard error.isOfCall else { throw error }
                self.typed = ""
                return self.finish(error)
            }
            self.typed = ""
            guard self.progress == .asking else { return }
            // A call may have a step of its own, such as the proof of a new address.
            guard let flow = step.flow, flow.kind == .reauthentication else { return self.finish(nil) }
            self.progress = .underWay
            self.context.auth?.follow(flow) { [weak self] error in self?.flowEnded(with: error) }
        }
    }

    private func flowEnded(with error: AuthError?) {
        guard progress == .underWay else { return }
        if let error, !error.isOfCall {
            progress = .asking
            form.show(error)
        } else {
            finish(error)
        }
    }

    private func finish(_ error: AuthError?) {
        progress = .done
        ended(error)
    }
}

extension AuthError {
    /// Whether it is the error of the call that has followed another sign-in, and not of that.
    fileprivate var isOfCall: Bool { completed.first == SensitiveCall.signIn }
}
