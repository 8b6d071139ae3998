import LockstepComparison
import LockstepContracts
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep contracts`.
    static let contracts = Command(
        name: "contracts",
        summary: "check every contract on every provider",
        about: """
            Checks each contract on a fresh emulator, in every variant of the provider. An adapter must reject calls for \
            capabilities that it does not claim. A contract that cannot be checked is reported as "not checked", never as kept. \
            With --server the run creates users whose addresses begin with "lockstep-", and deletes them at the end. Without \
            --erase, other users stay.
            """,
        operands: .providers,
        options: [
            Option("only", .choices("ID,…", []), "only contracts with this id or prefix, such as sign-in"),
            Option("quick", .none, "only the contracts that compare checks, in about ten seconds"),
            Option(
                "server", .text("URL"),
                "firebase: check a running server, such as Firebase's own emulator, instead of the built-in emulator"),
            Option("project", .text("ID"), "with --server: the project's id (default: demo-lockstep)"),
            Option("erase", .none, "with --server: delete all users of the project before each contract"),
            Option("confirm", .text("ID"), "with --server on another machine: repeat the project's id to confirm"),
            Option(
                "shuffle", .text("SEED"),
                "check in a random order with this seed (a whole number); \"new\" chooses a seed and prints it"),
            Option("verbose", .none, "print every contract, including contracts that are kept"),
            Option(
                "format", .choice(["text", "json", "markdown", "html", "junit"]), "output format (default: text)", in: .output),
        ] + ReportFiles.options("json", "html", "markdown", "junit") + [
            Option("list", .none, "list the contracts without checking them; --only limits the list"), EventRecord.option,
        ],
        examples: [
            Example(line: "lockstep contracts --quick", meaning: "the contracts that compare checks"),
            Example(line: "lockstep contracts", meaning: "all contracts, all providers, in a few minutes"),
            Example(line: "lockstep contracts gotrue --only session", meaning: "the contracts about sessions on one provider"),
            Example(line: "lockstep contracts --shuffle new", meaning: "check in a random order, and print its seed"),
            Example(line: "lockstep contracts --junit contracts.xml", meaning: "also write a JUnit file for a CI server"),
            Example(
                line: "lockstep contracts firebase --server http://127.0.0.1:9099",
                meaning: "check the adapter against the vendor's own emulator"),
        ],
        failure: "a contract is broken, a contract could not be checked, or no contract was checked"
    ) { invocation, terminal in
        if invocation.has("list") {
            try list(try contracts(named: invocation.list("only")), invocation, terminal)
            return .success
        }
        let files = try ReportFiles(invocation)
        let chosen = try await Providers.harnesses(for: invocation)
        let events = try EventRecord(invocation, terminal)
        let harnesses = events?.told(by: chosen) ?? chosen
        let order = try seed(invocation, terminal)
        let report = try await check(on: harnesses, only: try ids(for: invocation, terminal), seed: order, terminal)
        events?.save()
        func text(_ format: String) -> String {
            switch format {
            case "json": JSON.object(report.json).text(.indented)
            case "markdown": report.markdown
            case "html": report.html(from: .here)
            case "junit": report.junit
            default: report.text(width: terminal.width, isVerbose: invocation.has("verbose"), paint: terminal.paint)
            }
        }
        try terminal.print(text(invocation["format"] ?? "text"))
        try files.write(text)
        if report.isEmpty { terminal.tell("lockstep: no contract was checked: \(report.firstExcuse)") }
        return report.isSuccess ? .success : .failure
    }

    /// The contracts that check what adapters declare, and so what the report of `lockstep compare` says.
    static var declared: [String] { Catalog.all.filter { $0.demands.declared != nil }.map(\.id) }

    /// Returns the ids that a command line selects; none for all contracts, whose number and shorter way are named first.
    private static func ids(for invocation: Invocation, _ terminal: Terminal) throws(UsageError) -> [String] {
        let only = invocation.list("only")
        guard invocation.has("quick") else {
            if only.isEmpty {
                terminal.tell(
                    "lockstep: checking \(Catalog.all.count) contracts in all variants takes minutes. For the \(declared.count) contracts that compare checks, add --quick."
                )
            }
            return only
        }
        guard only.isEmpty else { throw UsageError("--quick and --only cannot be used together. Remove one of them.") }
        return declared
    }

    /// Returns the seed of the order.
    ///
    /// It is always printed, so that a failure that depends on the order can be repeated.
    private static func seed(_ invocation: Invocation, _ terminal: Terminal) throws(UsageError) -> UInt64? {
        guard let text = invocation["shuffle"] else { return nil }
        let drawn = SystemRandomness().bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let seed = text == "new" ? drawn : UInt64(text) else {
            throw UsageError(
                "invalid value \"\(text)\" for --shuffle: expected a whole number from 0 to \(UInt64.max), or \"new\".")
        }
        terminal.tell("lockstep: to repeat this order, add --shuffle \(seed)")
        return seed
    }

    /// The number of concurrent worlds.
    ///
    /// Each one uses up to 40 files and sockets, and checks fail if there are too few.
    private static var worldsAtATime: Int { min(8, max(1, (OpenFiles.limit - 64) / 40)) }

    /// Runs the suite, or a part of it, and shows the progress.
    static func check(on harnesses: [any Harness], only ids: [String], seed: UInt64? = nil, _ terminal: Terminal)
        async throws(UsageError)
        -> ContractReport
    {
        let contracts = try contracts(named: ids)
        let clock = SystemClock()
        let start = clock.uptime
        let report = await ContractReport.run(contracts, on: harnesses, width: worldsAtATime, seed: seed) { done, all in
            let left = (clock.uptime - start) * (all - done) / max(1, done)
            let rest = done < 20 ? "" : ", \(left.components.seconds) s left"
            terminal.progress("\(contracts.count) contracts in all variants: \(done) of \(all) checks\(rest)")
        }
        terminal.endProgress()
        return report
    }

    /// Returns the contracts with one of these ids or prefixes; without ids, all contracts.
    private static func contracts(named ids: [String]) throws(UsageError) -> [Contract<World>] {
        let contracts = Catalog.all.filter { contract in
            ids.isEmpty || ids.contains { contract.id == $0 || contract.id.hasPrefix($0 + ".") }
        }
        guard contracts.isEmpty else { return contracts }
        let known = Catalog.all.map(\.id)
        throw UsageError("there is no contract \"\(ids.listedAsChoice)\"." + known.suggestion(for: ids.first ?? ""))
    }

    /// Prints ids and sentences of contracts.
    private static func list(_ contracts: [Contract<World>], _ invocation: Invocation, _ terminal: Terminal) throws {
        switch invocation["format"] ?? "text" {
        case "json":
            let list = contracts.map { contract -> JSON in
                [
                    "id": .string(contract.id), "promise": .string(contract.statement),
                    "appliesTo": .string(contract.demands.appliesTo.description),
                ]
            }
            let document: JSON = ["version": .int(Comparison.formatVersion), "contracts": .array(list)]
            try terminal.print(document.text(.indented))
        case "text":
            let lines = contracts.flatMap { contract in
                [terminal.paint.bold(contract.id)] + contract.statement.wrapped(terminal.width - 4, first: "    ", rest: "    ")
            }
            try terminal.print(lines.joined(separator: "\n"))
        case let format: throw UsageError("invalid value \"\(format)\" for --format: with --list, expected text or json.")
        }
    }
}
