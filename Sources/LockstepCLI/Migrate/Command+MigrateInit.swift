import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep migrate init`.
    static let migrateInit = Command(
        name: "migrate init",
        summary: "write a starter move.json, and a page that explains it",
        about: """
            Writes move.json for a move between Firebase, Supabase (GoTrue) and Clerk. Next to it, writes move.README.md, which \
            explains each member. They contain no secrets, but name the files or variables that do. Never overwrites a file.
            """,
        options: [
            Option("move", .path("FILE"), "the file to write (default: move.json)"),
            Option(
                "from", .choice(MoveProvider.names + [MoveEnds.file]),
                "the source: a project, or a file of users (default: firebase)"),
            Option("to", .choice(MoveProvider.names), "the target (default: gotrue, or firebase for a source gotrue)"),
        ],
        examples: [
            Example(line: "lockstep migrate init", meaning: "in this folder"),
            Example(line: "lockstep migrate init --from file", meaning: "for users who come from a file"),
        ]
    ) { invocation, terminal in
        let path = try invocation["move"] ?? LocalPath.resolve("move.json")
        let page = (path.hasSuffix(".json") ? String(path.dropLast(".json".count)) : path) + ".README.md"
        for place in [path, page] {
            let isFree: Bool
            do throws(SystemError) { isFree = try FileStatus(of: place) == nil } catch {
                throw UsageError("cannot write \"\(place)\": \(error.reason). Choose another folder.")
            }
            guard isFree else { throw UsageError("\"\(place)\" already exists. Remove it, or name another file with --move.") }
        }
        let from = invocation["from"] ?? MoveProvider.firebase.name
        let source = MoveProvider.named(from)
        let target = invocation["to"].flatMap(MoveProvider.named) ?? MoveProvider.other(than: from)
        let starter = StarterMove(source: source, target: target)
        for (place, text) in [(page, starter.page(named: path)), (path, starter.file.text(.indented) + "\n")] {
            do throws(SystemError) {
                try AtomicFile.replace(place, with: Array(text.utf8), mode: 0o644)
            } catch {
                throw UsageError("cannot write \"\(place)\": \(error.reason). Choose another folder.")
            }
            try terminal.print("\(place): written")
        }
        return .success
    }
}

/// The starter move.json, and the page that explains it.
struct StarterMove {
    /// The source; `nil` for a file of users.
    let source: MoveProvider?
    let target: MoveProvider

    /// The file.
    var file: JSON {
        func side(_ provider: MoveProvider, _ members: JSONObject) -> JSON {
            var side: JSONObject = ["provider": .string(provider.name)]
            for (name, value) in members { side[name] = value }
            return .object(side)
        }
        return [
            "from": source.map { side($0, $0.starterSource.side) } ?? ["file": "users.jsonl"],
            "to": side(target, target.starterTarget.side),
            "probe": ["email": "you@example.com", "password": ["file": "probe-password"]], "anonymousUsers": "refuse",
            "secondFactors": "refuse",
        ]
    }

    /// Returns the page.
    func page(named path: String) -> String {
        let name = String(path.split(separator: "/").last ?? "move.json")
        let sourcePage =
            source?.starterSource.page
                ?? """
                - `from.file`: a file of users, which a move never changes: the export of a provider's own tool, or the neutral format
                  (`docs/users.schema.json` describes a line). An export needs `from.project`, the name of its project, and
                  comma-separated values in the neutral format also need `from.provider`.
                - `from.mapping` (not in the file): for a format of your own, the file that `lockstep migrate map-source` proposes. It
                  also needs `from.provider`, a name of your choice.
                - `from.hash` (not in the file): a file or a variable with the parameters of Firebase's hashes, as its console shows
                  them. Without it, no password of a Firebase export moves.
                """
        return """
            # \(name)

            `lockstep migrate` reads this file. JSON has no comments, so they are here.

            The file does not contain secrets. For each secret, it names a place: `{"file": "PATH"}`, relative to this file, or `{"env": "NAME"}`.

            \(sourcePage)
            \(target.starterTarget.page)
            - `probe`: an account of the source whose password you know. The plan stops if the exported hash does not match this
              password. Then other users could not sign in, either. Remove the member to plan without this check.
            - `tenants` (not in the file): `skip` leaves the users of the project's tenants behind. Default: `refuse`, which stops before
              they are left behind. A move with `from.tenant` moves one tenant.
            - `anonymousUsers`: `refuse` stops before anonymous users are left behind, `skip` leaves them behind,
              `create` moves them if the target takes them.
            - `secondFactors`: `refuse` stops before a user would lose a second factor. `drop` moves the user without it.
              `withoutPassword` also leaves the password behind.
            - `unverifiedAddresses` (not in the file): `withoutPassword` leaves the password of a user with an unverified address
              behind. Default: `keep`.
            - `withoutWayIn` (not in the file): `create` also moves users who could not sign in. Default: `refuse`.
            - `largeData` (not in the file): `sideFile` moves users with values over a limit of the target. These values are not
              moved: `large-data.jsonl` in the run's folder keeps them, and all values for which the target has no place, such as
              private metadata. Default: `refuse`.
            - `mailsPerHour` (not in the file): how many emails the target sends in an hour.
            - `archive` (not in the file): `{"key": {"file": "archive.key"}}` keeps all users and their hashes as they were read,
              encrypted with this key. Create the key with `openssl rand -hex 32 > archive.key`, and keep it elsewhere.

            Next:

            1. `lockstep migrate plan` writes to neither side.
            2. `lockstep migrate apply` asks before it writes.
            3. `lockstep migrate verify` compares each user.
            4. `lockstep migrate purge` removes the journal and the archive when the move is over.

            """
    }
}
