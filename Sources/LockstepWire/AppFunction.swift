public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives

/// A function on the app's own server, which an adapter calls for a task that the provider's API does not offer.
///
/// An example is the deletion of an account. If the call fails, the error contains the function's URL and the name of
/// its setting. So developers do not look for the mistake in the provider's settings.
public struct AppFunction: Sendable, Hashable {
    /// The URL of the function.
    public let url: String
    /// The name of the setting in the configuration that contains the URL.
    public let setting: String

    /// Creates a function.
    ///
    /// - Parameters:
    ///   - setting: The name of the setting in the configuration that contains the URL.
    public init(_ url: String, setting: String) {
        self.url = url
        self.setting = setting
    }

    /// Calls the function, and adds its URL to the errors that it causes.
    ///
    /// - Parameter call: A closure that sends the request to the given URL.
    /// - Returns: The response.
    /// - Throws: The error of `call`. An error about the user or the session is thrown unchanged.
    public func named(
        _ call: (_ url: String) async throws(AuthError) -> HTTPResponse
    ) async throws(AuthError) -> HTTPResponse {
        do {
            return try await call(url)
        } catch {
            throw named(error)
        }
    }

    /// Adds the function's URL to an error, if the function caused the error.
    ///
    /// - Returns: The error with the URL, or the unchanged error.
    public func named(_ error: AuthError) -> AuthError {
        guard Self.causes.contains(error.code) else { return error }
        var error = error
        error.message += " The function's address is \"\(url)\", from `\(setting)` of the adapter's configuration."
        return error
    }

    /// The error codes that the function, its platform or its URL can cause.
    private static let causes: Set<AuthError.Code> = [
        .network, .timedOut, .serverUnavailable, .invalidResponse, .invalidConfiguration, .invalidKey, .accessTokenRefused,
        .tooManyRequests, .unknown, .notEnabled,
    ]
}

/// Reads the errors of a function on the app's own server.
///
/// If the function returns an error of the provider, the error has the provider's meaning. Otherwise, the status decides:
///
/// - 401 means that the function rejected the access token.
/// - 404, 405 and 410 mean that the function does not exist.
/// - 5xx means that the function failed. Only this error can be temporary.
public protocol AppFunctionErrors: ErrorTable {
    /// Reads an error that is in the function's own format.
    ///
    /// - Returns: The error; `nil` if the response has another format.
    static func ownReport(of response: HTTPResponse, _ body: JSON?) -> ErrorReport?
}

extension AppFunctionErrors {
    /// Reads an error in the function's own format, or derives the error from the status.
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
                "\(subject) does not accept the access token. It must verify the tokens of this project, and read the token in `Authorization`.",
                [.signIn])
        case 403:
            ErrorMeaning(.notEnabled, "\(subject) rejects the call (status 403). Check its rules, and the rules of its platform.")
        case 404, 405, 410:
            ErrorMeaning(
                .invalidConfiguration, "\(subject) does not exist (status \(status)). Deploy it, or correct its address.")
        default: nil
        }
    }

    /// Returns the error for a response with status 2xx that does not confirm the function's success.
    ///
    /// If a function responds in another format, it always does so, so a second call does not help. However, a response
    /// without JSON may come from the sign-in page of a network.
    ///
    /// - Parameters:
    ///   - expectation: A description of the expected response.
    public static func unexpected(_ response: HTTPResponse, _ expectation: String) -> AuthError {
        var error = foreign(response, expectation)
        if (try? response.json()) != nil { error.retry = .never }
        return error
    }
}
