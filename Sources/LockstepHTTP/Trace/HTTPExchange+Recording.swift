internal import LockstepPrimitives

extension HTTPExchange {
    init(_ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPFailure>, began: Instant, duration: Duration) {
        method = request.method
        url = Redaction.url(request.url)
        address = Secret(request.url)
        headers = request.fields.redacted
        // The hash has a new seed in each process, so the digest reveals nothing about secrets.
        var hasher = Hasher()
        hasher.combine(request.method.rawValue)
        hasher.combine(request.url)
        hasher.combine(request.fields["Authorization"] ?? "")
        hasher.combine(request.body.bytes)
        digest = hasher.finalize()
        bytesUp =
            request.method.rawValue.utf8.count + request.url.utf8.count + 12 + request.fields.size + request.body.bytes.count
        self.began = began
        self.duration = duration
        switch result {
        case .success(let response):
            status = response.status
            bytesDown = 17 + response.headers.size + response.body.count
        case .failure:
            status = nil
            bytesDown = 0
        }
        contents = ExchangeContents(request, result)
    }
}

extension HTTPHeaders {
    /// The number of bytes in HTTP/1.1, with the empty line at the end.
    fileprivate var size: Int { reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 } }
}
