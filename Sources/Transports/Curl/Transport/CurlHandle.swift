internal import CLockstepCurl
internal import LockstepHTTP
internal import LockstepPrimitives

/// An easy handle of libcurl with the settings that never change.
///
/// It is used for one exchange after the other.
///
/// Only the thread of the loop uses it. It is `@safe` because the handle leaves it only as an opaque value. `deinit` frees it
/// once, when no transfer uses it.
@safe
final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    /// The current exchange.
    private(set) var exchange: CurlExchange?
    private var message = CurlMessage()
    private var url = ""
    private var isGivenUp = false
    /// The first setting that libcurl has rejected.
    ///
    /// Nothing is sent with an earlier value instead.
    private var refused: CURLcode?
    private var lastMethod = HTTPMethod.get
    private var deadline = Duration.zero
    private var connectDeadline = Duration.zero
    /// The position in the list of transferring handles.
    var place = 0

    /// Creates a handle with the settings of a transport.
    ///
    /// - Throws: `other` if there is no memory; `invalidConfiguration` if libcurl rejects a setting, or if the file with the
    ///   certificate issuers does not exist.
    init(_ configuration: CurlConfiguration) throws(HTTPFailure) {
        guard let easy = unsafe curl_easy_init() else { throw .outOfMemory }
        unsafe self.easy = easy
        // The context is this object, which outlives the handle. Callbacks run only inside curl_multi_perform() and
        // curl_multi_remove_handle(), while the loop keeps the object.
        check(
            unsafe lockstep_curl_set_callbacks(
                easy, Unmanaged.passUnretained(self).toOpaque(), takeHeader, takeBody, willSend))
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        // Empty texts prevent libcurl from reading the environment.
        set(CURLOPT_PROXY, configuration.proxy ?? "")
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_HTTP_VERSION, Int(configuration.offersHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
        if let issuers = configuration.issuers {
            guard unsafe issuers.withCString({ unsafe lockstep_curl_can_read($0) }) != 0 else {
                throw .unreadableIssuers(issuers)
            }
            set(CURLOPT_CAINFO, issuers)
            set(CURLOPT_CAPATH, nil as String?)
        }
        if let agent = configuration.userAgent { set(CURLOPT_USERAGENT, agent) }
        check(unsafe lockstep_curl_abandon_lookups(easy))
        #if os(Linux)
        check(tightenTLS())
        #endif
        if let refused { throw .refusedSetting(refused) }
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        message.free()
    }

    /// The number of bytes of requests that were sent on the connections of this exchange.
    var bytesSent: Int { unsafe lockstep_curl_number(easy, CURLINFO_REQUEST_SIZE) }

    /// Prepares the handle for an exchange.
    ///
    /// - Throws: `invalidRequest` if libcurl rejects a part of the request. Then the handle cannot be used again.
    func load(_ exchange: CurlExchange) throws(HTTPFailure) {
        self.exchange = exchange
        let request = exchange.request
        if request.url != url {
            url = request.url
            set(CURLOPT_URL, url)
            // Waiting for a shared connection is only useful if HTTP/2 is possible.
            set(CURLOPT_PIPEWAIT, request.isSecure ? 1 : 0)
        }
        if request.deadline != deadline {
            deadline = request.deadline
            set(CURLOPT_TIMEOUT_MS, deadline.timeout)
        }
        if request.connectDeadline != connectDeadline {
            connectDeadline = request.connectDeadline
            set(CURLOPT_CONNECTTIMEOUT_MS, connectDeadline.timeout)
        }
        // The order matters: setting a body makes the request a POST for libcurl.
        setMessage(request)
        setMethod(request)
        if let refused { throw .refusedRequest(refused) }
    }

    /// Removes the exchange and all its secrets from the handle.
    func unload() {
        exchange = nil
        if isGivenUp {
            set(CURLOPT_FORBID_REUSE, 0)
            isGivenUp = false
        }
        check(unsafe lockstep_curl_set_pointer(easy, CURLOPT_POSTFIELDS, nil))
        check(unsafe lockstep_curl_set_list(easy, CURLOPT_HTTPHEADER, nil))
        message.clear()
    }

    /// Makes libcurl close the connection when the handle leaves it, unless it carries other streams.
    func giveUpConnection() {
        set(CURLOPT_FORBID_REUSE, 1)
        isGivenUp = true
    }

    /// Makes libcurl check the connection: after a pause, it sends waiting data.
    ///
    /// Sending is paused, and not receiving: after a pause of receiving, 7.88.1 sometimes overlooks the end of a response.
    func nudge() {
        unsafe curl_easy_pause(easy, CURLPAUSE_SEND)
        unsafe curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    private func setMethod(_ request: HTTPRequest) {
        let method = request.method
        if method == .post || method == .put || method == .patch || !request.body.bytes.isEmpty {
            set(CURLOPT_POST, 1)
            check(unsafe lockstep_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.bytes.count)))
        } else if method == .head {
            set(CURLOPT_NOBODY, 1)
        } else {
            set(CURLOPT_HTTPGET, 1)
        }
        if method != lastMethod {
            lastMethod = method
            set(CURLOPT_CUSTOMREQUEST, method == .get || method == .head || method == .post ? nil : method.rawValue)
        }
    }

    private func setMessage(_ request: HTTPRequest) {
        var namesType = false
        for field in request.headers {
            message.add(field.name, field.value)
            if field.name.equalsIgnoringCase("Content-Type") { namesType = true }
        }
        if !namesType {
            // libcurl would add a content type to a request without one.
            if let type = request.body.type { message.add("Content-Type", type) } else { message.leaveOut("Content-Type") }
        }
        // This avoids an extra exchange before a long body.
        if request.body.bytes.count >= Self.longBody { message.leaveOut("Expect") }
        let body = message.add(body: request.body.bytes)
        // Both stay at the same address until unload(), which first makes libcurl forget them.
        check(unsafe lockstep_curl_set_pointer(easy, CURLOPT_POSTFIELDS, message.body(body)))
        check(unsafe lockstep_curl_set_list(easy, CURLOPT_HTTPHEADER, message.seal()))
    }

    /// The size above which a body is long.
    ///
    /// libcurl asks the server before it sends a megabyte; this limit is well below that size.
    private static let longBody = 1 << 18

    private func set(_ option: CURLoption, _ value: Int) {
        check(unsafe lockstep_curl_set_number(easy, option, value))
    }

    private func set(_ option: CURLoption, _ value: String?) {
        // libcurl copies the text.
        if let value {
            check(unsafe value.withCString { unsafe lockstep_curl_set_text(easy, option, $0) })
        } else {
            check(unsafe lockstep_curl_set_text(easy, option, nil))
        }
    }

    /// Stores the first rejection.
    ///
    /// The earlier value stays in libcurl, so the handle must not be used.
    private func check(_ result: CURLcode) {
        if result != CURLE_OK, refused == nil { refused = result }
    }

    /// Whether libcurl has accepted every setting so far.
    var isSound: Bool { refused == nil }
}

