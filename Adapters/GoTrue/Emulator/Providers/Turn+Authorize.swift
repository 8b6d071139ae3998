internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    func askForManualLinking() throws {
        guard settings.signIn.allowsManualLinking else {
            throw GoTrueError.notFound(.manualLinkingDisabled, "Manual linking is disabled")
        }
    }
}
