internal import CLockstepCurl
internal import LockstepHTTP

/// The functions that run only on the thread of the loop.
extension CurlLoop {
    func start(_ exchange: CurlExchange) {
        guard !exchange.isCancelled else { return exchange.finish(.failure(.cancelled(.neverSent))) }
        let handle: CurlHandle
        do throws(HTTPFailure) {
            if let spare = idle.popLast() { handle = spare } else { handle = try CurlHandle(configuration) }
            try handle.load(exchange)
        } catch {
            return exchange.finish(.failure(error))
        }
        guard unsafe curl_multi_add_handle(multi, handle.easy) == CURLM_OK else {
            handle.unload()
            return exchange.finish(.failure(.outOfMemory))
        }
        exchange.handle = handle
        handle.place = active.count
        active.append(handle)
    }

    /// Removes the exchange from its connection.
    ///
    /// HTTP/1.1 closes the connection, and HTTP/2 resets the stream.
    func abandon(_ exchange: CurlExchange) {
        exchange.isCancelled = true
        guard let handle = exchange.handle else { return }
        let phase = exchange.phase(bytesSent: handle.bytesSent)
        handle.giveUpConnection()
        release(handle)
        flush(exchange.request)
        exchange.finish(.failure(.cancelled(phase)))
    }

    /// Lets libcurl handle an event or its timeout, and resumes the callers whose exchanges have ended.
    func transfer(on socket: Int32, _ kinds: Int32) {
        var running: Int32 = 0
        unsafe curl_multi_socket_action(multi, socket, kinds, &running)
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            var code = CURLE_OK
            let easy = unsafe lockstep_curl_message(message, &code)
            guard let handle = unsafe CurlHandle.of(lockstep_curl_owner(easy)), let exchange = handle.exchange else { continue }
            let result = exchange.result(code, bytesSent: handle.bytesSent)
            release(handle)
            if code != CURLE_OK { flush(exchange.request) }
            exchange.finish(result)
        }
    }

    private func release(_ handle: CurlHandle) {
        unsafe curl_multi_remove_handle(multi, handle.easy)
        handle.exchange?.handle = nil
        handle.unload()
        let last = active.removeLast()
        if last !== handle {
            active[handle.place] = last
            last.place = handle.place
        }
        if idle.count < Self.idleLimit, handle.isSound { idle.append(handle) }
    }

    /// Makes libcurl send waiting data on connections that a request has shared.
    ///
    /// Otherwise the reset of a stream stays in its buffer until something else happens on the connection (seen with 7.88.1).
    private func flush(_ request: HTTPRequest) {
        // HTTP/2 is used only over TLS.
        guard request.isSecure else { return }
        for handle in active where handle.exchange?.request.origin == request.origin { handle.nudge() }
    }
}

/// Called when libcurl begins to wait for a socket, changes what it waits for, or stops waiting.
func watch(
    _: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe CurlLoop.of(context)?.sockets?.watch(socket, for: what)
    return 0
}

/// Called when libcurl wants to be called at a time, or no longer wants to be called.
func setTimer(_: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?) -> Int32 {
    unsafe CurlLoop.of(context)?.sockets?.setTimer(milliseconds)
    return 0
}

extension CurlLoop {
    /// Returns the loop that a callback received as its context.
    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> CurlLoop? {
        // `context` is the value that init passed to libcurl: the loop, which owns the handle and outlives it.
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
    }
}

extension HTTPRequest {
    /// The scheme, the host and the port.
    fileprivate var origin: Substring { url.dropFirst(8).prefix { !"/?#".contains($0) } }
}
