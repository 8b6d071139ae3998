internal import Lockstep
internal import LockstepHTTP

extension ErrorMapping {
    /// A request without an answer: none of these says anything about a session.
    static func error(for failure: HTTPFailure) -> AuthError {
        switch failure.code {
        case .cancelled: .cancelled
        case .timedOut: AuthError(.timedOut, "Clerk gave no answer in time.", retry: .now, underlying: failure)
        case .truncated, .tooLarge, .malformedAnswer:
            AuthError(
                .invalidResponse, "Clerk's answer came in pieces or was none. \(failure.message)", retry: .now,
                underlying: failure)
        case .invalidRequest, .notLoopback:
            AuthError(.invalidConfiguration, "The request may not be sent. \(failure.message)", underlying: failure)
        default: AuthError(.network, "Clerk cannot be reached. \(failure.message)", retry: .now, underlying: failure)
        }
    }
}
