public import Lockstep
internal import LockstepWire

/// The outcome for one user in a batch.
///
/// A batch returns one outcome for each user, even if it was interrupted. To finish an interrupted batch, resend all users whose
/// outcome is ``notSent(_:)``. For each ``unknown(_:)``, first look up the user by id or email address.
///
/// ```swift
/// for outcome in await directory.delete(ids) {
///     if let error = outcome.error { print(error.message) }
/// }
/// ```
public enum DirectoryOutcome: Sendable {
    /// The backend made the change.
    ///
    /// The value is the user's id at the backend.
    case done(id: String)
    /// The change was rejected, and nothing has changed for this user.
    ///
    /// Either the backend rejected the change, or the directory rejected it before it sent a request.
    case refused(AuthError)
    /// The response was lost, so it is unknown whether the change was made.
    ///
    /// The backend may have made the change completely, in part, or not at all.
    case unknown(AuthError)
    /// The batch ended with this error before the backend began to change this user.
    case notSent(AuthError)

    /// The error; `nil` if the backend made the change.
    public var error: AuthError? {
        switch self {
        case .done: nil
        case .refused(let error), .unknown(let error), .notSent(let error): error
        }
    }
}

extension DirectoryOutcome {
    /// Chooses the outcome to report if a call that changes one user throws an error.
    ///
    /// If the response was lost, the outcome is ``unknown(_:)``. Some errors, such as an invalid key, would occur for every
    /// other user, too. For these errors, the outcome is ``notSent(_:)``. For any other error, the outcome is ``refused(_:)``.
    ///
    /// - Parameter error: The error that the call has thrown.
    public init(of error: AuthError) {
        self = error.mayHaveTakenEffect ? .unknown(error) : error.isOfEveryUser ? .notSent(error) : .refused(error)
    }

    /// Whether the batch ends after this user.
    ///
    /// It continues only after a success or a rejection.
    package var endsBatch: Bool {
        switch self {
        case .done, .refused: false
        case .unknown, .notSent: true
        }
    }

    /// Changes each element of a batch, several at the same time.
    ///
    /// The batch ends at the first lost response, or at the first error that all other elements would also get. Requests that
    /// have already been sent are awaited, so that each element has its own outcome.
    ///
    /// - Parameters:
    ///   - elements: The elements, in the order in which their requests begin.
    ///   - width: The maximum number of requests at the same time.
    ///   - marks: A closure that returns the values that an element shares with others, such as an address. Elements that share
    ///     a value run one after the other.
    ///   - act: A closure that changes an element, and returns the user's id.
    /// - Returns: The outcomes, in the order of the elements.
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
