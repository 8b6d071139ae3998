import LockstepCurl
import LockstepDashboard
import LockstepEmulation
import LockstepPrimitives
import LockstepVerifier

extension Option {
    /// Returns the port of the dashboard, for every command that can have one.
    ///
    /// - Parameter standard: The port unless the option is given.
    static func dashboardPort(_ standard: String) -> Option {
        Option(
            "dashboard-port", .number("N", 0...65_535), "port of the dashboard; 0 uses a free port", standard: standard,
            in: .network)
    }
}

/// The dashboard next to the emulators of one process.
enum ServedDashboard {
    /// The port of `lockstep serve`.
    static let port: UInt16 = 4600

    /// Starts the dashboard for a command line.
    ///
    /// `lockstep serve` starts a dashboard unless an option turns it off. `lockstep exec` starts a dashboard only with an
    /// option. If the usual port is in use, a second `lockstep serve` uses a free port.
    ///
    /// - Parameters:
    ///   - options: The address and the host names of the emulators.
    ///   - invocation: The parsed command line.
    /// - Returns: The dashboard; `nil` if it is not requested.
    /// - Throws: ``UsageError`` if the requested port is in use.
    static func start(
        _ kind: RuntimeFolder.Kind, _ running: [any RunningEmulator], _ options: EmulatorOptions, _ invocation: Invocation,
        _ terminal: Terminal
    ) throws -> Dashboard? {
        guard kind == .serve ? !invocation.has("no-dashboard") : invocation.has("dashboard") else { return nil }
        let emulators = running.map(DashboardEmulator.init)
        let checks = tokenChecks(of: running)
        var options = options
        if let wanted = invocation.number("dashboard-port") {
            options.port = UInt16(wanted)
            do {
                return try Dashboard(emulators, checkingTokensBy: checks, keeping: kept(kind, options, invocation), options)
            } catch let error as PortInUse {
                throw UsageError(
                    "port \(error.port) is in use, so the dashboard cannot start. Stop the program that uses the port, or choose another "
                        + "\(invocation.place("dashboard-port")) (0 uses a free port).")
            }
        }
        // Servers on other ports than the usual ones are beside others, as in tests.
        options.port = kind == .serve && invocation["port"] == nil ? port : 0
        do {
            return try Dashboard(emulators, checkingTokensBy: checks, keeping: kept(kind, options, invocation), options)
        } catch let error as PortInUse {
            options.port = 0
            let dashboard = try Dashboard(emulators, checkingTokensBy: checks, options)
            terminal.tell("lockstep: port \(error.port) is in use, so the dashboard uses port \(dashboard.port).")
            return dashboard
        }
    }

    /// The place for the sessions of browsers; `nil` if they end with the process.
    ///
    /// They outlive only a server of this user that others cannot reach: neither with `--host`, nor as the main process of a
    /// container, nor beside a single command. A free port belongs to another server at the next start.
    private static func kept(_ kind: RuntimeFolder.Kind, _ options: EmulatorOptions, _ invocation: Invocation) -> KeptSessions? {
        guard kind == .serve, options.port != 0, invocation["host"] == nil, CurrentProcess.id != 1 else { return nil }
        let data = invocation["data"].flatMap { try? LocalPath.resolve($0) } ?? ""
        let isRelative = !data.isEmpty && !data.hasPrefix("/")
        return KeptSessions(folder: isRelative ? "\(CurrentProcess.folder ?? "")/\(data)" : data) { port in
            guard let path = try? RuntimeFolder.sessions(port: port) else { return nil }
            return (try? PrivateFile.read(path, limit: 64 << 10))?.bytes
        } write: { port, bytes in
            // Without the file, the next start asks for a new link: that is no reason to end this one.
            if let path = try? RuntimeFolder.sessions(port: port) { try? AtomicFile.replace(path, with: bytes, isDurable: false) }
        }
    }

    /// The checks of `lockstep token check`, with the keys and the clocks of the emulators.
    private static func tokenChecks(of running: [any RunningEmulator]) -> TokenChecks {
        let documents = running.map(\.ready.json)
        let names = running.map { "\(Providers.title(of: $0.ready.provider)) at \($0.ready.base)" }
        return TokenChecks(by: names.joined(separator: ", or ")) { token in
            // A verifier keeps keys, and a person may have reset an emulator since the last token.
            guard let authority = try? await TokenAuthority.emulators(documents, CurlTransport()) else { return nil }
            let now = authority.clock(for: try? UnverifiedToken(token.reveal())).now
            let verdicts = await authority.checks(of: token).map {
                TokenVerdict(subject: $0.subject.rawValue, verdict: $0.verdict.rawValue, reason: $0.reason)
            }
            return (now, verdicts)
        }
    }
}

extension DashboardEmulator {
    /// The emulator with its provider's title.
    init(_ server: any RunningEmulator) { self.init(title: Providers.title(of: server.ready.provider), server: server) }
}
