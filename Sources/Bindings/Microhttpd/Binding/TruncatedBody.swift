internal import CLockstepMicrohttpd

/// A body that is sent only in part.

///

/// libmicrohttpd requests its pieces, and gets an error at the end, which closes the connection.
final class TruncatedBody {
    private let bytes: [UInt8]
    private let end: Int

    init(_ bytes: [UInt8], end: Int) {
        self.bytes = bytes
        self.end = min(max(0, end), bytes.count)
    }

    /// Makes a response that announces the whole body.
    @unsafe func makeMessage() -> OpaquePointer? {
        let read: MHD_ContentReaderCallback = { context, position, buffer, capacity in
            guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
            // It was retained below, until the library calls `free` after its last call here.
            let body = unsafe Unmanaged<TruncatedBody>.fromOpaque(context).takeUnretainedValue()
            let start = Int(position)
            let count = min(capacity, body.end - start)
            // MHD_CONTENT_READER_END_WITH_ERROR
            guard count > 0 else { return -2 }
            unsafe body.bytes.withUnsafeBytes { source in
                // `count` is at most the buffer's capacity, and start + count at most the number of bytes.
                unsafe buffer.withMemoryRebound(to: UInt8.self, capacity: count) { target in
                    for offset in 0..<count { unsafe target[offset] = source[start + offset] }
                }
            }
            return count
        }
        let free: MHD_ContentReaderFreeCallback = { context in
            // It was retained below, and is released only here; the library calls this once.
            if let context = unsafe context { unsafe Unmanaged<TruncatedBody>.fromOpaque(context).release() }
        }
        let retained = unsafe Unmanaged.passRetained(self)
        let message = unsafe MHD_create_response_from_callback(UInt64(bytes.count), 4096, read, retained.toOpaque(), free)
        // If the library has made no response, it does not call `free`.
        if unsafe message == nil { unsafe retained.release() }
        return unsafe message
    }
}
