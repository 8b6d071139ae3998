import LockstepComparison
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep status`.
    static let status = Command(
        name: "status",
        summary: "show the running emulators",
        about: """
            Shows this user's running emulators, with their addresses, keys, inboxes and variables. Inside \
            lockstep exec, it shows the emulators that exec has started.
            """,
        options: [
            Option(
                "format", .choice(["text", "json", "env"]),
                "\"text\" for people (default), \"json\" for scripts, \"env\" to set the variables in a shell"),
            .readyFile("show the emulators that this file lists"),
        ],
        examples: [
            Example(line: "lockstep status", meaning: "the running emulators and their addresses"),
            Example(line: "eval \"$(lockstep status --format env)\"", meaning: "point the vendors' SDKs at the emulators"),
        ],
        failure: "no emulator is running"
    ) { invocation, terminal in
        let running = try ReadyLines.found(by: invocation) ?? []
        let all = ReadyLines(running.flatMap(\.documents))
        switch invocation["format"] ?? "text" {
        case "json":
            let document: JSON = ["version": .int(Comparison.formatVersion), "servers": .array(all.documents)]
            try terminal.print(document.text(.indented))
        case "env":
            let newest = all.newestOfEachProvider
            if newest.documents.count < all.documents.count {
                terminal.tell("lockstep: several servers of the same provider are running. lockstep uses the newest server.")
            }
            if let name = newest.undeclaredNames.first {
                terminal.tell(
                    "lockstep: warning: the ready file has \(newest.undeclaredNames.count) variables that no emulator of this release declares, such as \"\(name.prefix(60).visible)\". They are left out."
                )
            }
            let lines = newest.environment.map { "export \($0.name)=\($0.value.shellWord)\n" }.joined()
            if !lines.isEmpty { try terminal.print(lines) }
        default:
            let file = invocation["ready-file"].map { " --ready-file \($0.shellWord)" }
            let blocks = running.map { lines in
                let base = running.count > 1 ? lines.documents.first?["base"]?.string.map { " \($0)" } : nil
                return ReadyBlock(lines: lines, paint: terminal.paint).status("lockstep stop" + (file ?? base ?? ""))
            }
            if !blocks.isEmpty { try terminal.print(blocks.joined(separator: "\n")) }
        }
        guard all.documents.isEmpty else { return .success }
        terminal.tell("lockstep: no emulator is running. Start one with lockstep serve.")
        return .failure
    }
}

extension Option {
    /// A file that `lockstep serve --ready-file` writes, for commands that read it.
    static func readyFile(_ summary: String) -> Option {
        Option("ready-file", .path("FILE"), summary + " (default: LOCKSTEP_READY, else all emulators of this user)")
    }
}

extension ReadyLines {
    /// Returns the servers that a command line selects: those of a file, or all servers of this user; `nil` if the file is
    /// missing.
    ///
    /// - Throws: ``UsageError`` if the file contains something else.
    static func found(by invocation: Invocation) throws(UsageError) -> [ReadyLines]? {
        guard let path = invocation["ready-file"] ?? Environment["LOCKSTEP_READY"].flatMap({ $0.isEmpty ? nil : $0 }) else {
            return running()
        }
        let name = invocation["ready-file"] == nil ? "LOCKSTEP_READY" : "--ready-file"
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try AtomicFile.read(path, limit: limit)
        } catch {
            throw UsageError("invalid value \"\(path)\" for \(name): \(error.refusal?.rawValue ?? error.reason).")
        }
        guard let bytes else { return nil }
        guard let lines = ReadyLines(bytes) else {
            throw UsageError(
                "invalid value \"\(path)\" for \(name): lockstep serve did not write this file. Choose its ready file."
            )
        }
        // The file of a server that was killed. Another container's server has no number here, but it holds its file.
        if let process = lines.process, !ProcessMark.isThere(process), !HeldFile.isHeld(path) { return [] }
        return [lines]
    }

    /// The ready line of the newest process for each provider.
    fileprivate var newestOfEachProvider: ReadyLines {
        var seen: Set<String> = []
        return ReadyLines(documents.filter { seen.insert($0["provider"]?.string ?? "").inserted })
    }
}

extension ProcessMark {
    /// Whether a process with this id is running.
    static func isThere(_ id: Int32) -> Bool { ProcessMark(of: id) != nil }
}
