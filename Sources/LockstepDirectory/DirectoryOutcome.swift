public import Lockstep
internal import LockstepWire

/// The outcome for one user of a batch.
///
/// After an interrupted batch, every user has exactly one outcome. A later run sends ``notSent(_:)`` again. For each
/// ``unknown(_:)``, it first looks the user up by id or email address.
public enum DirectoryOutcome: Sendable {
    /// The change was made.
    ///
    /// The value is the user's id at the backend.
    case done(id: String)
    /// The backend, or the directory before it sent anything, rejected the change.
    ///
    /// Nothing has changed for the user.
    case refused(AuthError)
    /// The response was lost.
    ///
    /// The change may have been made completely, in part, or not at all.
    case unknown(AuthError)
    /// The change was not sent, or the backend did not start it, because the batch ended with this error.
    case notSent(AuthError)

    /// The error; `nil` if the change was made.
    public var error: AuthError? {
        switch self {
        case .done: nil
        case .refused(let error), .unknown(let error), .notSent(let error): error
        }
    }
}

extension DirectoryOutcome {
    /// Converts the error of a call for one user: rejected, unknown if the response was lost, or not sent.
    ///
    /// - Parameter error: The error.
    public init(of error: AuthError) {
        self = error.mayHaveTakenEffect ? .unknown(error) : error.isOfEveryUser ? .notSent(error) : .refused(error)
    }

    /// Whether the next user of the batch is tried: a batch goes on after a refusal only.
    package var endsBatch: Bool {
        switch self {
        case .done, .refused: false
        case .unknown, .notSent: true
        }
    }

    /// Does something for each element of a batch, some at the same time.
    ///
    /// The batch ends with the first error that would be every user's, and with the first answer that is lost. What is under way then is
    /// awaited, so that each element has its own outcome.
    ///
    /// - Parameters:
    ///   - elements: The elements; they begin in this order.
    ///   - width: How many may be under way at the same time.
    ///   - marks: What an element shares with those that exclude it, such as an address. Such elements go one after the other.
    ///   - act: Does it for an element, and returns the user's id.
    /// - Returns: The outcomes in the order of the elements.
    package static func all<Element: Sendable>(
        of elements: [Element], width: Int, marks: (Element) -> [String],
        _ act: @escaping @Sendable (Element) async throws(AuthError) -> String
    ) async -> [DirectoryOutcome] {
        let results = await SideBySide.run(elements, width: width, marks: marks) { element in
            do throws(AuthError) {
                return DirectoryOutcome.done(id: try await act(element))
            } catch {
                return DirectoryOutcome(of: error)
            }
        } isLast: { outcome in
            outcome.endsBatch
        }
        let end = results.lazy.compactMap(\.self).first { $0.endsBatch }?.error ?? .cancelled
        return results.map { $0 ?? .notSent(end) }
    }
}

extension AuthError {
    /// Whether the next user would get the same error.
    fileprivate var isOfEveryUser: Bool {
        [
            .network, .timedOut, .cancelled, .tooManyRequests, .accessTokenRefused, .invalidKey, .invalidConfiguration,
            .serverUnavailable,
        ].contains(code)
    }
}
