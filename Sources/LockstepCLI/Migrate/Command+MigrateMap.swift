import LockstepMigration
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep migrate map`.
    static let migrateMap = verb(
        "map",
        summary: "write SQL that replaces the old ids in the app's own tables",
        about: """
            Writes a script for PostgreSQL that replaces the ids of the run's users in columns of the app, and the script reverse.sql \
            beside it, which takes the changes back. Each is one transaction, or with --chunk a transaction for each part of a table. \
            Reads only the run, and connects to no database.
            """,
        options: [
            Option("columns", .text("LIST"), "the columns: table.column, with commas; :text or :uuid changes the type"),
            Option("output", .path("FILE"), "the file of the script; - prints it (default: rewrite.sql)"),
            Option(
                "unmapped", .choice(["stop", "leave"]),
                "what happens to rows with an id that is not in the run (default: stop)"),
            Option(
                "chunk", .number("MB", 1...1024),
                "for tables that must not be locked long: write parts of about this size, each in its own transaction"),
        ],
        examples: [
            Example(line: "lockstep migrate map --columns orders.user_id,profiles.id", meaning: "rewrite.sql and reverse.sql"),
            Example(
                line: "lockstep migrate map --columns orders.user_id,profiles.id --chunk 8",
                meaning: "for large tables of a running app"),
            Example(
                line: "lockstep migrate map --columns 'profiles.id:text' --output -",
                meaning: "print the script for a column uuid"),
        ],
        failure: "something failed", difference: nil, looksOn: true
    ) { session, invocation in
        guard let list = invocation["columns"] else {
            throw UsageError(
                "--columns is missing. Name the columns with ids of users, as in: --columns orders.user_id,profiles.id")
        }
        let rewrite = try IDRewrite(
            try IDColumn.list(list), leavesUnmapped: invocation["unmapped"] == "leave",
            chunk: invocation.number("chunk").map { $0 << 20 })
        let path = invocation["output"] ?? "rewrite.sql"
        if path == "-" {
            _ = try await rewrite.write(session.folder, isReverse: false) { try session.showPlain($0) }
            return .success
        }
        let reverse = path.reverseScript
        guard reverse != path else {
            throw UsageError("--output \"\(path)\" is the name of the reverse script. Choose another name.")
        }
        let users: Int
        do {
            let (forward, back) = (try FileReplacement(path), try FileReplacement(reverse))
            do {
                users = try await rewrite.write(session.folder, isReverse: false) { try forward.write(Array($0.utf8)) }
                _ = try await rewrite.write(session.folder, isReverse: true) { try back.write(Array($0.utf8)) }
                try forward.commit()
            } catch {
                forward.discard()
                back.discard()
                throw error
            }
            do { try back.commit() } catch {
                // Without the way back, the way there is not offered, either.
                try? AtomicFile.remove(path)
                throw error
            }
        } catch let error as SystemError {
            throw UsageError("cannot write \"\(path)\" and \"\(reverse)\": \(error.reason). Choose another folder.")
        }
        try session.show(
            "\(path): the ids of \(users) users\n\(reverse): the way back\n", "map",
            ["users": .int(Int64(users)), "file": .string(path), "reverse": .string(reverse)])
        return .success
    }
}

extension String {
    /// The path of `reverse.sql` beside a script.
    fileprivate var reverseScript: String {
        let folder = unicodeScalars.lastIndex(of: "/").map { String(unicodeScalars[...$0]) } ?? ""
        return folder + "reverse.sql"
    }
}
