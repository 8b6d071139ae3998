internal import LockstepMicrohttpd
internal import LockstepPrimitives
internal import LockstepSystem
internal import LockstepTestSupport

/// The server of one emulator, which listens on one port.
///
/// ```swift
/// let server = try EmulatorServer { environment in try GoTrueEmulator(GoTrueSettings(), in: environment) }
/// defer { server.stop() }
/// print(server.base)
/// ```
///
/// The server chooses its port before it creates the emulator. So the emulator knows its URL from the start.
public final class EmulatorServer<Provider: Emulator>: RunningEmulator {
    /// The emulator, which this process can administer by calling its methods.
    public let emulator: Provider
    /// The services that the emulator works with.
    public let environment: EmulationEnvironment
    /// The controls of the emulator.
    public let panel: ControlPanel
    /// The ready line for the process that started the server.
    public let ready: ReadyLine
    /// The control routes, called without a connection.
    public let controlCalls: ControlCalls
    /// The port on which the server listens.
    public let port: UInt16

    private let daemon: HTTPDaemon

    /// The URL of the server.
    public var base: String { environment.base }

    /// Chooses the port, creates the emulator, and starts to respond to requests.
    ///
    /// - Parameters:
    ///   - options: The settings of the server. Default: loopback, any free port, and state in memory.
    /// - Throws: The error that `make` throws; ``PortInUse`` if another program uses the port; an error with a message if the address is
    ///   not available.
    public init(_ options: EmulatorOptions = .init(), make: (EmulationEnvironment) throws -> Provider) throws {
        let socket = try Self.listen(options)
        let clock = options.clock ?? ManualClock(base: SystemClock())
        let host = options.host == "0.0.0.0" ? "127.0.0.1" : options.host
        let changes = ChangeLog()
        let outbox = Outbox(clock: clock, randomness: options.randomness, changes: changes)
        port = socket.port
        var environment = EmulationEnvironment(
            base: "http://\(host):\(socket.port)", clock: clock, randomness: options.randomness, outbox: outbox,
            storage: options.storage, workers: options.workers,
            keyRandomness: options.hasLastingKeys ? Self.lastingKeys(socket.port) : nil)
        if options.isClosed { environment.ownerToken = Secret(SystemRandomness().text(32)) }
        self.environment = environment
        let emulator = try make(environment)
        self.emulator = emulator
        var seeds: SeedKeeper?
        if let administrator = emulator.seedAdministrator {
            seeds = SeedKeeper(provider: Provider.provider, administrator: administrator, environment: environment)
        }
        panel = ControlPanel(
            clock: clock, outbox: outbox, transcript: Transcript(changes: changes), deliveries: environment.deliveries,
            seeds: seeds
        ) { try emulator.reset() }
        if options.isReadyAtStart { panel.markReady() }
        let token = Secret(SystemRandomness().text(32))
        ready = ReadyLine(
            provider: Provider.provider, base: environment.base, token: token, variables: emulator.variables,
            environment: emulator.environment, settings: emulator.settingsAdministrator?.departures ?? [:], bases: emulator.bases)
        let gatekeeper = Gatekeeper(names: ServedNames(host: options.host, names: options.allowedHosts))
        let routes = ControlRoutes(
            provider: Provider.provider, panel: panel, environment: environment, token: token, gatekeeper: gatekeeper,
            accounts: emulator.accounts, settings: emulator.settingsAdministrator, clock: options.connectionClock
        )
        .router()
        let router = emulator.router
        controlCalls = ControlCalls(router: routes, provider: router, token: token, accounts: emulator.accounts)
        daemon = try HTTPDaemon(
            HTTPDaemonConfiguration(
                bodyLimit: emulator.bodyLimit, headerLimit: emulator.headerLimit, idleTimeout: options.idleTimeout,
                requestTimeout: options.requestTimeout),
            on: socket, clock: options.connectionClock,
            handler: try Dispatcher(
                router: router,
                control: routes, panel: panel, clock: options.connectionClock,
                gatekeeper: gatekeeper, keys: environment.ownerToken.map { [$0, token] },
                sweeper: Sweeper(clock: clock) { end in try emulator.removeExpired(before: end) }))
    }

    private static func listen(_ options: EmulatorOptions) throws -> ListeningSocket {
        do throws(HTTPDaemonError) {
            return try ListeningSocket(host: options.host, port: options.port)
        } catch {
            throw error.code == .addressInUse ? PortInUse(port: options.port) : error
        }
    }

    private static func lastingKeys(_ port: UInt16) -> any Randomness {
        // FNV-1a is enough, because these keys are not secret. OpenSSL's first digest would add half a millisecond to the
        // start.
        let name = "lockstep \(Provider.provider) \(port)"
        return SeededRandomness(seed: name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
    }

    /// Closes all connections, and waits until the thread of the server has ended.
    public func stop() {
        daemon.stop()
    }
}

/// The error if another program already listens on the port.
public struct PortInUse: Error, Sendable, Hashable, CustomStringConvertible {
    /// The port that is in use.
    public let port: UInt16

    /// A sentence that names the port and says what to do.
    public var description: String {
        "Port \(port) is in use: stop the program that uses it, or choose another port (0 uses a free one)."
    }
}