extension CurlHandle {
    /// Returns the handle that a callback received as its context.
    static func of(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
        // `context` is the value that init passed to libcurl: a CurlHandle that the loop keeps during its transfers.
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
    }
}

/// Called when a header line has arrived.
///
/// Any other result than its length ends the transfer.
private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
{
    guard let exchange = unsafe CurlHandle.of(context)?.exchange else { return 0 }
    // libcurl guarantees `size * count` readable bytes during the call.
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange.response.take(header: line) ? size * count : 0
}

/// Called when a part of the body has arrived.
///
/// Any other result than its length ends the transfer.
private func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
{
    guard size * count > 0, let exchange = unsafe CurlHandle.of(context)?.exchange else { return 0 }
    // libcurl guarantees `size * count` readable bytes during the call.
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange.response.take(body: piece) ? size * count : 0
}

/// Called when a connection exists, and the request is about to be sent.
private func willSend(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
) -> Int32 {
    guard let handle = unsafe CurlHandle.of(context), let exchange = handle.exchange else { return CURL_PREREQFUNC_ABORT }
    return exchange.response.willSend(bytesSent: handle.bytesSent) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

extension Duration {
    /// The whole milliseconds: at least one, because libcurl reads zero as "no limit", and no more than libcurl can count.
    fileprivate var timeout: Int { Int(min(max(milliseconds, 1), Int64(Int32.max))) }
}
