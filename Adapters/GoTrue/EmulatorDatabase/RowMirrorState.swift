internal import LockstepEmulation
internal import LockstepPostgres
internal import LockstepSQLite

/// The rows in both databases, and how up to date the emulator's copy is.
struct RowMirrorState {
    let source: RowSource
    private let copy = RowCopy()
    private var position = ChangePosition()
    /// The position of the copy if the open transaction is committed.
    private var next: ChangePosition?
    /// Whether the copy may have missed changes.
    private var isStale = true

    init(_ source: RowSource) { self.source = source }

    mutating func open(_ connection: inout SQLiteConnection) throws {
        try copy.prepare(&connection)
        isStale = true
        try refresh(&connection)
    }

    mutating func refresh(_ connection: inout SQLiteConnection) throws {
        try connect()
        // Most requests find no changes, and then this is the only statement.
        if !isStale, try source.changes(after: position).isEmpty { return }
        let taken = try connection.transaction { connection in
            try source.inSnapshot { try takeOver(&connection) }
        }
        position = taken
        isStale = false
    }

    mutating func begin(_ connection: inout SQLiteConnection) throws {
        try connect()
        try source.beginWriting()
        next = position
        next = try takeOver(&connection)
    }

    mutating func commit(_ connection: inout SQLiteConnection) throws {
        let changes = try copy.changes(&connection)
        try source.write(changes)
        // If no response arrives, it is unknown whether the commit was done. The connection is then lost, and the next
        // connection reads everything.
        try source.commit()
        if let next { position = next }
        next = nil
        isStale = false
        try copy.forgetChanges(&connection)
    }

    mutating func rollBack() {
        if next == nil { isStale = true }
        next = nil
        source.rollBack()
    }

    /// Connects if there is no usable connection; the copy may then have missed changes.
    private mutating func connect() throws {
        if try source.connect() { isStale = true }
    }

    /// Updates the copy.
    private func takeOver(_ connection: inout SQLiteConnection) throws -> ChangePosition {
        guard !isStale else { return try takeOverEverything(&connection) }
        let changes = try source.changes(after: position)
        if changes.isTruncation { return try takeOverEverything(&connection) }
        try copy.update(changes.keys, from: source, &connection)
        return changes.position
    }

    private func takeOverEverything(_ connection: inout SQLiteConnection) throws -> ChangePosition {
        let position = try source.position()
        try copy.replace(from: source, &connection)
        return position
    }
}

/// The changes of the database that are already known.
struct ChangePosition: Sendable {
    /// Changes of transactions before this one are known.
    var horizon = "0"
    /// The numbers of known changes whose transactions are not before the horizon.
    var seen: Set<Int64> = []
}

/// The changes by other programs, and the position after them.
struct KnownChanges: Sendable {
    /// The keys of the changed rows, by table.
    var keys: [ExactString: Set<ExactString>] = [:]
    /// Whether a table was emptied as a whole.
    var isTruncation = false
    var position = ChangePosition()

    var isEmpty: Bool { keys.isEmpty && !isTruncation }
}
