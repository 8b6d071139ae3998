internal import CLockstepQRCode

/// A QR code (ISO/IEC 18004) of bytes, made by libqrencode, with error correction of level M.
struct QRCode: Sendable {
    /// The number of modules on a side.
    let size: Int
    private let modules: [Bool]

    /// Creates the smallest code that contains the bytes; `nil` for no bytes, or for more than the maximum of 2,331 bytes.
    init?(_ bytes: [UInt8]) {
        // The library reads the given number of bytes, and copies them. What it returns is freed below, after its modules
        // were copied.
        guard !bytes.isEmpty, let count = Int32(exactly: bytes.count),
            let code = unsafe bytes.withUnsafeBufferPointer({
                unsafe QRcode_encodeData(count, $0.baseAddress, 0, QR_ECLEVEL_M)
            })
        else { return nil }
        defer { unsafe QRcode_free(code) }
        size = Int(unsafe code.pointee.width)
        // The library's own description: `width * width` bytes, of which the lowest bit says whether the module is dark
        // (qrencode.h).
        modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark.
    subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }
}
