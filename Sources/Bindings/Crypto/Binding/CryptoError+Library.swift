#if canImport(CLockstepCrypto)
internal import CLockstepCrypto

extension CryptoError {
    /// Returns a failure whose message ends with the reason from libcrypto.
    ///
    /// It empties the error queue of the thread.
    static func reported(_ code: Code, _ message: String) -> CryptoError {
        let last = ERR_peek_last_error()
        ERR_clear_error()
        // Safe: the function returns nil or a C string that is a constant of the library.
        guard last != 0, let reason = unsafe ERR_reason_error_string(last) else { return CryptoError(code, message) }
        return CryptoError(code, "\(message) (\(unsafe String(cString: reason)))")
    }
}
#endif
