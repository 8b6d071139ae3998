internal import LockstepMicrohttpd

extension EmulatorRequest {
    init(_ request: ServerRequest) {
        self.init(
            method: request.method, target: request.target, headers: Headers(request.headers), body: request.body,
            remoteAddress: request.remoteAddress)
        localAddress = request.localAddress
    }
}
