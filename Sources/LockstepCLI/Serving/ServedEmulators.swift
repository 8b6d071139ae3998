import LockstepDashboard
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepPasswords
import LockstepPrimitives
import LockstepSystem

/// The emulators of one process, from their start to their end.
struct ServedEmulators {
    /// Their ready lines.
    let lines: ReadyLines
    /// The file in the runtime folder; `nil` if no folder can be used.
    let file: HeldFile?
    /// The emulators, in their order.
    let running: [any RunningEmulator]
    /// The dashboard, or `nil`.
    let dashboard: Dashboard?
    private let export: Export?

    /// The place for the exported users at the end.
    private enum Export {
        /// To a place of Firebase's own forms.
        case firebase(FirebaseExport, FirebaseEmulator)
        /// To a file in the neutral format.
        case users(UserFilePlace, any RunningEmulator)
    }

    /// Starts the emulators that a command line names, and imports what it names.
    ///
    /// - Parameters:
    ///   - names: The providers, in their order.
    ///   - inputs: The files that the command line names.
    ///   - defaults: The ports if `--port` is not given.
    ///   - signals: The signals that end a start while it waits for the seed; no other code may read them.
    ///   - invocation: The parsed command line.
    /// - Throws: ``UsageError``, or ``InterruptedStart``; nothing runs then.
    static func start(
        _ names: [String], _ kind: RuntimeFolder.Kind, _ inputs: ServedInputs, defaults: [String: UInt16],
        unless signals: AsyncStream<Signal>, _ invocation: Invocation, _ terminal: Terminal
    ) async throws -> ServedEmulators {
        let options = try EmulatorOptions(invocation, terminal)
        let ports = PortChoice(first: invocation.number("port"), place: invocation.place("port"), defaults: defaults)
        var running: [any RunningEmulator] = []
        var file: HeldFile?
        do {
            for name in names {
                var own = options
                own.port = try ports.port(of: name, among: names)
                running.append(try start(name, own, inputs.settings, invocation, terminal))
            }
            let dashboard = try ServedDashboard.start(kind, running, options, invocation, terminal)
            let (shown, address) = (running.map(DashboardEmulator.init), dashboard?.base)
            for emulator in running {
                emulator.panel.onLog {
                    await EventLines.document(of: shown, dashboard: address, after: $0, limit: $1, within: $2)
                }
            }
            let link = dashboard?.makeLink()
            let lines = ReadyLines(running.map { $0.ready.stamped(dashboard: link).json })
            do throws(SystemError) {
                file = try RuntimeFolder.add(lines.text, kind)
            } catch {
                terminal.tell("lockstep: warning: lockstep status does not list this server: \(error). Set XDG_RUNTIME_DIR.")
            }
            if let seed = try await inputs.seed(unless: signals) {
                // What a team has configured is for the first start on a folder.
                let isRepeated = try invocation.origin("seed") != .commandLine && providerWithUsers(running, invocation) != nil
                if !isRepeated {
                    try requireNoUsers(running, invocation)
                    try await seed.plant(in: running)
                }
            }
            let target = inputs.userTarget
            if let source = inputs.userSource {
                try await load(source, into: running, replacedBy: target, invocation, terminal)
            }
            var export: Export?
            if let firebase = running.lazy.compactMap({ $0 as? EmulatorServer<FirebaseEmulator> }).first?.emulator {
                export = try await users(of: firebase, inputs, invocation, terminal).map { .firebase($0, firebase) }
            }
            if let target, let emulator = running.first {
                export = .users(target, emulator)
                if let firebase = (emulator as? EmulatorServer<FirebaseEmulator>)?.emulator,
                    case let left = try UserFilePlace.usersOfTenants(firebase.admin), left > 0
                {
                    terminal.tell(
                        "firebase: \"\(target.path)\" cannot contain the \(left) users of tenants. Export to a folder to keep them."
                    )
                }
            }
            for emulator in running { emulator.panel.markReady() }
            return ServedEmulators(lines: lines, file: file, running: running, dashboard: dashboard, export: export)
        } catch {
            end(running, file)
            throw error
        }
    }

    /// Writes the users to the place of `--export-on-exit`.
    func save(_ terminal: Terminal) throws {
        switch export {
        case .firebase(let place, let firebase): try place.save(firebase.admin) { terminal.tell("firebase: \($0)") }
        case .users(let place, let emulator): try place.save(emulator) { terminal.tell("\(emulator.ready.provider): \($0)") }
        case nil: break
        }
    }

    /// The lines of the events from now on.
    var eventLines: EventLines { EventLines(running.map(DashboardEmulator.init), dashboard: dashboard?.base) }

    /// Prints a line for each event until the task is cancelled.
    func print(_ lines: EventLines, _ terminal: Terminal) async {
        var lines = lines
        let clock = SystemClock()
        while !Task.isCancelled {
            let news = await lines.next()
            for line in news {
                // A closed terminal ends the lines, not the server.
                do { try terminal.print(line.visible) } catch { return }
            }
            // Many requests in a moment are one look at them, and a load test must not pay for lines that nobody can read.
            try? await clock.sleep(for: news.count > EventLines.limit ? .seconds(1) : .milliseconds(100))
        }
    }

