extension Session {
    /// Refuses tokens that no header can carry, by one rule for all adapters, at a sign-in, a change and a refresh.
    ///
    /// A token with a line end or NUL would write further lines into a request, or be cut there.
    ///
    /// - Throws: `invalidResponse` where a token holds anything but visible signs of ASCII.
    func checkTokens() throws(AuthError) {
        for (name, token) in [("access", accessToken), ("refresh", refreshToken)] {
            let text = token.reveal()
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw AuthError(
                    .invalidResponse,
                    "The backend gives \(name == "access" ? "an access token" : "a refresh token") that no request can carry: it "
                        + "holds spaces, control characters or letters outside ASCII. Try again.",
                    retry: .now)
            }
        }
    }
}
