/// The audience of a session token, from the request.
struct TokenAudience {
    /// The page's origin, which becomes `azp`; `nil` for native apps and servers.
    var origin: String?
    /// Whether the client speaks a version from before 2025-04-10, whose tokens have another shape.
    var isOld = false

    static let none = TokenAudience()
}
