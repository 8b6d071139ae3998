internal import Lockstep

/// An error that explains why a run cannot start, or has stopped.
public struct MigrationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of reason.
    public enum Code: String, Sendable, CaseIterable {
        /// The run has no finished plan.
        case notPlanned
        /// The run has created no users yet, or was undone.
        case notApplied
        /// The run belongs to another source or target.
        case anotherEnd
        /// The run was planned for the target's database but is used with its API, or the reverse.
        case anotherAccess
        /// Another process works on the run.
        case inUse
        /// A newer version has written the journal.
        case newerJournal
        /// The journal cannot be used or written.
        case journal
        /// The archive cannot be written or read.
        case archive
        /// The probe's hash does not verify with its password.
        case probe
        /// The source returned a different number of users than it reports.
        case count
        /// Two users of the source would get the same id.
        case collision
        /// The plan rejects users, and `--partial` was not given.
        case refusals
        /// A backend has failed too often.
        case stopped
        /// The run was cancelled between two batches.
        case cancelled
    }

    /// The kind of reason.
    public let code: Code
    /// The problem and the remedy.
    public let message: String

    /// The problem and the remedy.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error of a backend that has failed while a run worked.
    static func stopped(_ error: AuthError, _ occasion: String) -> MigrationError {
        MigrationError(.stopped, "\(occasion): \(error.message) (\(error.code)). Nothing is lost: continue the run later.")
    }
}
