import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// The parts of one check: new servers, and the findings.
final class TransportWorld: Sendable {
    let harness: TransportHarness
    let clock: any DeviceClock
    private let state = Mutex(State())

    private struct State {
        var findings: [TransportFinding] = []
        var servers: [RawServer] = []
    }

    init(_ harness: TransportHarness, clock: any DeviceClock) {
        self.harness = harness
        self.clock = clock
    }

    /// The findings so far.
    var findings: [TransportFinding] { state.withLock { $0.findings } }

    /// Creates a transport without connections.
    func transport(_ settings: TransportSettings = TransportSettings()) throws -> any HTTPTransport { try harness.make(settings) }

    /// Creates a transport without connections that trusts this issuer.
    func transport(trusting issuer: TestIssuer) throws -> any HTTPTransport {
        var settings = TransportSettings()
        settings.issuers = issuer.certificate
        return try transport(settings)
    }

    /// Starts a server on this machine that calls `serve` for each connection, on its own thread.
    func server(_ serve: @escaping @Sendable (RawConnection) throws -> Void) throws -> RawServer {
        let server = try RawServer(serve)
        state.withLock { $0.servers.append(server) }
        return server
    }

    /// Ends every server.
    func close() {
        let servers = state.withLock { $0.servers }
        for server in servers { server.close() }
    }
}

extension TransportWorld {
    /// Records a finding.
    func report(
        _ message: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        let location = TransportFinding.Location(fileID: fileID, filePath: filePath, line: line, column: column)
        state.withLock { $0.findings.append(TransportFinding(message: message, location: location)) }
    }

    /// Records a finding if the condition is false.
    func expect(
        _ condition: Bool, _ message: @autoclosure () -> String,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        if !condition { report(message(), fileID: fileID, filePath: filePath, line: line, column: column) }
    }

    /// Sends a request, and expects a failure with one of the codes.
    func expectFailure(
        _ codes: Set<HTTPFailure.Code>, _ phase: HTTPFailure.Phase? = nil, of request: HTTPRequest,
        on transport: any HTTPTransport,
        _ occasion: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async {
        let due = codes.map(\.rawValue).sorted().joined(separator: " or ")
        do throws(HTTPFailure) {
            let response = try await transport.send(request)
            report(
                "\(occasion): expected \(due), got a response with status \(response.status) and \(response.body.count) bytes",
                fileID: fileID, filePath: filePath, line: line, column: column)
        } catch {
            expect(
                codes.contains(error.code), "\(occasion): expected \(due), got \(error)",
                fileID: fileID, filePath: filePath, line: line, column: column)
            if let phase {
                expect(
                    error.phase == phase, "\(occasion): expected the phase \(phase.rawValue), got \(error)",
                    fileID: fileID, filePath: filePath, line: line, column: column)
            }
        }
    }

    /// Waits for an event, and returns its value.
    ///
    /// Returns `otherwise` after ten seconds, because a failed server does not cause the event.
    func wait<Value>(for occurrence: Occurrence<Value>, otherwise: Value) async -> Value {
        let watchdog = Task {
            // The wait ends early if the event happens, because that cancels this task.
            guard (try? await clock.sleep(for: .seconds(10))) != nil else { return }
            occurrence.happen(otherwise)
        }
        defer { watchdog.cancel() }
        return await occurrence.value
    }

    /// Returns the duration of `body`.
    func time(_ body: () async throws -> Void) async rethrows -> Duration {
        let start = clock.uptime
        try await body()
        return clock.uptime - start
    }
}
