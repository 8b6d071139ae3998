internal import LockstepPrimitives

/// The state shared by the callbacks of one daemon.
final class Service: Sendable {
    let configuration: HTTPDaemonConfiguration
    let clock: any DeviceClock
    let handler: any ServerHandler
    let budget: ConnectionBudget
    let registry: Registry

    init(
        _ configuration: HTTPDaemonConfiguration, _ budget: ConnectionBudget, clock: any DeviceClock,
        handler: any ServerHandler
    ) {
        self.configuration = configuration
        self.budget = budget
        registry = Registry(clock: clock)
        self.clock = clock
        self.handler = handler
    }

    /// Ends the connections of clients that are slow or have disconnected, until the task is cancelled.
    @concurrent func sweep() async {
        let shortest = min(configuration.idleTimeout, configuration.requestTimeout)
        let pause = min(max(shortest / 4, .milliseconds(20)), .milliseconds(500))
        while (try? await clock.sleep(for: pause)) != nil {
            registry.sweep(at: clock.uptime, configuration)
        }
    }

    /// Returns the reason why the headers of a request do not clearly say which host is meant or where the request ends; `nil`
    /// if they do.
    func examine(_ request: ServerRequest, isHTTP11: Bool) -> ServerRefusal? {
        guard request.method.isToken else { return .malformedHead }
        var hosts = 0
        var lengths = 0
        var codings = 0
        var length = request.method.utf8.count + request.target.utf8.count
        if length > configuration.headerLimit { return .targetTooLong }
        if request.target.utf8.contains(where: isControl) { return .controlCharacter }
        if request.target.utf8.contains(UInt8(ascii: " ")) { return .malformedHead }
        for (name, value) in request.headers {
            length += name.utf8.count + value.utf8.count + 4
            if name.utf8.contains(where: isControl) || value.utf8.contains(where: { isControl($0) && $0 != 0x09 }) {
                return .controlCharacter
            }
            guard name.isToken else { return .malformedHead }
            switch name.utf8.count {
            case 4 where name.isHeader("host"): hosts += 1
            case 14 where name.isHeader("content-length"):
                lengths += 1
                guard let promised = Int(value), promised >= 0, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
                    return .length
                }
                if promised > configuration.bodyLimit { return .bodyTooLarge }
            case 17 where name.isHeader("transfer-encoding"):
                codings += 1
                guard isHTTP11, value.isHeader("chunked") else { return .length }
            default: break
            }
        }
        if length > configuration.headerLimit { return .headTooLarge }
        if hosts != 1 { return .host }
        if lengths > 1 || lengths == 1 && codings > 0 || codings > 1 { return .length }
        return nil
    }
}

private func isControl(_ unit: UInt8) -> Bool { unit < 0x20 || unit == 0x7f }

extension String {
    /// Whether the text is a token (RFC 9110, section 5.6.2): letters, digits and some symbols, at least one of them.
    fileprivate var isToken: Bool {
        !utf8.isEmpty
            && utf8.allSatisfy { unit in
                switch unit {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e, 0x5f, 0x60, 0x7c, 0x7e: true
                default: false
                }
            }
    }

    /// Returns whether the text is the name of a header, which is given in lower case.
    func isHeader(_ name: StaticString) -> Bool {
        let name = name.description.utf8
        guard utf8.count == name.count else { return false }
        return zip(utf8, name).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $0 >= 0x41 && $0 <= 0x5a }
    }
}
