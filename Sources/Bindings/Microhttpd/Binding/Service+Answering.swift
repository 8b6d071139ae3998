internal import CLockstepMicrohttpd
internal import LockstepPrimitives

extension Service {
    /// The maximum number of bytes that are read from a body that is too long, before the connection is closed without a
    /// response.
    var drainLimit: Int { configuration.bodyLimit * 4 + (1 << 20) }

    /// Responds to a request that is complete, or for which the response is ready.
    @unsafe func answer(_ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        // In all calls below: libmicrohttpd has passed the connection to its handler for this call.
        let isLast = exchange.peer?.isLast == true
        switch exchange.outcome {
        case .response(let response)?: return unsafe queue(response.closing(exchange.isChunked), on: connection)
        case .turnedAway?: return unsafe refuse(.busy, exchange, on: connection)
        case nil: break
        }
        if let refusal = exchange.refusal { return unsafe refuse(refusal, exchange, on: connection) }
        exchange.peer?.enter(.answering)
        switch handler.answer(exchange.request) {
        case .now(let response):
            return unsafe queue(response.closing(exchange.isChunked || isLast), on: connection)
        case .later(let start):
            guard !isLast else { return unsafe refuse(.busy, exchange, on: connection) }
            return unsafe suspend(exchange, isPatient: false, connection, start)
        case .waiting(let start):
            guard !isLast, budget.canWait else { return unsafe refuse(.busy, exchange, on: connection) }
            return unsafe suspend(exchange, isPatient: true, connection, start)
        }
    }

    @unsafe private func suspend(
        _ exchange: Exchange, isPatient: Bool, _ connection: OpaquePointer, _ start: @Sendable (ServerPromise) -> Void
    ) -> MHD_Result {
        unsafe exchange.wait(WaitingConnection(suspending: connection))
        exchange.peer?.enter(.suspended(exchange, isPatient: isPatient, since: clock.uptime))
        if registry.add(exchange, isPatient: isPatient) { start(ServerPromise(exchange: exchange)) } else { exchange.abandon() }
        return .YES
    }

    /// Responds that the request is rejected, and closes the connection.
    @unsafe func refuse(_ refusal: ServerRefusal, _ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        var response = handler.answer(refusal, of: exchange.request).closing
        if refusal == .busy { response.headers.append(("Retry-After", "1")) }
        return unsafe queue(response, on: connection)
    }

    /// Queues a response in libmicrohttpd.
    ///
    /// `NO` closes the connection.
    @unsafe func queue(_ response: ServerResponse, on connection: OpaquePointer) -> MHD_Result {
        guard response.ending != .silence else { return .NO }
        var status = response.status
        // In all calls: the object was just made, and has no other owner. The queue has its own reference, so this one is
        // released in any case.
        guard var message = unsafe makeBody(response) else { return .NO }
        if let name = unsafe addHeaders(of: response, to: message) {
            unsafe MHD_destroy_response(message)
            status = 500
            let text = Array("The response has a header that HTTP does not allow: \(name)".utf8)
            guard let complaint = unsafe makeBody(ServerResponse(status: status, body: text)) else { return .NO }
            unsafe message = complaint
        }
        defer { unsafe MHD_destroy_response(message) }
        return unsafe MHD_queue_response(connection, UInt32(clamping: status), message)
    }

    private func makeBody(_ response: ServerResponse) -> OpaquePointer? {
        if case .truncate(let end) = response.ending { return unsafe TruncatedBody(response.body, end: end).makeMessage() }
        return unsafe response.body.withUnsafeBytes { bytes in
            // MUST_COPY: the library has made its own copy when the call returns.
            unsafe MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    /// Adds the headers.
    ///
    /// It returns the name of a header that the library rejects (a line end, or an invalid name).
    @unsafe private func addHeaders(of response: ServerResponse, to message: OpaquePointer) -> String? {
        for (name, value) in response.headers where !value.isEmpty {
            // The library counts the body itself, and rejects these two headers.
            if name.isHeader("content-length") || name.isHeader("transfer-encoding") { continue }
            // Both texts are copies that end with NUL; the library copies them during the call.
            guard unsafe MHD_add_response_header(message, name, value) == .YES else { return name }
        }
        if response.ending != .complete { unsafe MHD_add_response_header(message, "Connection", "close") }
        return nil
    }
}

extension ServerResponse {
    /// Returns the response, and also closes the connection if `isAsked` is true.
    func closing(_ isAsked: Bool) -> ServerResponse { isAsked ? closing : self }

    /// The response, which also closes the connection.
    var closing: ServerResponse {
        var copy = self
        if copy.ending == .complete { copy.ending = .close }
        return copy
    }
}
