/// The result of handling a URL.
public enum CallbackOutcome: Sendable {
    /// The URL is not for this app's sign-in: nothing was done.
    case notOurs
    /// The URL was accepted: this is the next step, or the session.
    case step(SignInStep)
    /// It is ours and was refused: `linkExpired`, `linkUsed`, `linkInvalid`, `flowStartedElsewhere`, `providerRefused`…
    case refused(AuthError)
}
