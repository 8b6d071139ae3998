public import Lockstep
public import LockstepHTTP

extension AuthError {
    /// A request to `provider` that got no answer: none of these says anything about a session.
    public init(_ failure: HTTPFailure, of provider: String) {
        switch failure.code {
        case .cancelled: self = .cancelled
        case .timedOut: self.init(.timedOut, "\(provider) gave no answer in time.", retry: .now, underlying: failure)
        case .truncated, .tooLarge, .malformedAnswer:
            self.init(
                .invalidResponse, "\(provider)'s answer came in pieces or was none. \(failure.message)", retry: .now,
                underlying: failure)
        case .invalidRequest, .invalidConfiguration, .notLoopback:
            self.init(.invalidConfiguration, "The request may not be sent. \(failure.message)", underlying: failure)
        default: self.init(.network, "\(provider) cannot be reached. \(failure.message)", retry: .now, underlying: failure)
        }
    }

    /// An answer in the form of `provider` that lacks what it must have.
    public static func incomplete(_ what: String, of provider: String) -> AuthError {
        AuthError(.invalidResponse, "\(provider)'s answer lacks \(what), or has it in another type.", retry: .now)
    }
}