    /// Imports a file of users.
    ///
    /// A team's setting applies to the first start on a folder. In the first run of an import and an export, the file does not
    /// exist yet.
    private static func load(
        _ source: UserFilePlace, into running: [any RunningEmulator], replacedBy target: UserFilePlace?, _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws {
        guard let emulator = running.first else { return }
        if let folder = invocation["data"], let provider = try providerWithUsers(running, invocation) {
            guard invocation.origin("import") == .commandLine else { return }
            throw UsageError(
                "\(folder) has users of \(provider), but --import works only if there are no users yet. Remove --import, or choose another folder."
            )
        }
        if source.path == target?.path, try !Folder.isThere(source.path) {
            return terminal.tell("\(emulator.ready.provider): there is no \(source.path) yet. The emulator starts without users.")
        }
        for sentence in try await source.load(into: emulator) { terminal.tell("\(emulator.ready.provider): \(sentence)") }
    }

    /// Closes all connections, and removes the file in the runtime folder.
    func stop() {
        dashboard?.stop()
        Self.end(running, file)
    }

    private static func end(_ running: [any RunningEmulator], _ file: HeldFile?) {
        file?.remove()
        for emulator in running { emulator.stop() }
    }

    /// The first provider whose folder has users of an earlier run.
    private static func providerWithUsers(_ running: [any RunningEmulator], _ invocation: Invocation) throws -> String? {
        guard invocation["data"] ?? invocation["database"] != nil else { return nil }
        return try running.first { try $0.panel.seeds?.current().users.isEmpty == false }?.ready.provider
    }

    /// Rejects a seed that would replace users of an earlier run.
    private static func requireNoUsers(_ running: [any RunningEmulator], _ invocation: Invocation) throws {
        guard let provider = try providerWithUsers(running, invocation) else { return }
        let (place, kind) = invocation["data"].map { ($0, "folder") } ?? ("the database", "database")
        throw UsageError(
            "\(place) has users of \(provider), but --seed works only if there are no users yet. Remove --seed, or choose another \(kind)."
        )
    }

    /// Loads a seed into separate emulators in memory, and ends them.
    ///
    /// - Returns: The number of users of each provider.
    /// - Throws: ``UsageError`` for a seed that cannot be used.
    static func check(
        _ path: String, _ names: [String], _ invocation: Invocation, _ terminal: Terminal
    ) async throws -> [(provider: String, users: Int)] {
        let settings = try ServedInputs.settings(for: names, invocation)
        let seed = try SeedFile(path)
        var running: [any RunningEmulator] = []
        defer { for emulator in running { emulator.stop() } }
        for name in names {
            running.append(try start(name, EmulatorOptions(), settings, invocation, terminal, isOnlyCheck: true))
        }
        return Array(zip(names, try await seed.plant(in: running)))
    }

    private static func start(
        _ name: String, _ options: EmulatorOptions, _ settings: [String: SettingsFile], _ invocation: Invocation,
        _ terminal: Terminal, isOnlyCheck: Bool = false
    ) throws -> any RunningEmulator {
        do {
            var rows: GoTrueRows?
            if !isOnlyCheck, name == "gotrue", let database = invocation["database"] {
                rows = try GoTrueRows(Secret(database), createsSchema: invocation.has("create-schema"))
            }
            return try Providers.start(
                name, options, settings: settings[name], mode: invocation["mode"],
                hashing: invocation["hashing"].flatMap(PasswordCost.init), rows: rows
            ) {
                terminal.tell("\(name): \($0)")
            }
        } catch let error as UsageError {
            throw error
        } catch let error as PortInUse {
            throw UsageError(
                "port \(error.port) is in use, so \(name) cannot start. If lockstep serve is running already, lockstep status shows it. Otherwise stop the program that uses the "
                    + "port, or use --port N (0 uses free ports)."
            )
        } catch {
            throw UsageError("\(name) cannot be started: \(error)")
        }
    }

    /// Imports the users of `--import`, after checking the place of `--export-on-exit`.
    ///
    /// - Returns: The place to write to at the end, which does not overwrite users that the import has left out.
    private static func users(
        of firebase: FirebaseEmulator, _ inputs: ServedInputs, _ invocation: Invocation, _ terminal: Terminal
    ) async throws -> FirebaseExport? {
        func place(_ option: String) -> FirebaseExport? {
            invocation[option].flatMap { $0.hasSuffix(UserFilePlace.ending) ? nil : FirebaseExport(path: $0) }
        }
        let export = place("export-on-exit")
        let hasKey = firebase.settings.hashing.signerKey != nil
        try export?.checkPlace(keepsKey: hasKey || invocation.has("data"))
        guard inputs.userSource == nil, let source = place("import") else { return export }
        guard let export, try source.isReplaced(by: export) else {
            _ = try await source.load(into: firebase.admin, hasKey: hasKey) { terminal.tell("firebase: \($0)") }
            return export
        }
        if try source.isFirstRun(exportingTo: export) {
            terminal.tell("firebase: there is no \(source.path) yet. The project starts without users.")
            return export
        }
        let alternative = export.alternative
        guard try !Folder.isThere(alternative.path) else {
            throw UsageError(
                "\(alternative.path) contains newer users than \(source.path), because an earlier run wrote them. "
                    + "Import \(alternative.path), or remove it.")
        }
        let usersLeftOut = try await source.load(into: firebase.admin, hasKey: hasKey) { terminal.tell("firebase: \($0)") }
        guard usersLeftOut > 0 else { return export }
        terminal.tell(
            "firebase: \(export.path) stays unchanged, because the import left out some users. The export is written to \(alternative.path)."
        )
        return alternative
    }
}
