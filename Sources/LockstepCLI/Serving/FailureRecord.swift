import LockstepComparison
import LockstepCurl
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem

/// The files of `--on-failure`: the state of the emulators after a command has failed, without secrets.
struct FailureRecord {
    static let option = Option(
        "on-failure", .path("DIR"),
        "if the command fails, write each emulator's requests, messages, settings, faults and users to this folder, without secrets"
    )

    private let folder: String

    /// The control routes whose responses are stored, and whether the response still contains secrets.
    private static let documents = [
        (name: "requests", hasSecrets: false), (name: "deliveries", hasSecrets: false), (name: "settings", hasSecrets: false),
        (name: "messages", hasSecrets: true), (name: "faults", hasSecrets: true), (name: "seed", hasSecrets: true),
    ]

    /// The requested record; `nil` without the option.
    ///
    /// - Throws: ``UsageError`` if its folder cannot be written: before anything runs.
    init?(_ invocation: Invocation) throws(UsageError) {
        guard let folder = invocation["on-failure"] else { return nil }
        self.folder = folder
        do throws(SystemError) {
            try Folder.make(folder)
            // Where others can create links, a link in the place of a provider's folder would lead the files elsewhere.
            for name in Providers.names where try FileStatus(of: "\(folder)/\(name)") != nil {
                try Folder.makeOwn("\(folder)/\(name)")
            }
            let probe = folder + "/.lockstep"
            try AtomicFile.replace(probe, with: [], isDurable: false)
            try AtomicFile.remove(probe)
        } catch {
            throw UsageError(
                "invalid value \"\(folder)\" for \(invocation.place("on-failure")): \(error.refusal == nil ? error.reason : "\(error)"). Choose a folder that you can write to."
            )
        }
    }

    /// Writes the files, and replaces the files of an earlier failure; reports files that cannot be written.
    ///
    /// - Parameters:
    ///   - served: The emulators, which still run.
    ///   - program: The command's name; its arguments may have secrets.
    ///   - status: The command's status.
    func write(_ served: ServedEmulators, program: String, status: Int32, _ terminal: Terminal) async {
        do {
            var providers: [JSON] = []
            for emulator in served.running {
                try await write(emulator)
                providers.append(["provider": .string(emulator.ready.provider), "base": .string(emulator.ready.base)])
            }
            let run: JSON = [
                "version": .int(Comparison.formatVersion), "release": .string(Release.version),
                "commit": Release.commit.map { .string($0) } ?? .null, "command": .string(program),
                "status": .int(Int64(status)), "emulators": .array(providers),
            ]
            try write(run, to: "run.json")
            terminal.tell("lockstep: \"\(program)\" exited with status \(status). See the files in \"\(folder)\".")
        } catch {
            terminal.tell("lockstep: the files of --on-failure are incomplete: \(error)")
        }
    }

    private func write(_ emulator: any RunningEmulator) async throws {
        let (ready, transport) = (emulator.ready, CurlTransport())
        try Folder.makeOwn("\(folder)/\(ready.provider)")
        for document in Self.documents {
            let request = HTTPRequest(
                .get, "\(ready.base)/__lockstep/\(document.name)", headers: ["Authorization": "Bearer " + ready.token.reveal()],
                deadline: .seconds(30), connectDeadline: .seconds(5), responseLimit: 64 << 20)
            let answer = try await transport.send(request)
            // An emulator without the route has nothing of the kind.
            guard answer.status == 200, let json = try? JSON.parse(answer.body) else { continue }
            try write(
                document.hasSecrets ? emulator.panel.withoutSecrets(json) : json, to: "\(ready.provider)/\(document.name).json")
        }
    }

    private func write(_ document: JSON, to name: String) throws(SystemError) {
        try AtomicFile.replace("\(folder)/\(name)", with: document.bytes(.indented) + [UInt8(ascii: "\n")], isDurable: false)
    }
}
