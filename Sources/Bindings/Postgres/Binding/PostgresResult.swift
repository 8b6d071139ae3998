internal import CLockstepPostgres

/// A result of libpq, which is freed with this object.
@safe final class PostgresResult {
    private let result: OpaquePointer

    /// Becomes the owner of a result.
    @unsafe init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit {
        // It came from PQgetResult, and no method can run any more.
        unsafe PQclear(result)
    }

    /// Returns the rows and their number, if the statement was executed.
    ///
    /// - Throws: ``PostgresError`` with `refused`; or with `disconnected` if the server no longer responds.
    func outcome() throws(PostgresError) -> PostgresOutcome {
        let status = unsafe PQresultStatus(result)
        guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
            let state = field("C").map(PostgresError.State.init)
            // Detail and hint may quote values of a row. The server's own primary messages quote values only for invalid
            // literals, which parameters never are. The message of a trigger contains the text that its author chose.
            let message = field("M") ?? "The server's response cannot be read."
            let place = [field("s"), field("t"), field("n")].compactMap(\.self)
            throw PostgresError(
                state == nil ? .disconnected : .refused, message, state: state,
                constraint: place.count == 3 ? place.joined(separator: ".") : nil)
        }
        let columns = unsafe PQnfields(result)
        let rows = unsafe (0..<PQntuples(result)).map { row in
            PostgresRow(values: (0..<columns).map { column in value(row, column) })
        }
        // The text is a number or empty, and is valid as long as the result.
        let changed = unsafe Int(String(cString: PQcmdTuples(result)))
        return PostgresOutcome(rows: rows, count: changed ?? rows.count)
    }

    private func value(_ row: Int32, _ column: Int32) -> PostgresValue {
        // Row and column are within the counts. The value has as many bytes as its length says, and is copied here.
        guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column) else {
            return .null
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
        return unsafe PostgresValue(Array(bytes), typeID: PQftype(result, column))
    }

    /// Returns a field of an error, by PostgreSQL's letter for it.
    private func field(_ letter: Unicode.Scalar) -> String? {
        // The text is valid as long as the result, and is copied here.
        guard let text = unsafe PQresultErrorField(result, Int32(letter.value)) else { return nil }
        return unsafe String(cString: text)
    }
}
