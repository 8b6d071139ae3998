internal import LockstepEmulation

extension Turn {
    /// An error whose transaction is kept: what was done before it stays done.
    func refusal(_ error: GoTrueError) -> EmulatorResponse {
        ErrorAnswer(version: APIVersion(request), randomness: randomness).response(to: error)
    }
}
