#if os(Linux)
internal import CLockstepCurl
internal import CLockstepTLS

extension CurlHandle {
    /// Makes libcurl set up each TLS connection more strictly than its options allow.
    ///
    /// Without OpenSSL 3, this has no effect.
    func tightenTLS() -> CURLcode { unsafe lockstep_curl_set_tls(easy, tighten) }
}

/// Called when a TLS connection is about to be made.
private func tighten(_: UnsafeMutableRawPointer?, _ tls: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CURLcode {
    // `tls` is an SSL_CTX of OpenSSL 3 if libcurl reports that it uses OpenSSL for TLS. Otherwise its type is unknown.
    guard lockstep_curl_has_openssl() != 0, let tls = unsafe tls else { return CURLE_SSL_CONNECT_ERROR }
    unsafe lockstep_tls_tighten(tls)
    return CURLE_OK
}
#endif
