import LockstepComparison
import LockstepContracts
import LockstepPrimitives

extension Command {
    /// The command `lockstep compare`.
    static let compare = Command(
        name: "compare",
        summary: "drive the same journeys through every provider and show what differs",
        about: """
            Starts an emulator of each provider on this machine, walks the same journeys through the same client, and prints side by
            side what each backend made of them. A cell was seen in this run, or is marked as declared: then a promise of the contract
            suite checks it, and those promises are checked at the end. Nothing leaves the machine.
            """,
        options: [
            Option("providers", .choices("NAME,…", Providers.names), "which providers; all by default"),
            Option(
                "journeys", .choices("ID,…", Journey.all.map(\.id)),
                "which journeys: " + Journey.all.map(\.id).joined(separator: ", ")),
            Option("from", .choice(Providers.names), "with --to: only what changes for an app that moves; no promise is checked"),
            Option("to", .choice(Providers.names), "where the app moves to"),
            Option("format", .choice(["table", "json", "markdown", "html"]), "how it is printed; a table by default"),
            EventRecord.option,
            Option("no-promises", .none, "leave out the check of what the providers declare"),
            Option("all-promises", .none, "check the whole contract suite at the end, and not only what the providers declare"),
            Option("fail-on-differences", .none, "end with status 3 where anything differs, or changes by the move"),
        ],
        examples: [
            Example(line: "lockstep compare", meaning: "all journeys, all providers"),
            Example(
                line: "lockstep compare --from firebase --to gotrue", meaning: "what changes for an app that moves, worst first"),
            Example(line: "lockstep compare --journeys sign-up,token --format json", meaning: "two journeys, for a program"),
        ],
        failure: "a journey broke off, or a promise is broken or could not be checked"
    ) { invocation, terminal in
        let move = try Move(invocation)
        guard !invocation.has("no-promises") || !invocation.has("all-promises") else {
            throw UsageError("--no-promises and --all-promises contradict each other: leave one of them out.")
        }
        let chosen = invocation.list("journeys")
        let journeys = chosen.isEmpty ? Journey.all : Journey.all.filter { chosen.contains($0.id) }
        let events = try EventRecord(invocation, terminal)
        let named = Providers.harnesses(named: move.map { [$0.source, $0.target] } ?? invocation.list("providers"))
        let harnesses = events?.told(by: named) ?? named
        // A move has its two ends in their order.
        let ordered =
            move.map { move in harnesses.sorted { $0.name == move.source && $1.name != move.source } } ?? harnesses
        let comparison = await Comparison.run(journeys, on: ordered, isMove: move != nil) { provider, journey in
            terminal.progress("\(provider): \(journey.title)")
        }
        terminal.endProgress()
        events?.save()
        for problem in comparison.problems {
            terminal.tell("\(problem.provider) broke off on \(problem.journey): \(problem.reason)")
        }
        let format = invocation["format"] ?? "table"
        if let move {
            let changes = comparison.changes(from: move.source, to: move.target)
            switch format {
            case "json": try terminal.print(JSON.object(comparison.json(from: move.source, to: move.target)).text(.indented))
            case "markdown": try terminal.print(changes.markdown(from: move.source, to: move.target))
            case "html": try terminal.print(changes.html(from: move.source, to: move.target))
            default:
                try terminal.print(changes.text(from: move.source, to: move.target, width: terminal.width, paint: terminal.paint))
            }
            guard comparison.problems.isEmpty else { return .failure }
            return changes.contains(where: \.isDifference) && invocation.has("fail-on-differences") ? .differences : .success
        }
        // What is declared is in the report: this run finds out whether it is so. The rest is for `lockstep contracts`.
        let declaring = invocation.has("all-promises") ? [] : Catalog.all.filter { $0.declared != nil }.map(\.id)
        let report = invocation.has("no-promises") ? nil : try await promises(on: named, only: declaring, terminal)
        switch format {
        case "json":
            var json = comparison.json
            if let report { json["promises"] = .object(report.summaryJSON) }
            try terminal.print(JSON.object(json).text(.indented))
        case "markdown": try terminal.print(comparison.markdown + (report.map { "\n" + $0.summaryMarkdown } ?? ""))
        case "html": try terminal.print(comparison.html(with: report))
        default:
            try terminal.print(comparison.table(width: terminal.width, paint: terminal.paint))
            if let report { try terminal.print(report.summary(width: terminal.width, paint: terminal.paint)) }
        }
        if !comparison.problems.isEmpty || report?.isSuccess == false { return .failure }
        let differs = comparison.rows.contains { !$0.differences.isEmpty } || !comparison.declaredDifferences.isEmpty
        return differs && invocation.has("fail-on-differences") ? .differences : .success
    }

    /// The two ends of a move, where one is asked for.
    private struct Move {
        let source: String
        let target: String

        init?(_ invocation: Invocation) throws(UsageError) {
            switch (invocation["from"], invocation["to"]) {
            case (nil, nil): return nil
            case (let source?, let target?):
                guard source != target else { throw UsageError("--from and --to name the same provider: nothing would change.") }
                guard !invocation.has("providers") else {
                    throw UsageError("--from and --to name the providers already: leave --providers out.")
                }
                for option in ["no-promises", "all-promises"] where invocation.has(option) {
                    throw UsageError("--from and --to check no promises: leave --\(option) out.")
                }
                self.source = source
                self.target = target
            default: throw UsageError("--from and --to go together: name both providers.")
            }
        }
    }
}
