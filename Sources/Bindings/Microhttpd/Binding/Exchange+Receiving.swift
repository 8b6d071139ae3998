internal import CLockstepMicrohttpd

extension Exchange {
    /// Records the position of the target.
    ///
    /// libmicrohttpd ends the text with NUL, and the version must follow.
    @unsafe func begin(_ text: UnsafePointer<CChar>?) {
        guard let text = unsafe text else { return }
        // libmicrohttpd ends the text with NUL; it is valid during this call.
        target = unsafe (UInt(bitPattern: text), strlen(text))
    }

    /// Copies the method and the headers from the memory of libmicrohttpd.
    ///
    /// - Returns: Whether the copied parts cover every byte of the headers; see ``HeadLayout``.
    @unsafe func readHead(_ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ connection: OpaquePointer) -> Bool
    {
        hasHead = true
        guard let method = unsafe method, let version = unsafe version else { return false }
        // Both texts end with NUL, are valid during this call, and are copied, as are all texts below.
        unsafe request.method = String(cString: method)
        request.headers.reserveCapacity(16)
        unsafe layout.begin(
            at: UInt(bitPattern: method), methodCount: strlen(method), target: target, version: UInt(bitPattern: version),
            versionCount: strlen(version))
        let collect: MHD_KeyValueIteratorN = { context, _, name, nameSize, value, valueSize in
            guard let context = unsafe context, let name = unsafe name else { return .NO }
            // The context is the exchange below, which lives through the whole iteration; the library passes the sizes of its
            // texts.
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            if exchange.ownHeaders > 0 {
                exchange.ownHeaders -= 1
                return .YES
            }
            let count = unsafe value == nil ? 0 : valueSize
            unsafe exchange.request.headers.append(
                (
                    String(decoding: UnsafeRawBufferPointer(start: name, count: nameSize), as: UTF8.self),
                    String(decoding: UnsafeRawBufferPointer(start: value, count: count), as: UTF8.self)
                ))
            exchange.layout.take(
                name: UInt(bitPattern: name), nameSize, value: UInt(bitPattern: value), count)
            return .YES
        }
        // The iteration ends before this call returns, and `self` is retained by its caller.
        unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, collect, Unmanaged.passUnretained(self).toOpaque())
        isChunked = request.headers.contains { $0.name.isHeader("transfer-encoding") }
        // The connection stays open during this call.
        return unsafe lockstep_mhd_keeps_heads_in_place() == 0 || layout.isWhole(size: lockstep_mhd_head_size(connection))
    }

    /// The length of the body that the client has announced; 0 if it has announced none.
    var declaredLength: Int {
        request.headers.first { $0.name.isHeader("content-length") }.flatMap { Int($0.value) } ?? 0
    }

    /// Reads a piece of the body.
    ///
    /// It returns `false` if the body is much too long.
    @unsafe func take(_ piece: UnsafeRawBufferPointer, _ service: Service) -> Bool {
        received += piece.count
        if refusal == nil {
            if received <= service.configuration.bodyLimit {
                // The piece is valid during the caller's call, and is copied.
                unsafe request.body.append(contentsOf: piece)
            } else {
                refusal = .bodyTooLarge
                request.body = []
            }
        }
        return received <= service.drainLimit
    }
}
