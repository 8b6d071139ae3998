/// Cookies of browser mode.
enum Cookies {
    /// The client's own, on the host of the Frontend API; without `Secure`, because loopback has no TLS.
    static func client(_ token: String, lifetime: Int) -> String {
        "__client=\(token); Path=/; Max-Age=\(lifetime); HttpOnly; SameSite=Lax"
    }
}
