/// The name of a way to sign in, as tokens and `providerUserInfo` have it.
enum ProviderID {
    static let password = "password"
    static let phone = "phone"
    static let anonymous = "anonymous"
    static let custom = "custom"
    static let passkey = "passkey"
    static let gameCenter = "gc.apple.com"
    static let google = "google.com"
    static let apple = "apple.com"
}
