/// Ways to sign up and in.
public struct SignInSettings: Sendable {
    /// The setting `GOTRUE_DISABLE_SIGNUP`.
    public var isSignUpDisabled = false
    /// The setting `GOTRUE_EXTERNAL_EMAIL_ENABLED`.
    public var allowsEmail = true
    /// The setting `GOTRUE_EXTERNAL_PHONE_ENABLED`.
    public var allowsPhone = false
    /// The setting `GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED`.
    public var allowsAnonymous = false
    /// The setting `GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED`.
    public var allowsMagicLink = true
    /// The setting `GOTRUE_SECURITY_MANUAL_LINKING_ENABLED`.
    public var allowsManualLinking = false

    mutating func read(_ environment: inout EnvironmentReader) {
        environment.flag("GOTRUE_DISABLE_SIGNUP", into: &isSignUpDisabled)
        environment.flag("GOTRUE_EXTERNAL_EMAIL_ENABLED", into: &allowsEmail)
        environment.flag("GOTRUE_EXTERNAL_PHONE_ENABLED", into: &allowsPhone)
        environment.flag("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", into: &allowsAnonymous)
        environment.flag("GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED", into: &allowsMagicLink)
        environment.flag("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", into: &allowsManualLinking)
    }
}
