package import LockstepPrimitives

extension Session {
    /// Rejects tokens that no header can contain, with the same rule for all adapters.
    ///
    /// A token with a line end would add lines to a request, and NUL would cut the token. The client checks each
    /// session that an adapter or the store returns.
    ///
    /// - Throws: `invalidResponse` if a token contains anything but printable ASCII, or begins or ends with a space.
    func checkTokens() throws(AuthError) {
        try Self.check(accessToken: accessToken)
        guard refreshToken.isHeaderText else { throw Self.unsendable("a refresh token") }
    }

    /// Whether a request header can contain both tokens.
    var hasSendableTokens: Bool { accessToken.isHeaderText && refreshToken.isHeaderText }

    /// Rejects an access token that no header can contain, for adapters that use the token before they return the session.
    ///
    /// - Parameter accessToken: The token, as the backend returned it.
    /// - Throws: `invalidResponse` if it contains anything but printable ASCII, or begins or ends with a space.
    public static func check(accessToken: Secret) throws(AuthError) {
        guard accessToken.isHeaderText else { throw unsendable("an access token") }
    }

    private static func unsendable(_ token: String) -> AuthError {
        AuthError(
            .invalidResponse,
            "The backend returned \(token) with control characters or letters outside ASCII, so it cannot be sent. "
                + "Find the server or proxy that changes responses.",
            retry: .now)
    }
}

extension Secret {
    /// Whether a header can contain the value unchanged.
    fileprivate var isHeaderText: Bool {
        let bytes = reveal().utf8
        let space = UInt8(ascii: " ")
        return bytes.allSatisfy { (0x20...0x7E).contains($0) } && bytes.first != space && bytes.last != space
    }
}
