import LockstepMigration
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep migrate report`.
    static let migrateReport = verb(
        "report",
        summary: "write a report about a run, as text, JSON or one HTML file",
        about: """
            Shows the plan of a run, its progress, and the ids of the users that the run set aside. With --show-addresses, it \
            reads their addresses from the source, and only you can read the HTML file. An HTML file contains its own style, and \
            loads nothing from the network.
            """,
        options: [
            Option("html", .path("FILE"), "also write the report to a file, as HTML"),
            Option("show-addresses", .none, "read from the source the addresses of users that were set aside, and show them"),
            Option("unseal", .path("FILE"), "also write the users of the archive to a file NAME.jsonl, which only you can read"),
        ],
        examples: [
            Example(line: "lockstep migrate report --html report.html", meaning: "for a browser, without addresses"),
            Example(line: "lockstep migrate report --format json --show-addresses", meaning: "for scripts, with addresses"),
            Example(line: "lockstep migrate report --unseal users.jsonl", meaning: "the archived users, in the neutral format"),
        ],
        failure: "something failed", difference: nil
    ) { session, invocation in
        let files = try ReportFiles(invocation, mode: invocation.has("show-addresses") ? 0o600 : 0o644)
        try session.showHeader()
        let report = try await RunReport(session, showsAddresses: invocation.has("show-addresses"))
        try session.show(report.text, "report", report.json)
        try files.write { _ in report.html(from: .here) }
        if let path = invocation["unseal"] { try await session.unseal(to: path) }
        return .success
    }

    /// The command `lockstep migrate purge`.
    static let migratePurge = Command(
        name: "migrate purge",
        summary: "remove a run with its journal, archive and key",
        about: """
            Removes the folder of a run, with its journal, archive and key. The run can no longer be continued, verified or undone. Users \
            on both sides stay as they are. Without --yes, asks before it removes the run.
            """,
        options: [
            Option("yes", .none, "remove without asking"), Option("run", .text("ID"), "the run"),
            Option("move", .path("FILE"), "the file that names the source and the target (default: move.json)"),
        ],
        examples: [
            Example(line: "lockstep migrate purge --run 20261125-101502-a1b2", meaning: "asks first"),
            Example(line: "lockstep migrate purge --run 20261125-101502-a1b2 --yes", meaning: "for scripts"),
        ]
    ) { invocation, terminal in
        let move = try MoveFile.path(for: invocation)
        let runs = MoveFile.runs(of: move)
        let all = RunFolder.list(in: runs)
        guard let id = invocation["run"] ?? (all.count == 1 ? all.first : nil) else {
            throw UsageError(
                all.isEmpty
                    ? "there is no run in \"\(runs)\"." : "there are \(all.count) runs in \"\(runs)\". Name one with --run ID.")
        }
        do {
            let what = try RunFolder.contents(of: id, in: runs)
            guard try await isPurgeAllowed(id, what, invocation, terminal) else { return .usage }
            try RunFolder.purge(id, in: runs)
        } catch let error as MigrationError {
            throw UsageError(error.message)
        }
        try terminal.print("the run \(id) was removed")
        return .success
    }

    private static func isPurgeAllowed(
        _ id: String, _ what: [String], _ invocation: Invocation, _ terminal: Terminal
    ) async throws -> Bool {
        if invocation.has("yes") { return true }
        let names = what.isEmpty ? "nothing" : what.joined(separator: ", ")
        if try await terminal.isConfirmed("remove the run \(id) (\(names))?") { return true }
        let move = invocation["move"].map { " --move \($0.shellWord)" } ?? ""
        try terminal.print(
            "would remove the run \(id) (\(names)). Nothing was removed. Continue with: lockstep migrate purge\(move) --run \(id) --yes"
        )
        return false
    }
}

extension MoveSession {
    /// Writes the users of the run's archive to a file in the neutral format.
    ///
    /// - Parameter path: The file, which is replaced.
    /// - Throws: ``UsageError`` if there is no key, or the file cannot be written; `archive`.
    func unseal(to path: String) async throws {
        guard let key = file.archiveKey else {
            throw UsageError("\(file.path): \"archive.key\" is missing. Use {\"file\": \"PATH\"} or {\"env\": \"NAME\"}.")
        }
        let archive = folder.archive
        let secret = try ArchiveKey(key.secret)
        try await BlockingThread.run {
            var reader = try ArchiveReader(archive, secret)
            var place: FileReplacement?
            do {
                while let piece = try reader.next() {
                    if place == nil { place = try FileReplacement(path) }
                    try place?.write(piece)
                }
                try place?.commit()
            } catch {
                place?.discard()
                guard let error = error as? SystemError else { throw error }
                throw UsageError("cannot write the users to \"\(path)\": \(error.reason). Choose another file.")
            }
        }
    }
}
