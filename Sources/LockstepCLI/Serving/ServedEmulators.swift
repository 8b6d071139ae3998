import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPasswords
import LockstepPrimitives
import LockstepSystem

/// The emulators of one process, from their start to their end.
struct ServedEmulators {
    /// Their ready lines.
    let lines: ReadyLines
    /// The file in the runtime folder; `nil` if no folder can be used.
    let file: String?
    private let running: [any RunningEmulator]
    private let export: (place: FirebaseExport, firebase: FirebaseEmulator)?

    /// Starts the emulators that a command line names, and imports what it names.
    ///
    /// - Parameters:
    ///   - names: the providers, in their order.
    ///   - kind: the command.
    ///   - defaults: the ports unless `--port` says otherwise.
    /// - Throws: ``UsageError``; nothing runs then.
    static func start(
        _ names: [String], _ kind: RuntimeFolder.Kind, defaults: [String: UInt16], _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws -> ServedEmulators {
        let settings = try settings(for: names, invocation)
        let seed = try seed(for: names, invocation)
        let options = try EmulatorOptions(invocation, terminal)
        let ports = PortChoice(first: invocation.number("port"), defaults: defaults)
        var running: [any RunningEmulator] = []
        var file: String?
        do {
            for name in names {
                var own = options
                own.port = try ports.port(of: name, among: names)
                running.append(try start(name, own, settings, invocation, terminal))
            }
            let lines = ReadyLines(running.map { $0.ready.stamped().json })
            do throws(SystemError) {
                file = try RuntimeFolder.add(lines.text, kind)
            } catch {
                terminal.tell("lockstep: warning: this server is not listed by lockstep status: \(error). Set XDG_RUNTIME_DIR.")
            }
            if let seed {
                try requireNoUsers(running, invocation)
                try await seed.plant(in: running)
            }
            let firebase = running.lazy.compactMap { $0 as? EmulatorServer<FirebaseEmulator> }.first?.emulator
            var export: FirebaseExport?
            if let firebase { export = try await users(of: firebase, invocation, terminal) }
            for emulator in running { emulator.panel.markReady() }
            return ServedEmulators(
                lines: lines, file: file, running: running,
                export: export.flatMap { place in firebase.map { (place, $0) } })
        } catch {
            end(running, file)
            throw error
        }
    }

    /// Writes what `--export-on-exit` names.
    func save(_ terminal: Terminal) throws {
        guard let export else { return }
        try export.place.save(export.firebase.admin) { terminal.tell("firebase: \($0)") }
    }

    /// Closes all connections, and removes the file in the runtime folder.
    func stop() { Self.end(running, file) }

    private static func end(_ running: [any RunningEmulator], _ file: String?) {
        if let file { try? AtomicFile.remove(file) }
        for emulator in running { emulator.stop() }
    }

    /// The file of `--env`, after a look at whether the options fit the providers.
    private static func settings(for names: [String], _ invocation: Invocation) throws(UsageError) -> SettingsFile? {
        for option in ["mode", "import", "export-on-exit"] where invocation.has(option) && !names.contains("firebase") {
            throw UsageError("--\(option) needs the provider firebase. Name it, or leave --\(option) out.")
        }
        guard let path = invocation["env"] else { return nil }
        guard names.count == 1 else {
            throw UsageError("--env accepts one provider, since each has its own settings. Name one.")
        }
        return try SettingsFile(path)
    }

    /// The file of `--seed`.
    private static func seed(for names: [String], _ invocation: Invocation) throws(UsageError) -> SeedFile? {
        guard let path = invocation["seed"] else { return nil }
        if invocation.has("import") { throw UsageError("--seed and --import cannot be used together. Leave one of them out.") }
        return try SeedFile(path)
    }

    /// Refuses a seed that would replace users of an earlier run.
    private static func requireNoUsers(_ running: [any RunningEmulator], _ invocation: Invocation) throws {
        guard let folder = invocation["data"] else { return }
        for emulator in running where try emulator.panel.seeds?.current().users.isEmpty == false {
            throw UsageError(
                "\(folder) has users of \(emulator.ready.provider), and --seed is for a start without users. Leave --seed out, or name "
                    + "another folder.")
        }
    }

    /// Puts a seed into emulators of their own, in memory, and ends them.
    ///
    /// - Returns: The number of users of each provider.
    /// - Throws: ``UsageError`` for a seed that cannot be used.
    static func check(
        _ path: String, _ names: [String], _ invocation: Invocation, _ terminal: Terminal
    ) async throws -> [(provider: String, users: Int)] {
        let settings = try settings(for: names, invocation)
        let seed = try SeedFile(path)
        var running: [any RunningEmulator] = []
        defer { for emulator in running { emulator.stop() } }
        for name in names { running.append(try start(name, EmulatorOptions(), settings, invocation, terminal)) }
        return Array(zip(names, try await seed.plant(in: running)))
    }

    private static func start(
        _ name: String, _ options: EmulatorOptions, _ settings: SettingsFile?, _ invocation: Invocation, _ terminal: Terminal
    ) throws -> any RunningEmulator {
        do {
            return try Providers.start(
                name, options, settings: settings, mode: invocation["mode"],
                hashing: invocation["hashing"].flatMap(PasswordCost.init)
            ) {
                terminal.tell("\(name): \($0)")
            }
        } catch let error as UsageError {
            throw error
        } catch let error as PortInUse {
            throw UsageError(
                "port \(error.port) is in use: \(name) cannot listen. Stop the program there, or use --port N (0 uses free ports)."
            )
        } catch {
            throw UsageError("\(name) cannot be started: \(error)")
        }
    }

    /// Imports what `--import` names, after a look at where `--export-on-exit` will write.
    ///
    /// - Returns: Where to write at the end: not over users of whom the import has left some out.
    private static func users(
        of firebase: FirebaseEmulator, _ invocation: Invocation, _ terminal: Terminal
    ) async throws -> FirebaseExport? {
        let export = invocation["export-on-exit"].map(FirebaseExport.init)
        let hasKey = firebase.settings.hashing.signerKey != nil
        try export?.checkPlace(keepsKey: hasKey || invocation.has("data"))
        guard let source = invocation["import"].map(FirebaseExport.init) else { return export }
        guard let export, try source.isReplaced(by: export) else {
            _ = try await source.load(into: firebase.admin, hasKey: hasKey) { terminal.tell("firebase: \($0)") }
            return export
        }
        if try source.isFirstRun(exportingTo: export) {
            terminal.tell("firebase: there is no \(source.path) yet: the project starts without users.")
            return export
        }
        let alternative = export.alternative
        guard try !Folder.isThere(alternative.path) else {
            throw UsageError(
                "\(alternative.path) has the users of an earlier run, and \(source.path) is as it was before: import the newer ones, or "
                    + "remove them.")
        }
        let usersLeftOut = try await source.load(into: firebase.admin, hasKey: hasKey) { terminal.tell("firebase: \($0)") }
        guard usersLeftOut > 0 else { return export }
        terminal.tell(
            "firebase: \(export.path) stays as it is, for the users left out: the export goes to \(alternative.path).")
        return alternative
    }
}
