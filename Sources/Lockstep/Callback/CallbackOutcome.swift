/// What became of a URL.
public enum CallbackOutcome: Sendable {
    /// It is somebody else's: nothing was done.
    case notOurs
    /// It was taken: this is the next step, or the session.
    case step(SignInStep)
    /// It is ours and was refused: `linkExpired`, `linkUsed`, `linkInvalid`, `flowStartedElsewhere`, `providerRefused`…
    case refused(AuthError)
}
