public import Lockstep
internal import LockstepWire

/// The user whom a call asks for, by id or e-mail address.
///
/// A directory passes the answer to each call through ``UserDirectory/checked(_:as:)`` before it uses the answer. A cache or a proxy may
/// answer a request with the response to another one: the next request would then change the wrong user.
public enum RequestedUser: Sendable, Hashable {
    /// The user with this id; the case of the letters matters.
    case id(String)
    /// The user with this address, in any case.
    case email(String)

    /// Returns whether an answer with this id and these addresses is about the requested user.
    fileprivate func matches(id: String, emails: [String]) -> Bool {
        switch self {
        case .id(let requested): Array(id.utf8) == Array(requested.utf8)
        case .email(let requested): emails.contains { $0.lowercased() == requested.lowercased() }
        }
    }
}

extension UserDirectory {
    /// Returns the user of an answer.
    ///
    /// - Parameters:
    ///   - user: The user that came back.
    ///   - request: The user that was asked for.
    /// - Returns: `user`.
    /// - Throws: `invalidResponse` if the answer is about another user.
    public func checked(_ user: DirectoryUser, as request: RequestedUser) throws(AuthError) -> DirectoryUser {
        guard request.matches(id: user.id, emails: [user.email].compactMap(\.self)) else { throw foreignAnswer }
        return user
    }

    /// Checks the id in the answer to a write.
    ///
    /// - Parameters:
    ///   - id: The id that came back; `nil` if the answer has no id.
    ///   - requested: The id of the user that the call writes to.
    /// - Throws: `invalidResponse` if the answer is about another user.
    public func check(answered id: String?, for requested: String) throws(AuthError) {
        guard let id else { return }
        guard RequestedUser.id(requested).matches(id: id, emails: []) else { throw foreignAnswer }
    }

    /// The error of an answer that is about another user.
    ///
    /// It names no user: the id of the other one is nothing for the logs of this call.
    public var foreignAnswer: AuthError {
        AuthError(
            .invalidResponse,
            "\"\(address)\" answered about another user than the call asked for. Find the cache or proxy that mixes up responses, "
                + "and read the user again before you repeat the call.")
    }

    /// The address of the backend, without the project or key that ``backend`` adds.
    package var address: String { String(backend.prefix { $0 != "#" }) }
}

extension AuthError {
    /// Returns the error of a call whose first part is done.
    ///
    /// - Parameter part: The part that is done.
    package func after(_ part: String) -> AuthError {
        var error = self
        error.completed.insert(part, at: 0)
        return error
    }

    /// Returns the error of a list of users, or of the creation of a user: calls that name no user.
    ///
    /// - Parameter address: The address of the backend.
    package func ofUnnamedUser(at address: String) -> AuthError {
        guard code == .userNotFound || code == .invalidResponse && provider?.status == 404 else { return self }
        return AuthError(
            .invalidConfiguration,
            "\"\(address)\" has no list of users (status \(provider?.status ?? 404)). Give the address of the backend's API.",
            provider: provider)
    }

    /// Returns the error of a call that an administrator's key permits: the key has no session that could end.
    ///
    /// - Parameters:
    ///   - address: The address of the backend.
    ///   - key: The key to give, as in "the secret key of this instance".
    package func ofAdministrator(at address: String, key: String) -> AuthError {
        guard [.accessTokenRefused, .sessionRevoked, .sessionExpired].contains(code) else { return self }
        return AuthError(.invalidKey, "\"\(address)\" rejected the administrator's key. Give \(key).", provider: provider)
    }
}
