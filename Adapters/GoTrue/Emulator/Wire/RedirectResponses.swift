internal import LockstepEmulation
internal import LockstepPrimitives

/// Builds the addresses of redirects.
enum RedirectResponses {
    /// The values of `error` by status, if OAuth has a code for the status.
    private static let names = [
        400: "invalid_request", 401: "unauthorized_client", 403: "access_denied", 500: "server_error",
        503: "temporarily_unavailable",
    ]

    /// Returns the target with the pairs of a session as a fragment.
    static func session(_ session: IssuedSession, at target: String, extra: [(name: String, value: String)]) -> String {
        var form = GoForm(extra)
        form.set("access_token", session.accessToken)
        form.set("token_type", "bearer")
        form.set("expires_in", String(session.life))
        form.set("expires_at", String(session.expiresAt))
        form.set("refresh_token", session.refreshToken)
        form.set("sb", "")
        return target + "#" + form.text
    }

    /// Returns the target with `?code=` added to its query.
    static func code(_ code: String, at target: String) -> String { target.adding { $0.set("code", code) } }

    /// Returns the target with a message, such as the one after the first half of a change of address.
    static func message(_ text: String, at target: String, isProof: Bool) -> String {
        target.adding(fragment: GoForm([("message", text)])) { query in if isProof { query.set("message", text) } }
    }

    /// The error of a link.
    static func linkError(_ error: GoTrueError, at target: String, isProof: Bool) -> String {
        var fragment = GoForm([("error_code", error.code), ("error_description", error.message)])
        if let name = names[error.status] { fragment.set("error", name) }
        guard isProof else { return target.adding(fragment: fragment) }
        return target.adding(fragment: fragment) { query in
            for (name, values) in fragment.values { query.set(name.text, values[0]) }
        }
    }

    /// Returns the target with the error of a callback, in the query and in the fragment.
    static func callbackError(_ error: GoTrueError, at target: String) -> String {
        var fragment = GoForm()
        return target.adding(fragment: fragment) { query in
            if case .oauth(let name) = error.form {
                query.set("error", name)
            } else {
                let isDenied = ["signup_disabled", "user_banned", "provider_email_needs_verification"].contains(error.code)
                query.set("error", isDenied ? "access_denied" : names[error.status] ?? "server_error")
                query.set("error_code", error.code)
            }
            query.set("error_description", error.message)
            for name in ["error", "error_code", "error_description"] where !query[name].isEmpty {
                fragment.set(name, query[name])
            }
        }
    }

    /// Returns the redirect for an error before the flow is known: to the site, with the error in the query only.
    static func stateError(_ error: GoTrueError, site: String) -> String {
        site.adding { query in
            query.set("error", names[error.status] ?? "server_error")
            query.set("error_code", error.code)
            query.set("error_description", error.message)
        }
    }
}

extension String {
    /// Returns this URL with a changed query, and with a fragment that contains the server's mark.
    ///
    /// A URL that cannot be parsed is returned unchanged.
    ///
    /// - Parameters:
    ///   - fragment: The fragment, after the query was changed.
    fileprivate func adding(fragment: @autoclosure () -> GoForm? = nil, _ change: ((inout GoForm) -> Void)? = nil) -> String {
        guard var url = GoURL(self) else { return self }
        if let change {
            var query = GoForm(parsing: url.query ?? "")
            change(&query)
            url.query = query.text
        }
        if var fragment = fragment() {
            fragment.set("sb", "")
            // A form in a fragment is escaped twice: `%` becomes `%25`.
            url.fragment = fragment.text.replacingScalars { $0 == "%" ? "%25" : nil }
        }
        return url.text
    }
}

extension EmulatorResponse {
    /// Redirects a browser as Go's `http.Redirect` does, which returns a page if the method is GET.
    static func goRedirect(_ location: String, status: Int, for method: String = "GET") -> EmulatorResponse {
        var headers: Headers = ["Location": headerSafe(location)]
        if method == "GET" { headers["Content-Type"] = "text/html; charset=utf-8" }
        return EmulatorResponse(status: status, headers: headers)
    }

    /// Percent-encodes bytes that are invalid in headers.
    private static func headerSafe(_ location: String) -> String {
        guard location.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7f }) else { return location }
        return location.utf8.map { unit in
            unit <= 0x20 || unit >= 0x7f
                ? "%" + Hex.encode(CollectionOfOne(unit)).uppercased() : String(UnicodeScalar(unit))
        }.joined()
    }
}

/// An error that redirects a browser; the transaction is rolled back.
struct Redirected: Error {
    var error: GoTrueError
    var location: String
    var status: Int
}
