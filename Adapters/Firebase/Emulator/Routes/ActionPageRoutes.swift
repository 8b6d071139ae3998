internal import LockstepEmulation
internal import LockstepPrimitives

/// `/__/auth/action`: the page that opens from a link in an email in strict mode.
///
/// GET and HEAD show the page and change nothing, so that link scanners do no harm. Only the button (a POST) runs the
/// action.
struct ActionPageRoutes {
    static let path = "/__/auth/action"

    let context: RequestContext

    /// Shows the effect of the button.
    func show() throws -> EmulatorResponse { try page { action in ActionPage(context).ask(action) } }

    /// Runs the action.
    func run() throws -> EmulatorResponse {
        try page { action in
            try carryOut(action)
            return ActionPage(context).done(action)
        }
    }

    private func page(_ answer: (ActionCode) throws -> EmulatorResponse) throws -> EmulatorResponse {
        let page = ActionPage(context)
        guard let action = try? context.actionCodes.open(page.value("oobCode") ?? ""), action.kind.mode == page.value("mode")
        else {
            return ActionPage.expired
        }
        return action.kind == .emailSignIn ? page.signIn() : try answer(action)
    }

    private func carryOut(_ action: ActionCode) throws {
        guard action.kind == .passwordReset else {
            _ = try context.actionCodes.apply(action.code)
            return
        }
        let password = try context.require(ActionPage(context).value("newPassword"), .missingPassword)
        try context.require(!password.isEmpty, .missingPassword)
        _ = try context.actionCodes.resetPassword(code: action.code, password)
    }
}
