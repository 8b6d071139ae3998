internal import Lockstep

/// The reason why a run cannot start, or has stopped.
public struct MigrationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of reason.
    public enum Code: String, Sendable, CaseIterable {
        /// The run has no finished plan.
        case notPlanned
        /// The run has created no users yet, or was undone.
        case notApplied
        /// The run belongs to another source or target.
        case anotherEnd
        /// The run was planned for the API of the target and is used with its database, or the other way round.
        case anotherAccess
        /// Another process works on the run.
        case inUse
        /// A newer version of Lockstep has written the journal.
        case newerJournal
        /// An older build of Lockstep has written the journal.
        case olderJournal
        /// The journal cannot be used or written.
        case journal
        /// The archive cannot be written or read.
        case archive
        /// The password of the known account does not match its hash.
        case probe
        /// The source returned a different number of users than it reported.
        case count
        /// Two users of the source would get the same id on the target, or are one user there.
        case collision
        /// The run needs the field for external ids, the app uses it, and the operator has not chosen what happens to it.
        case externalIDs
        /// The source has tenants with users, and the operator has not chosen what happens to them.
        case tenants
        /// The script for the app's tables cannot be written.
        case rewrite
        /// The plan rejects users, and the operator has not chosen to leave them behind (`--partial`).
        case refusals
        /// A backend has failed too often.
        case stopped
        /// The run was cancelled between two batches.
        case cancelled
    }

    /// The kind of reason.
    public let code: Code
    /// A message that says what is wrong and what to do.
    public let message: String

    /// A message that says what is wrong and what to do.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error of a backend that failed during a run, or asked for a `wait` that is too long for a run.
    static func stopped(_ error: AuthError, _ occasion: String, wait: Duration? = nil) -> MigrationError {
        let minutes = wait.map { "in \(($0.components.seconds + 59) / 60) minutes, because the backend asks for this wait" }
        return MigrationError(
            .stopped, "\(occasion): \(error.message) (\(error.code)). Nothing is lost: continue the run \(minutes ?? "later").")
    }
}
