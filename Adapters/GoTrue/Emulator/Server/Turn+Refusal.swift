internal import LockstepEmulation

extension Turn {
    /// An error that commits its transaction.
    func refusal(_ error: GoTrueError) -> EmulatorResponse {
        ErrorAnswer(version: APIVersion(request), randomness: randomness).response(to: error)
    }
}
