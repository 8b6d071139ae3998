internal import CLockstepCurl
internal import LockstepHTTP

extension CurlExchange {
    /// Returns how far the request got, if `bytesSent` of its bytes were sent.
    func phase(bytesSent: Int) -> HTTPFailure.Phase {
        if response.hasBegun { return .answered }
        // Bytes that were sent before the request was allowed went to a proxy, to open a tunnel.
        return response.wasLetOut && bytesSent > 0 ? .mayHaveReachedServer : .neverSent
    }

    /// Returns the result for the caller after libcurl has ended the transfer with `code`.
    func result(_ code: CURLcode, bytesSent: Int) -> Result<HTTPResponse, HTTPFailure> {
        let phase = phase(bytesSent: bytesSent)
        if let refusal = response.refusal { return .failure(.refused(refusal, phase, request)) }
        guard code == CURLE_OK else { return .failure(HTTPFailure(code, phase, request, isConnected: response.wasLetOut)) }
        guard response.hasBegun else { return .failure(HTTPFailure(CURLE_WEIRD_SERVER_REPLY, phase, request, isConnected: true)) }
        guard response.hasWholeHeader else { return .failure(HTTPFailure(CURLE_PARTIAL_FILE, phase, request, isConnected: true)) }
        return .success(HTTPResponse(status: response.status, headers: response.headers, body: response.body))
    }
}

extension HTTPFailure {
    static func cancelled(_ phase: Phase) -> HTTPFailure {
        HTTPFailure(.cancelled, phase, "The task that sent the request was cancelled.")
    }

    static var outOfMemory: HTTPFailure {
        HTTPFailure(.other, .neverSent, "libcurl could not start the request, because memory is full.")
    }

    /// Returns the failure if libcurl has rejected a setting of the transport.
    static func refusedSetting(_ code: CURLcode) -> HTTPFailure {
        HTTPFailure(
            .invalidConfiguration, .neverSent,
            "Nothing was sent: libcurl does not accept a setting of the transport (\(code.text)). On Linux it must be built with OpenSSL 3."
        )
    }

    /// Returns the failure if the file with the certificate issuers cannot be read.
    static func unreadableIssuers(_ path: String) -> HTTPFailure {
        HTTPFailure(
            .invalidConfiguration, .neverSent,
            "Nothing was sent: the file in issuers of CurlConfiguration cannot be read (\(path)).")
    }

    /// Returns the failure if libcurl has rejected a part of the request.
    static func refusedRequest(_ code: CURLcode) -> HTTPFailure {
        HTTPFailure(
            .invalidRequest, .neverSent, "Nothing was sent: libcurl does not accept a part of the request (\(code.text)).")
    }

    fileprivate static func refused(_ refusal: CurlResponse.Refusal, _ phase: Phase, _ request: HTTPRequest) -> HTTPFailure {
        switch refusal {
        case .headerTooLarge: HTTPFailure(.tooLarge, phase, "The header of the response is longer than 256 kB.")
        case .bodyTooLarge: HTTPFailure(.tooLarge, phase, "The response is longer than \(request.responseLimit) bytes.")
        case .malformed: HTTPFailure(.malformedResponse, phase, "The response has a header line without a colon.")
        case .replay:
            HTTPFailure(
                .connectionLost, .mayHaveReachedServer,
                "The server closed the connection without a response. It may have processed the request, so it was not sent again."
            )
        }
    }

    /// `isConnected` says whether there was a connection to the host itself, through the proxy if there is one.
    fileprivate init(_ code: CURLcode, _ phase: Phase, _ request: HTTPRequest, isConnected: Bool) {
        let detail = code.text
        let host = request.host ?? "the host"
        switch code {
        case _
        where phase == .neverSent && Self.codesOfOpening.contains(code.rawValue)
            && lockstep_curl_has_free_descriptor() == 0:
            self.init(
                .cannotConnect, phase,
                "No connection to \(host), and nothing was sent: this process has no free file descriptor. Close files, or raise the limit (ulimit -n)."
            )
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.nameNotResolved, phase, "The name \(host) has no address. Check the name and the network.")
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY, CURLE_NO_CONNECTION_AVAILABLE:
            self.init(.cannotConnect, phase, "No connection to \(host): \(detail).")
        case _ where !isConnected && Self.brokenCodes.contains(code.rawValue):
            self.init(.cannotConnect, phase, "No connection to \(host), or the proxy rejected it: \(detail).")
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.timedOut, phase, "The request to \(host) took longer than the deadline allows.")
        case CURLE_PARTIAL_FILE:
            self.init(.truncated, phase, "The response from \(host) is incomplete.")
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self.init(phase == .answered ? .truncated : .connectionLost, phase, "The connection to \(host) broke: \(detail).")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_CHUNK_FAILED:
            self.init(.malformedResponse, phase, "\(host) does not respond in HTTP: \(detail).")
        case CURLE_URL_MALFORMAT:
            self.init(.invalidRequest, phase, "Nothing was sent: the address is not a URL.")
        case CURLE_SSL_CACERT_BADFILE:
            self.init(
                .invalidConfiguration, phase,
                "No secure connection to \(host), and nothing was sent: the file of trusted issuers cannot be read, or contains no "
                    + "PEM certificate. It is the file in issuers of CurlConfiguration, or the system's file.")
        case _ where Self.securityCodes.contains(code.rawValue):
            self.init(.tls, phase, "No secure connection to \(host): \(detail).")
        default:
            self.init(.other, phase, "The request to \(host) failed: \(detail).")
        }
    }

    /// The codes of libcurl if it cannot open a socket or a file.
    private static let codesOfOpening: Set<UInt32> = Set(
        [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CONNECT_ERROR, CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY,
        ].map(\.rawValue))

    /// The codes of libcurl if a connection ends, or if asking a proxy for one fails.
    private static let brokenCodes: Set<UInt32> = Set(
        [
            CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL,
            CURLE_PARTIAL_FILE,
        ].map(\.rawValue))

    private static let securityCodes: Set<UInt32> = Set(
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER,
            CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
        ].map(\.rawValue))
}

extension CURLcode {
    /// The text of libcurl for the code, in one language and without any part of the request.
    fileprivate var text: String { unsafe curl_easy_strerror(self).map { unsafe String(cString: $0) } ?? "no detail" }
}
