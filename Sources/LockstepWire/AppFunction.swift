public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives

/// A function of the app's own server that an adapter calls because the provider has no such call, such as one that deletes accounts.
///
/// Its errors name the function, its address, and the place in the configuration, so that nobody looks for the mistake at the provider.
public struct AppFunction: Sendable, Hashable {
    /// The address.
    public let url: String
    /// The member of the adapter's configuration that has the address.
    public let setting: String

    /// A function.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - setting: The member of the adapter's configuration that has the address.
    public init(_ url: String, setting: String) {
        self.url = url
        self.setting = setting
    }

    /// Calls the function, and names it in errors that are about the function.
    ///
    /// - Parameter call: Sends the request.
    /// - Returns: the answer.
    /// - Throws: the error of `call`. An error about the user or the session stays as it is.
    public func named(
        _ call: (_ url: String) async throws(AuthError) -> HTTPResponse
    ) async throws(AuthError) -> HTTPResponse {
        do {
            return try await call(url)
        } catch {
            throw named(error)
        }
    }

    /// An error with the function's address, if the function is the cause.
    public func named(_ error: AuthError) -> AuthError {
        guard Self.causes.contains(error.code) else { return error }
        var error = error
        error.message += " The function's address is \"\(url)\", from `\(setting)` of the adapter's configuration."
        return error
    }

    /// The codes that a function itself, its platform or its address can cause.
    private static let causes: Set<AuthError.Code> = [
        .network, .timedOut, .serverUnavailable, .invalidResponse, .invalidConfiguration, .invalidKey, .accessTokenRefused,
        .tooManyRequests, .unknown, .notEnabled,
    ]
}

/// The errors of a function of the app's own server.
///
/// A refusal that the function has in common with the provider keeps the provider's meaning. The status says the rest: 401 is a rejected
/// access token, 404, 405 and 410 are a function that is not there, 5xx is a function in trouble. Only the last can pass by itself.
public protocol AppFunctionErrors: ErrorTable {
    /// Reads a refusal in the function's own form; `nil` if the answer has another form.
    static func ownReport(of response: HTTPResponse, _ body: JSON?) -> ErrorReport?
}

extension AppFunctionErrors {
    /// Reads a refusal: the function's own, or the meaning of the status.
    public static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        let own = ownReport(of: response, body)
        guard own?.meaning == nil, let meaning = meaning(of: response.status) else { return own }
        return ErrorReport(code: own?.code, message: own?.message, meaning: meaning)
    }

    private static func meaning(of status: Int) -> ErrorMeaning? {
        switch status {
        case 401:
            ErrorMeaning(
                .accessTokenRefused,
                "\(subject) does not accept the access token. It must verify the tokens of this project, and read the one in `Authorization`.",
                [.signIn])
        case 403:
            ErrorMeaning(.notEnabled, "\(subject) rejects the call (status 403). Check its rules, and those of its platform.")
        case 404, 405, 410:
            ErrorMeaning(
                .invalidConfiguration, "\(subject) is not there (status \(status)). Deploy it, or correct its address.")
        default: nil
        }
    }

    /// The error for an answer of status 2xx that does not say that the function has done its work.
    ///
    /// A function that answers in another form does so each time. Only an answer that is no JSON may be that of a network's sign-in page.
    public static func unexpected(_ response: HTTPResponse, _ expectation: String) -> AuthError {
        var error = foreign(response, expectation)
        if (try? response.json()) != nil { error.retry = .never }
        return error
    }
}
