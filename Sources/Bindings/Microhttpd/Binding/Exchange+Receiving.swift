internal import CLockstepMicrohttpd

extension Exchange {
    /// Copies method and headers out of libmicrohttpd's memory.
    @unsafe func readHead(_ method: UnsafePointer<CChar>?, _ connection: OpaquePointer) {
        hasHead = true
        // NUL-terminated, valid for this call, copied.
        request.method = unsafe method.map { unsafe String(cString: $0) } ?? ""
        request.headers.reserveCapacity(16)
        let collect: MHD_KeyValueIteratorN = { context, _, name, nameSize, value, valueSize in
            guard let context = unsafe context, let name = unsafe name else { return .NO }
            // The context is the exchange below, alive for the whole iteration; the library gives the sizes of its texts.
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            unsafe exchange.request.headers.append(
                (
                    String(decoding: UnsafeRawBufferPointer(start: name, count: nameSize), as: UTF8.self),
                    String(decoding: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize), as: UTF8.self)
                ))
            return .YES
        }
        // The iteration ends before this call returns, and `self` is retained by its caller.
        unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, collect, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The body's length as the client has told it; 0 where it has not.
    var declaredLength: Int {
        request.headers.first { $0.name.isHeader("content-length") }.flatMap { Int($0.value) } ?? 0
    }

    /// Takes a piece of the body; false when there is far too much of it.
    @unsafe func take(_ piece: UnsafeRawBufferPointer, _ service: Service) -> Bool {
        received += piece.count
        if refusal == nil {
            if received <= service.configuration.bodyLimit {
                // The piece is valid for the caller's call, and copied.
                unsafe request.body.append(contentsOf: piece)
            } else {
                refusal = .bodyTooLarge
                request.body = []
            }
        }
        return received <= service.drainLimit
    }
}
