internal import Lockstep

/// A requested change.
///
/// The model keeps it while the user must first sign in or complete a step.
struct WantedChange {
    let change: AccountModel.Change
    let activity: Activity
    /// The fields that the user sees, and whether each field is blank.
    var fields: [(FormField, isBlank: Bool)] = []
    /// A name that distinguishes the change from other changes of the same kind.
    var name = ""
    /// The change as a call that the client can repeat after another sign-in; `nil` if ``body`` runs again instead.
    var call: SensitiveCall?
    /// Called when the step of the change has ended.
    var ended: @MainActor (Flow, AuthError?) -> Void = { _, _ in }
    /// Loads the change that the completed step made on the backend; `nil` if the client already knows it.
    var reload: (@MainActor () async -> Void)?
}

extension AccountModel {
    /// Makes a change.
    ///
    /// If the last sign-in is too old, the user signs in again, and the model then makes the change once.
    ///
    /// - Parameters:
    ///   - wanted: The change.
    ///   - body: Makes the change. It returns the step that the user must complete before the change takes effect;
    ///     `nil` if there is none.
    func make(_ wanted: WantedChange, _ body: @escaping @MainActor () async throws(AuthError) -> AuthStep?) async {
        await cancelReauthentication()
        await make(wanted, isAgain: false, body)
    }

    private func make(
        _ wanted: WantedChange, isAgain: Bool, _ body: @escaping @MainActor () async throws(AuthError) -> AuthStep?
    ) async {
        let name = "\(wanted.change.rawValue) \(wanted.name)"
        await form.run(wanted.activity, wanted.fields, named: name) { () async throws(AuthError) in
            self.lastChange = nil
            do throws(AuthError) {
                self.take(try await body(), wanted)
            } catch {
                guard error.code == .reauthenticationRequired, !isAgain, let auth = self.context.auth else { throw error }
                self.askToSignInAgain(auth, error, wanted, body)
            }
        }
    }

    private func take(_ step: AuthStep?, _ wanted: WantedChange) {
        if case .identityConflict(let conflict)? = step { return linkConflict = conflict }
        guard let flow = step?.flow else { return lastChange = wanted.change }
        // The message about a new address is shown before its verification, too.
        if wanted.change == .email { lastChange = .email }
        context.auth?.follow(flow) { [weak self] error in
            self?.stepEnded(flow, error, wanted)
            guard error == nil, let reload = wanted.reload else { return nil }
            return Task { await reload() }
        }
    }

    private func stepEnded(_ flow: Flow, _ error: AuthError?, _ wanted: WantedChange) {
        wanted.ended(flow, error)
        if let error {
            if lastChange == wanted.change { lastChange = nil }
            form.show(error, in: wanted.fields.map(\.0))
        } else {
            lastChange = wanted.change == .email ? .emailProven : wanted.change
        }
    }

    private func askToSignInAgain(
        _ auth: AuthModel, _ error: AuthError, _ wanted: WantedChange,
        _ body: @escaping @MainActor () async throws(AuthError) -> AuthStep?
    ) {
        reauthentication = ReauthenticationModel(auth, ways: error.reauthenticationMethods, call: wanted.call) {
            [weak self] model in
            if self?.reauthentication === model { self?.reauthentication = nil }
        } ended: { [weak self] error in
            guard let self else { return nil }
            self.reauthentication = nil
            if let error {
                self.form.show(error, in: wanted.fields.map(\.0))
                return nil
            }
            // A separate task makes the change. The screen of the sign-in closes, and must not cancel the user's change.
            guard wanted.call != nil else { return Task { await self.make(wanted, isAgain: true, body) } }
            self.forgetPasswords()
            self.take(self.stepOfCall, wanted)
            return nil
        }
    }

    /// The step that a call requires after another sign-in: the verification of a new address.
    private var stepOfCall: AuthStep? {
        guard let step = context.client.pending, step.flow?.kind == .emailChange else { return nil }
        return step
    }

    /// Closes the screen for the new sign-in without making the change.
    public func cancelReauthentication() async {
        await reauthentication?.cancel()
        reauthentication = nil
    }
}
