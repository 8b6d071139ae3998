/// The lifetimes of codes and unfinished sign-ins; `nil` means forever.
public struct Lifetimes: Sendable, Equatable {
    /// A code that resets a password.
    public var passwordReset: Duration?
    /// A code that verifies, changes or recovers an address.
    public var verification: Duration?
    /// A code that signs in.
    public var signInLink: Duration?
    /// A code by text message.
    public var textMessage: Duration?
    /// A sign-in that waits for its second factor.
    public var pendingFactor: Duration?

    /// Custom lifetimes.
    public init(
        passwordReset: Duration? = nil, verification: Duration? = nil, signInLink: Duration? = nil, textMessage: Duration? = nil,
        pendingFactor: Duration? = nil
    ) {
        self.passwordReset = passwordReset
        self.verification = verification
        self.signInLink = signInLink
        self.textMessage = textMessage
        self.pendingFactor = pendingFactor
    }

    /// Nothing expires, as in Firebase's emulator.
    public static let endless = Lifetimes()

    /// Values reported of production: Firebase publishes no figures for any of these.
    public static let production = Lifetimes(
        passwordReset: .seconds(3600), verification: .seconds(3 * 86_400), signInLink: .seconds(6 * 3600),
        textMessage: .seconds(600), pendingFactor: .seconds(600))
}
