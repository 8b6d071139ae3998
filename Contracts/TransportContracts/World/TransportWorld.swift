public import LockstepContracts
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// The parts of one check: new servers, and the findings.
public final class TransportWorld: ContractWorld {
    let harness: TransportHarness
    let clock: any DeviceClock
    /// The findings of the run.
    public let findings = FindingLog()
    private let servers = Mutex<[RawServer]>([])

    private init(_ setting: Setting) {
        harness = setting.harness
        clock = setting.clock
    }

    /// The transport of one run.
    public struct Setting: Sendable {
        let harness: TransportHarness
        let clock: any DeviceClock
    }

    /// The harness of a transport with a fault, made from an honest one.
    public typealias Mutation = @Sendable (TransportHarness) -> TransportHarness

    /// The contracts of transports.
    public static var contracts: [TransportContract] { TransportCatalog.all }

    /// Sets up one run.
    ///
    /// - Parameters:
    ///   - judge: Checks the contract.
    /// - Throws: An error of the harness.
    public static func open(
        _ setting: Setting, for contract: TransportContract, judging judge: @Sendable (TransportWorld) async -> Verdict
    ) async throws {
        if let reason = setting.harness.cannotPromise[contract.id] { throw EnvironmentError(reason) }
        _ = await judge(TransportWorld(setting))
    }

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
        servers.withLock { $0.append(server) }
        return server
    }

    /// Ends every server.
    ///
    /// - Returns: `nil`.
    public func close() async -> String? {
        for server in servers.withLock({ $0 }) { server.close() }
        return nil
    }
}

extension TransportWorld {
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
