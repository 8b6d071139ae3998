internal import CLockstepPostgres
internal import LockstepPrimitives

/// The connection itself.
///
/// `init` begins the connection; ``close()`` or the end of this object ends it.
///
/// Its owner is one ``PostgresConnection``, which only one thread at a time uses.
@safe final class PostgresHandle {
    /// The event that has ended a wait.
    enum Wake { case ready, timedOut, interrupted }

    private let interrupt: PostgresInterrupt
    /// The connection of libpq, until `close()` sets it to `nil`.
    private var connection: OpaquePointer?

    /// Begins to connect.
    ///
    /// Names are looked up here, which may block.
    init(_ target: [PostgresAddress.Parameter], interrupt: PostgresInterrupt) {
        self.interrupt = interrupt
        // The copies live through the call, which keeps none of them. Each is freed afterwards, and both lists end with nil.
        var keywords = unsafe target.map { unsafe UnsafePointer(strdup($0.keyword)) } + [nil]
        var values = unsafe target.map { unsafe UnsafePointer(strdup($0.value.reveal())) } + [nil]
        unsafe connection = PQconnectStartParams(&keywords, &values, 0)
        unsafe (keywords + values).forEach { copy in unsafe free(UnsafeMutablePointer(mutating: copy)) }
        // The connection is open, or nil. libpq allows nil here and in all calls below that request its state.
        unsafe lockstep_pg_silence(connection)
        // Only the text of libpq contains the server's code for a rejected connection.
        _ = unsafe PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    }

    deinit { close() }

    /// Ends the connection.
    ///
    /// The server rolls back an open transaction.
    func close() {
        // The connection is removed first, so that it cannot be used afterwards. The call does not wait for a full socket
        // (non-blocking).
        guard let open = unsafe connection else { return }
        unsafe connection = nil
        unsafe PQfinish(open)
    }

    /// Whether the connection is open, as far as is known without a request to the server.
    var isOpen: Bool { unsafe PQstatus(connection) == CONNECTION_OK }

    /// Whether no transaction is open on the connection.
    var isIdle: Bool { unsafe PQtransactionStatus(connection) == PQTRANS_IDLE }

    /// The message of libpq about the last failure of the connection.
    var message: String {
        // The text is valid until the next call on the connection, and is copied here.
        guard let text = unsafe PQerrorMessage(connection) else { return "no memory for a connection" }
        let lines = unsafe String(cString: text).split(whereSeparator: \.isNewline)
        // A position in the server's source code does not help anyone who configures a connection.
        return lines.filter { !$0.hasPrefix("LOCATION:") }.joined(separator: " ")
    }

    /// The code of the server for a rejected connection; `nil` if the server was not reached.
    var refusal: PostgresError.State? {
        if unsafe PQconnectionNeedsPassword(connection) == 1 { return .invalidPassword }
        return PostgresError.State(in: message)
    }

    /// Waits for the server, for the end of `limit`, or for the interrupt.
    func wait(reads: Bool, writes: Bool, _ limit: PostgresLimit) -> Wake {
        let socket = unsafe PQsocket(connection)
        var entries = [
            pollfd(fd: socket, events: Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), revents: 0),
            pollfd(fd: interrupt.reading, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let milliseconds = Int32(clamping: (limit.rest + .microseconds(999)).milliseconds)
            // The two entries are valid during the call.
            let count = unsafe poll(&entries, 2, milliseconds)
            if count > 0 { return entries[1].revents != 0 ? .interrupted : .ready }
            if count == 0 { return .timedOut }
            if lockstep_pg_errno() != EINTR { return .ready }
        }
    }

    // MARK: Connecting

    /// Does one step of connecting.
    ///
    /// Call it after the wait that the last step asked for.
    func connectStep() -> PostgresPollingStatusType { unsafe PQconnectPoll(connection) }

    /// Whether connecting has begun.
    var hasBegun: Bool { unsafe PQstatus(connection) != CONNECTION_BAD }

    /// Makes sure that sending never blocks.
    func becomeNonBlocking() {
        unsafe PQsetnonblocking(connection, 1)
        _ = unsafe PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
    }

    // MARK: Statements

    /// Begins to send a statement.
    ///
    /// The response comes in binary form.
    func send(_ statement: PostgresStatement) -> Bool {
        let encoded = statement.values.map(\.encoded)
        let types = statement.values.map { Oid($0.typeID) }
        let lengths = encoded.map { Int32(clamping: $0?.count ?? 0) }
        let formats = encoded.map { _ in Int32(1) }
        // All values one after another. The byte at the end gives even an empty last value an address.
        let joined = encoded.reduce(into: []) { $0 += $1 ?? [] } + [0]
        return unsafe joined.withUnsafeBufferPointer { bytes in
            var offset = 0
            var values: [UnsafePointer<CChar>?] = unsafe []
            for value in encoded {
                let start = unsafe bytes.baseAddress.map {
                    unsafe UnsafeRawPointer($0 + offset).assumingMemoryBound(to: CChar.self)
                }
                unsafe values.append(value == nil ? nil : start)
                offset += value?.count ?? 0
            }
            // libpq copies everything before it returns. Each pointer has as many bytes as its length says.
            return unsafe PQsendQueryParams(
                connection, statement.text, Int32(encoded.count), types, values, lengths, formats, 1) == 1
        }
    }

    /// Sends the rest.
    ///
    /// It returns `nil` if the connection broke, and otherwise whether everything was sent.
    func flush() -> Bool? {
        switch unsafe PQflush(connection) {
        case 0: true
        case 1: false
        default: nil
        }
    }

    /// Reads the data that has arrived.
    ///
    /// It returns `false` if the connection broke.
    func receive() -> Bool { unsafe PQconsumeInput(connection) == 1 }

    /// Whether the next result has not arrived yet.
    var isBusy: Bool { unsafe PQisBusy(connection) == 1 }

    /// Returns the next result, which must have arrived; `nil` after the last one.
    func nextResult() -> PostgresResult? {
        // The object that gets the result frees it.
        guard let result = unsafe PQgetResult(connection) else { return nil }
        return unsafe PostgresResult(result)
    }

    /// Returns the next notification that has arrived.
    func nextNotification() -> PostgresNotification? {
        guard let notice = unsafe PQnotifies(connection) else { return nil }
        // Both strings are in the memory that is freed below, and are copied before that.
        defer { unsafe PQfreemem(notice) }
        return unsafe PostgresNotification(
            channel: String(cString: notice.pointee.relname), payload: String(cString: notice.pointee.extra))
    }

    /// Asks the server to stop its work for this connection.
    ///
    /// The call does not wait for the server.
    func cancel() {
        guard let request = unsafe PQgetCancel(connection) else { return }
        // The request has a copy of everything that it needs. The thread that sends it owns it from now on.
        unsafe lockstep_pg_cancel_apart(request)
    }
}
