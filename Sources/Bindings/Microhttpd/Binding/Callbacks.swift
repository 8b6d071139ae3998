internal import CLockstepMicrohttpd
internal import LockstepPrimitives

// The functions that libmicrohttpd calls, all on the daemon's one thread. Their first argument is the daemon's `Service`, which
// the daemon keeps until its thread has ended. The context of a request is its `Exchange`: `beginRequest` retains it, and
// `completeRequest` releases it. libmicrohttpd calls `completeRequest` once for every request that it has begun. The context of
// a connection is its `Peer`, which is retained and released in the same way.

@unsafe private func service(_ context: UnsafeMutableRawPointer?) -> Service? {
    unsafe context.map { unsafe Unmanaged<Service>.fromOpaque($0).takeUnretainedValue() }
}

/// Called when a connection was accepted, and when it is about to be closed.
let notifyConnection: MHD_NotifyConnectionCallback = { context, connection, slot, code in
    guard let service = unsafe service(context), let connection = unsafe connection, let slot = unsafe slot else { return }
    if code == .CONNECTION_NOTIFY_STARTED {
        // The connection stays open during this call.
        let descriptor = unsafe lockstep_mhd_socket(connection)
        let peer = Peer(
            descriptor: descriptor, isLast: service.registry.isLast(descriptor), now: service.clock.uptime)
        service.registry.add(peer)
        unsafe slot.pointee = Unmanaged.passRetained(peer).toOpaque()
    } else if let pointer = unsafe slot.pointee {
        // It was retained when the connection started; the slot is cleared so that it is released once.
        let peer = unsafe Unmanaged<Peer>.fromOpaque(pointer).takeRetainedValue()
        unsafe slot.pointee = nil
        service.registry.remove(peer)
    }
}

/// Called when the first line of a request has arrived.
///
/// The returned pointer becomes the context of the request.
let beginRequest: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
    context, target, connection in
    // The target ends with NUL, and is copied here. The peer lives until its connection is closed, which happens after this
    // call.
    let peer = unsafe connection.flatMap { unsafe lockstep_mhd_peer($0) }
        .map { unsafe Unmanaged<Peer>.fromOpaque($0).takeUnretainedValue() }
    if let service = unsafe service(context) { peer?.enter(.receiving(since: service.clock.uptime)) }
    let exchange = unsafe Exchange(target: target.map { unsafe String(cString: $0) } ?? "", peer: peer)
    unsafe exchange.begin(target)
    // The target is copied, and the connection is the one of this call.
    if let connection = unsafe connection { exchange.ownHeaders = unsafe lockstep_mhd_keep_unparsed(connection, target) }
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// Called when a request has ended in any way.
let completeRequest: MHD_RequestCompletedCallback = { context, _, slot, _ in
    guard let service = unsafe service(context), let pointer = unsafe slot?.pointee else { return }
    // It was retained in beginRequest; the slot is cleared so that it is released once.
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    unsafe slot?.pointee = nil
    service.registry.remove(exchange)
    exchange.peer?.enter(.idle(since: service.clock.uptime))
}

/// Keeps the target as it was sent.
///
/// Nothing is decoded.
let keepEscapes: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = { _, _, text in
    // NUL-terminated by libmicrohttpd.
    unsafe text.map { unsafe strlen($0) } ?? 0
}

/// Called first with the headers, then with each piece of the body, then without data when everything has arrived, and once
/// more after a wait.
let handleRequest: MHD_AccessHandlerCallback = { context, connection, _, method, version, piece, pieceSize, slot in
    guard let service = unsafe service(context), let connection = unsafe connection, let pieceSize = unsafe pieceSize,
        let pointer = unsafe slot?.pointee
    else { return .NO }
    // It was retained in beginRequest, and is released only later, in completeRequest.
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if !exchange.hasHead {
        let isWhole = unsafe exchange.readHead(method, version, connection)
        // The version ends with NUL, and lives as long as the request.
        let isHTTP11 = unsafe version.map { unsafe strcmp($0, "HTTP/1.1") == 0 } ?? false
        exchange.refusal = service.examine(exchange.request, isHTTP11: isHTTP11) ?? (isWhole ? nil : .malformedHead)
        switch exchange.refusal {
        case nil: return .YES
        // A body that is slightly too long is read and discarded, so that the client finishes sending and reads the response.
        case .bodyTooLarge where exchange.declaredLength <= service.drainLimit: return .YES
        case let refusal?:
            return unsafe service.refuse(refusal, exchange, on: connection)
        }
    }
    if unsafe pieceSize.pointee > 0 {
        // libmicrohttpd guarantees that many bytes during this call.
        let bytes = unsafe UnsafeRawBufferPointer(start: piece, count: pieceSize.pointee)
        let isWelcome = unsafe exchange.take(bytes, service)
        unsafe pieceSize.pointee = 0
        return isWelcome ? .YES : .NO
    }
    return unsafe service.answer(exchange, on: connection)
}
