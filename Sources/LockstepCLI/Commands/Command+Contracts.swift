import LockstepComparison
import LockstepContracts
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep contracts`.
    static let contracts = Command(
        name: "contracts",
        summary: "check every promise on every provider",
        about: """
            Runs the contract suite: each promise on a fresh emulator of its own, in every configuration of the provider. An adapter must
            refuse every capability that it does not claim. What a harness cannot check is said to be not checked, never kept; where the
            harness does not list it with a reason, or a check could not run, the status is 1. On a server that is running it makes users
            of its own, whose addresses begin with "lockstep-", and removes them again: no other user is touched unless --erase says so.
            """,
        options: [
            Option("provider", .choices("NAME,…", Providers.names), "which providers; all by default"),
            Option("only", .choices("ID,…", []), "only promises whose id is this or begins with it, such as sign-in"),
            Option(
                "server", .text("URL"), "firebase: a server that is running, such as Firebase's own emulator, in place of ours"),
            Option("project", .text("ID"), "with --server: the project's id there; demo-lockstep by default"),
            Option("erase", .none, "with --server: delete all users of the project before each promise"),
            Option("confirm", .text("ID"), "with --server on another machine: the project's id once more"),
            Option(
                "shuffle", .text("SEED"), "check them in the random order of a seed, a whole number; new draws one and prints it"),
            Option("format", .choice(["table", "json", "markdown", "html", "junit"]), "how it is printed; a table by default"),
            Option("list", .none, "print the contracts and check none; with --only: those"),
            EventRecord.option,
        ],
        examples: [
            Example(line: "lockstep contracts", meaning: "all promises, all providers"),
            Example(
                line: "lockstep contracts --provider gotrue --only session",
                meaning: "the promises about sessions on one provider"),
            Example(line: "lockstep contracts --shuffle new", meaning: "in a random order, whose seed is printed"),
            Example(line: "lockstep contracts --format junit > contracts.xml", meaning: "for a CI server"),
            Example(
                line: "lockstep contracts --provider firebase --server http://127.0.0.1:9099",
                meaning: "the adapter against the vendor's own emulator; what that cannot do is not checked"),
        ],
        failure: "a promise is broken or could not be checked, or none was"
    ) { invocation, terminal in
        if invocation.has("list") {
            try list(try contracts(named: invocation.list("only")), invocation, terminal)
            return .success
        }
        let events = try EventRecord(invocation, terminal)
        let chosen = try Providers.harnesses(for: invocation)
        let harnesses = events?.told(by: chosen) ?? chosen
        let report = try await promises(
            on: harnesses, only: invocation.list("only"), seed: try seed(invocation, terminal), terminal)
        events?.save()
        switch invocation["format"] ?? "table" {
        case "json": try terminal.print(JSON.object(report.json).text(.indented))
        case "markdown": try terminal.print(report.markdown)
        case "html": try terminal.print(report.html)
        case "junit": try terminal.print(report.junit)
        default: try terminal.print(report.table(width: terminal.width, paint: terminal.paint))
        }
        if report.isEmpty { terminal.tell("lockstep: nothing was checked: \(report.firstExcuse)") }
        return report.isSuccess ? .success : .failure
    }

    /// The seed of the order, which is always printed: a failure that depends on the order is repeated with it.
    private static func seed(_ invocation: Invocation, _ terminal: Terminal) throws(UsageError) -> UInt64? {
        guard let text = invocation["shuffle"] else { return nil }
        let drawn = SystemRandomness().bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let seed = text == "new" ? drawn : UInt64(text) else {
            throw UsageError("--shuffle takes a whole number from 0 to \(UInt64.max), or new, and \(text) is neither.")
        }
        terminal.tell("lockstep: the order of the checks is that of --shuffle \(seed)")
        return seed
    }

    /// How many worlds may stand side by side: one holds up to 40 files and sockets, and what runs out of them fails.
    private static var worldsAtATime: Int { min(8, max(1, (OpenFiles.limit - 64) / 40)) }

    /// Runs the suite, or a part of it, and shows the progress.
    static func promises(on harnesses: [any Harness], only ids: [String], seed: UInt64? = nil, _ terminal: Terminal)
        async throws(UsageError)
        -> PromiseReport
    {
        let contracts = try contracts(named: ids)
        let report = await PromiseReport.run(contracts, on: harnesses, width: worldsAtATime, seed: seed) { done, all in
            terminal.progress("promises: \(done) of \(all)")
        }
        terminal.endProgress()
        return report
    }

    /// The contracts whose id is one of these or begins with one; all if none is given.
    private static func contracts(named ids: [String]) throws(UsageError) -> [Contract] {
        let contracts = Catalog.all.filter { contract in
            ids.isEmpty || ids.contains { contract.id == $0 || contract.id.hasPrefix($0 + ".") }
        }
        guard contracts.isEmpty else { return contracts }
        let known = Catalog.all.map(\.id)
        throw UsageError("there is no contract \"\(ids.listedAsChoice)\"." + known.suggestion(for: ids.first ?? ""))
    }

    /// Prints contracts: id and promise.
    private static func list(_ contracts: [Contract], _ invocation: Invocation, _ terminal: Terminal) throws {
        switch invocation["format"] ?? "table" {
        case "json":
            let list = contracts.map { contract -> JSON in
                [
                    "id": .string(contract.id), "promise": .string(contract.promise),
                    "appliesTo": .string(contract.appliesTo.description),
                ]
            }
            let document: JSON = ["version": .int(Comparison.formatVersion), "contracts": .array(list)]
            try terminal.print(document.text(.indented))
        case "table":
            let lines = contracts.flatMap { contract in
                [terminal.paint.bold(contract.id)] + contract.promise.wrapped(terminal.width - 4, first: "    ", rest: "    ")
            }
            try terminal.print(lines.joined(separator: "\n"))
        case let format: throw UsageError("invalid value \"\(format)\" for --format: --list has table and json.")
        }
    }
}
