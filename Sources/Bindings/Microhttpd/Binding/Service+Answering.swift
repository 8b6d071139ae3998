internal import CLockstepMicrohttpd

extension Service {
    /// Bytes of a body that are read, though too many, before the connection is closed without an answer.
    var drainLimit: Int { configuration.bodyLimit * 4 + (1 << 20) }

    /// Answers a request that is there, or one whose answer is there.
    @unsafe func answer(_ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        // In all calls below: libmicrohttpd's handler has been given the connection for this call.
        if let response = exchange.response { return unsafe queue(response, on: connection) }
        if let refusal = exchange.refusal {
            return unsafe queue(handler.answer(refusal, of: exchange.request).closing, on: connection)
        }
        exchange.peer?.enter(.answering)
        switch handler.answer(exchange.request) {
        case .now(let response):
            return unsafe queue(response, on: connection)
        case .later(let start):
            unsafe exchange.wait(WaitingConnection(suspending: connection))
            exchange.peer?.enter(.suspended(exchange))
            if registry.add(exchange) { start(ServerPromise(exchange: exchange)) } else { exchange.abandon() }
            return .YES
        }
    }

    /// Hands a response to libmicrohttpd; `NO` closes the connection.
    @unsafe func queue(_ response: ServerResponse, on connection: OpaquePointer) -> MHD_Result {
        guard response.ending != .silence, let message = unsafe makeMessage(response) else { return .NO }
        // The queue takes a reference of its own, so ours goes, whether or not it was taken.
        defer { unsafe MHD_destroy_response(message) }
        return unsafe MHD_queue_response(connection, UInt32(clamping: response.status), message)
    }

    private func makeMessage(_ response: ServerResponse) -> OpaquePointer? {
        let message: OpaquePointer?
        if case .truncate(let end) = response.ending {
            unsafe message = TruncatedBody(response.body, end: end).makeMessage()
        } else {
            // MUST_COPY: the library has its own copy when the call returns.
            unsafe message = response.body.withUnsafeBytes { bytes in
                unsafe MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        }
        guard let message = unsafe message else { return nil }
        for (name, value) in response.headers {
            // Both texts are NUL-terminated copies for the call, and copied by the library. It refuses line ends and empty values.
            if value.isEmpty { continue }
            guard unsafe MHD_add_response_header(message, name, value) == .YES else {
                unsafe MHD_destroy_response(message)
                return nil
            }
        }
        if response.ending != .complete { unsafe MHD_add_response_header(message, "Connection", "close") }
        return unsafe message
    }
}

extension ServerResponse {
    /// The same, with the connection closed afterwards.
    var closing: ServerResponse {
        var copy = self
        if copy.ending == .complete { copy.ending = .close }
        return copy
    }
}
