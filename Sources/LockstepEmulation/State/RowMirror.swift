public import LockstepSQLite

/// Another database that stores the rows of an emulator.
///
/// Other programs may change this database. ``Database`` makes one call at a time.
public protocol RowMirror: Sendable {
    /// A short description of the database for people: its name and its purpose, without secrets.
    var summary: String { get }

    /// Whether a reset may delete the rows of this database.
    var mayErase: Bool { get }

    /// Reads all rows of this database into the tables of the emulator.
    ///
    /// - Parameter connection: The emulator's connection, whose tables exist.
    /// - Throws: ``RowMirrorError`` if the rows cannot be read.
    func open(_ connection: inout SQLiteConnection) throws

    /// Reads the rows that other programs have changed, before a request that only reads.
    ///
    /// - Parameter connection: The emulator's connection, without a transaction.
    /// - Throws: ``RowMirrorError`` if the rows cannot be read.
    func refresh(_ connection: inout SQLiteConnection) throws

    /// Reads the rows that other programs have changed, before a request that writes.
    ///
    /// Other programs cannot write until ``commit(_:)`` or ``rollBack()`` is called. Otherwise two writers could change one row,
    /// and the emulator's copy would match neither of them.
    ///
    /// - Parameter connection: The emulator's connection, inside the transaction of the request.
    /// - Throws: ``RowMirrorError`` if the rows cannot be read.
    func begin(_ connection: inout SQLiteConnection) throws

    /// Writes the rows that the request has changed, in one transaction.
    ///
    /// - Parameter connection: The emulator's connection, before its own commit.
    /// - Throws: ``RowMirrorError`` if the rows cannot be written. In that case, either nothing was written, or the result is
    ///   unknown.
    func commit(_ connection: inout SQLiteConnection) throws

    /// Rolls back the transaction of ``begin(_:)``, after the emulator has rolled back its own.
    func rollBack()
}

/// The error of a database that stores the rows of an emulator.
public struct RowMirrorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whether writing the rows failed.
    ///
    /// If `false`, reading the rows failed.
    public let isOfWriting: Bool
    /// A sentence that says what is wrong and what to do.
    public let description: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - description: A sentence that says what is wrong and what to do.
    ///   - isOfWriting: Whether writing the rows failed.
    public init(_ description: String, isOfWriting: Bool = false) {
        self.description = description
        self.isOfWriting = isOfWriting
    }
}

extension RowMirrorError {
    /// The response of a control route to this error.
    var refusal: ControlError { ControlError(isOfWriting ? 409 : 503, description) }
}
