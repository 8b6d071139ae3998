internal import CLockstepCurl
internal import LockstepHTTP
internal import LockstepPrimitives

/// An easy handle of libcurl with the settings that never change; used for one exchange after another.
///
/// Only the loop's thread touches it. It is `@safe` because the handle never leaves it but as an opaque value, and is
/// freed once, in `deinit`, when no transfer runs on it.
@safe
final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    /// The current exchange.
    private(set) var exchange: CurlExchange?
    private var message = CurlMessage()
    private var url = ""
    private var isGivenUp = false
    /// The first setting that libcurl has refused: nothing is sent with the previous value in its place.
    private var refused: CURLcode?
    private var lastMethod = HTTPMethod.get
    private var deadline = Duration.zero
    private var connectDeadline = Duration.zero
    /// Where it stands among the handles whose transfers are under way.
    var place = 0

    /// A handle with the settings of a transport.
    ///
    /// - Throws: `other` where there is no memory, `invalidConfiguration` where libcurl refuses a setting, and where
    ///   there is no file of issuers at the path that the configuration names.
    init(_ configuration: CurlConfiguration) throws(HTTPFailure) {
        guard let easy = unsafe curl_easy_init() else { throw .outOfMemory }
        unsafe self.easy = easy
        // The context is this object, which outlives the handle: callbacks run only inside curl_multi_perform() and
        // curl_multi_remove_handle(), while the loop holds the object.
        check(
            unsafe lockstep_curl_set_callbacks(
                easy, Unmanaged.passUnretained(self).toOpaque(), takeHeader, takeBody, willSend))
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        // Empty texts keep libcurl from asking the environment.
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

    /// Bytes of requests that went out on the connections of this exchange.
    var bytesSent: Int { unsafe lockstep_curl_number(easy, CURLINFO_REQUEST_SIZE) }

    /// Sets the handle up for an exchange.
    ///
    /// - Throws: `invalidRequest` where libcurl does not take a part of the request; the handle is of no use any more then.
    func load(_ exchange: CurlExchange) throws(HTTPFailure) {
        self.exchange = exchange
        let request = exchange.request
        if request.url != url {
            url = request.url
            set(CURLOPT_URL, url)
            // Waiting for a connection that may be shared pays only where HTTP/2 can come of it.
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
        // In this order: setting a body makes the request a POST for libcurl.
        setMessage(request)
        setMethod(request)
        if let refused { throw .refusedRequest(refused) }
    }

    /// Forgets the exchange and every secret of it.
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

    /// Has the connection closed when the handle is taken off it, unless it carries other streams.
    func giveUpConnection() {
        set(CURLOPT_FORBID_REUSE, 1)
        isGivenUp = true
    }

    /// Makes libcurl look after the connection: a pause and going on sends what is due there.
    ///
    /// It is sending that is paused: after a pause of receiving 7.88.1 now and then overlooks the end of an answer.
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
            // libcurl would add a content type where the request has none.
            if let type = request.body.type { message.add("Content-Type", type) } else { message.leaveOut("Content-Type") }
        }
        // No round trip before a long body.
        if request.body.bytes.count >= Self.longBody { message.leaveOut("Expect") }
        let body = message.add(body: request.body.bytes)
        // Both stay where they are until unload(), which makes libcurl forget them first.
        check(unsafe lockstep_curl_set_pointer(easy, CURLOPT_POSTFIELDS, message.body(body)))
        check(unsafe lockstep_curl_set_list(easy, CURLOPT_HTTPHEADER, message.seal()))
    }

    /// libcurl asks before it sends a megabyte; this is well below.
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

    /// Keeps the first refusal; what was set before stays in force in libcurl, so that the handle must not be used.
    private func check(_ result: CURLcode) {
        if result != CURLE_OK, refused == nil { refused = result }
    }

    /// Whether libcurl has taken every setting so far.
    var isSound: Bool { refused == nil }
}

extension CurlHandle {
    /// The handle that a callback was given as its context.
    static func of(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
        // `context` is what init gave to libcurl: a CurlHandle that the loop holds while transfers run on it.
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
    }
}

/// A header line has come; anything but its length ends the transfer.
private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
{
    guard let exchange = unsafe CurlHandle.of(context)?.exchange else { return 0 }
    // libcurl promises `size * count` readable bytes for the length of the call.
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange.response.take(header: line) ? size * count : 0
}

/// A piece of the body has come; anything but its length ends the transfer.
private func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
{
    guard size * count > 0, let exchange = unsafe CurlHandle.of(context)?.exchange else { return 0 }
    // libcurl promises `size * count` readable bytes for the length of the call.
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange.response.take(body: piece) ? size * count : 0
}

/// A connection is there, and the request would go out now.
private func willSend(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
) -> Int32 {
    guard let handle = unsafe CurlHandle.of(context), let exchange = handle.exchange else { return CURL_PREREQFUNC_ABORT }
    return exchange.response.willSend(bytesSent: handle.bytesSent) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

extension Duration {
    /// Whole milliseconds, at least one (libcurl reads zero as "no limit"), and no more than it can count.
    fileprivate var timeout: Int { Int(min(max(milliseconds, 1), Int64(Int32.max))) }
}
