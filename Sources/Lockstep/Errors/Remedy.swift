/// A way to recover from an error, as data for a screen.
public enum Remedy: Sendable, Hashable {
    /// Sign in first.
    case signIn
    /// Turn the guest into a full user by linking a credential.
    case linkGuest
    /// Give the proof that this challenge asks for.
    case verify(Challenge)
    /// Begin the flow again on this device.
    case startAgain
    /// Ask for the message again.
    case resend
    /// Type the code of the same message.
    case enterCode
    /// Enter the address that the message was sent to.
    case confirmEmail
    /// Give a second factor.
    case secondFactor
    /// Sign in again with one of these, then repeat the call.
    case reauthenticate([Capability])
    /// Choose another password.
    case choosePassword
}
