public import LockstepSQLite

/// Another database that stores rows of an emulator's tables, and that other programs may change.
///
/// ``Database`` calls it while it has the connection, so one call runs at a time.
public protocol RowMirror: Sendable {
    /// The database for a person: its name, and a word about its purpose. It contains no secret.
    var summary: String { get }

    /// Whether a reset may delete the rows of the other database.
    var mayErase: Bool { get }

    /// Prepares a connection that has the emulator's tables, and reads all rows into them.
    ///
    /// - Parameter connection: The emulator's connection.
    /// - Throws: ``RowMirrorError``.
    func open(_ connection: inout SQLiteConnection) throws

    /// Reads the rows that others have changed, for a request that only reads.
    ///
    /// - Parameter connection: The emulator's connection, without a transaction.
    /// - Throws: ``RowMirrorError``.
    func refresh(_ connection: inout SQLiteConnection) throws

    /// Reads the rows that others have changed, and makes others wait until ``commit(_:)`` or ``rollBack()``.
    ///
    /// - Parameter connection: The emulator's connection, inside the request's transaction.
    /// - Throws: ``RowMirrorError``.
    func begin(_ connection: inout SQLiteConnection) throws

    /// Writes the rows that the request has changed, in one transaction.
    ///
    /// - Parameter connection: The emulator's connection, before its own commit.
    /// - Throws: ``RowMirrorError``; then nothing was written, or it is not known.
    func commit(_ connection: inout SQLiteConnection) throws

    /// Ends a transaction that ``begin(_:)`` has begun; the emulator's own was rolled back.
    func rollBack()
}

/// An error of the database behind a ``RowMirror``.
public struct RowMirrorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whether writing failed; otherwise reading failed.
    public let isOfWriting: Bool
    /// A sentence with the problem and the remedy.
    public let description: String

    /// Creates an error with a sentence.
    ///
    /// - Parameters:
    ///   - description: A sentence with the problem and the remedy.
    ///   - isOfWriting: Whether writing failed.
    public init(_ description: String, isOfWriting: Bool = false) {
        self.description = description
        self.isOfWriting = isOfWriting
    }
}

extension RowMirrorError {
    /// The response of a control route.
    var refusal: ControlError { ControlError(isOfWriting ? 409 : 503, description) }
}
