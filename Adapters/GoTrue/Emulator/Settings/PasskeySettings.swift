/// Passkeys and WebAuthn's relying party.
public struct PasskeySettings: Sendable {
    /// The setting `GOTRUE_PASSKEY_ENABLED`.
    public var isEnabled = false
    /// The setting `GOTRUE_WEBAUTHN_RP_ID`.
    public var relyingParty = "localhost"
    /// The setting `GOTRUE_WEBAUTHN_RP_DISPLAY_NAME`.
    public var displayName = "Lockstep"
    /// The setting `GOTRUE_WEBAUTHN_RP_ORIGINS`.
    public var origins = ["http://localhost:3000"]
    /// The most passkeys of one user.
    public var maximum = 10

    mutating func read(_ environment: inout EnvironmentReader) {
        environment.flag("GOTRUE_PASSKEY_ENABLED", into: &isEnabled)
        environment.text("GOTRUE_WEBAUTHN_RP_ID", into: &relyingParty)
        environment.text("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", into: &displayName)
        environment.list("GOTRUE_WEBAUTHN_RP_ORIGINS", into: &origins)
        environment.number("GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER", into: &maximum)
    }
}
