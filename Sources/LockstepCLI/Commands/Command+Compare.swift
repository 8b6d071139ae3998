import LockstepComparison
import LockstepContracts
import LockstepPrimitives

extension Command {
    /// The command `lockstep compare`.
    static let compare = Command(
        name: "compare",
        summary: "run an app's journeys on each provider, and compare the results",
        about: """
            Starts an emulator of each provider on this machine, and runs the same journeys through the same client. The \
            report begins with what each move changes, and the most expensive differences. With --from and --to, it begins with a \
            verdict: what users notice, the work, and what is not possible. Each value was measured in this run, or was declared \
            by an adapter and checked by a contract. Nothing leaves the machine.
            """,
        operands: .providers,
        options: [
            Option(
                "journeys", .choices("ID,…", Journey.all.map(\.id)),
                "journeys to run (default: all): " + Journey.all.map(\.id).joined(separator: ", ")),
            Option("from", .choice(Providers.names), "with --to: what a move of an app costs"),
            Option("to", .choice(Providers.names), "the provider that the app moves to"),
            Option("all", .none, "with --from and --to: print all changes, not only the most important ones"),
            Option("verbose", .none, "without --from and --to: print every step of every journey"),
            Option("format", .choice(["text", "json", "markdown", "html"]), "output format (default: text)", in: .output),
        ] + ReportFiles.options("json", "html", "markdown") + [
            EventRecord.option,
            Option("no-contracts", .none, "skip the contracts that check declared values"),
            Option("all-contracts", .none, "check all contracts at the end"),
            Option("fail-on-differences", .none, "exit with status 3 if anything differs or changes"),
        ],
        examples: [
            Example(line: "lockstep compare", meaning: "all journeys, all providers"),
            Example(
                line: "lockstep compare --from firebase --to gotrue",
                meaning: "what the move of an app costs"),
            Example(line: "lockstep compare --journeys sign-up --verbose", meaning: "every step of one journey"),
            Example(line: "lockstep compare --html report.html", meaning: "the whole report for a browser"),
        ],
        failure: "a journey failed, a contract is broken, or a contract could not be checked"
    ) { invocation, terminal in
        let move = try Move(invocation)
        guard !invocation.has("no-contracts") || !invocation.has("all-contracts") else {
            throw UsageError("--no-contracts and --all-contracts cannot be used together. Remove one of them.")
        }
        let chosen = invocation.list("journeys")
        let journeys = chosen.isEmpty ? Journey.all : Journey.all.filter { chosen.contains($0.id) }
        let files = try ReportFiles(invocation)
        let events = try EventRecord(invocation, terminal)
        let named = Providers.harnesses(named: move.map { [$0.source, $0.target] } ?? invocation.operands)
        let harnesses = events?.told(by: named) ?? named
        // A move has its two ends in their order.
        let ordered =
            move.map { move in harnesses.sorted { $0.name == move.source && $1.name != move.source } } ?? harnesses
        let comparison = await Comparison.run(
            journeys, on: ordered, isMove: move != nil, triesEveryMove: move == nil && chosen.isEmpty
        ) { provider, journey in
            terminal.progress("\(Providers.title(of: provider)): \(journey.title)")
        }
        terminal.endProgress()
        events?.save()
        for problem in comparison.problems {
            terminal.tell("lockstep: \(problem.provider) failed in the journey \(problem.journey): \(problem.reason)")
        }
        let (width, paint) = (terminal.width, terminal.paint)
        if let move {
            let report = comparison.report(from: move.source, to: move.target)
            func text(_ format: String) -> String {
                switch format {
                case "json": JSON.object(comparison.json(from: move.source, to: move.target)).text(.indented)
                case "markdown": report.markdown(from: .here)
                case "html": report.html(from: .here)
                default: report.text(width: width, isWhole: invocation.has("all"), paint: paint)
                }
            }
            try files.write(text)
            try await terminal.show(text(invocation["format"] ?? "text"))
            guard comparison.problems.isEmpty else { return .failure }
            return report.changes.contains(where: \.isDifference) && invocation.has("fail-on-differences")
                ? .differences : .success
        }
        // The report contains declarations: this run checks that they are true. `lockstep contracts` checks the rest.
        let declaring = invocation.has("all-contracts") ? [] : declared
        let contracts = invocation.has("no-contracts") ? nil : try await check(on: named, only: declaring, terminal)
        func text(_ format: String) -> String {
            switch format {
            case "json":
                var json = comparison.json
                if let contracts { json["contracts"] = .object(contracts.summaryJSON) }
                return JSON.object(json).text(.indented)
            case "markdown": return comparison.markdown(from: .here) + (contracts.map { "\n" + $0.summaryMarkdown } ?? "")
            case "html": return comparison.html(with: contracts, from: .here)
            default:
                var parts = [comparison.summary(width: width, paint: paint)]
                if invocation.has("verbose") { parts.append(comparison.table(width: width, paint: paint)) }
                if let contracts { parts.append(contracts.summary(width: width, paint: paint)) }
                if !invocation.has("verbose") { parts.append(paint.dim(rest(width)) + "\n") }
                return parts.joined(separator: "\n")
            }
        }
        try files.write(text)
        try await terminal.show(text(invocation["format"] ?? "text"))
        if !comparison.problems.isEmpty || contracts?.isSuccess == false { return .failure }
        let differs = comparison.rows.contains { !$0.differences.isEmpty } || !comparison.declaredDifferences.isEmpty
        return differs && invocation.has("fail-on-differences") ? .differences : .success
    }

    /// Returns the hint about the parts that the first screen leaves out.
    private static func rest(_ width: Int) -> String {
        "To see what a move of your app costs, add --from A --to B. To see every step, add --verbose, or --html FILE."
            .wrapped(width, first: "", rest: "").joined(separator: "\n")
    }

    /// The source and the target of a move, if requested.
    private struct Move {
        let source: String
        let target: String

        init?(_ invocation: Invocation) throws(UsageError) {
            switch (invocation["from"], invocation["to"]) {
            case (nil, nil):
                guard !invocation.has("all") else {
                    throw UsageError("--all needs --from and --to. To see every step of all providers, use --verbose.")
                }
                return nil
            case (let source?, let target?):
                guard source != target else {
                    throw UsageError("--from and --to name the same provider \"\(source)\". Choose two different providers.")
                }
                guard invocation.operands.isEmpty else {
                    throw UsageError("--from and --to already name the providers. Remove --provider.")
                }
                guard !invocation.has("verbose") else {
                    throw UsageError(
                        "--from and --to do not print single steps. To see every change, use --all instead of --verbose.")
                }
                for option in ["no-contracts", "all-contracts"] where invocation.has(option) {
                    throw UsageError("--from and --to do not check contracts. Remove --\(option).")
                }
                self.source = source
                self.target = target
            default: throw UsageError("--from and --to must be used together. Give both providers.")
            }
        }
    }
}
