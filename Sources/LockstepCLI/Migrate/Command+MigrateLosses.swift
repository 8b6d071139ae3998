import LockstepComparison
import LockstepMigration
import LockstepPrimitives

extension Command {
    /// The command `lockstep migrate losses`.
    static let migrateLosses = Command(
        name: "migrate losses",
        summary: "list what a move between two providers loses by nature",
        about: """
            Lists the values that the target cannot store, or the source does not return, whatever the choices in move.json are. \
            Sends no request, and needs no move.json. lockstep migrate plan counts the users who have such values. GoTrue is read and \
            written in its database, and Clerk is read with an export of its Dashboard, unless the option --api-only is given.
            """,
        options: [
            Option("from", .choice(MoveProvider.names), "the source (default: firebase)"),
            Option("to", .choice(MoveProvider.names), "the target (default: gotrue, or firebase for a source gotrue)"),
            Option("api-only", .none, "use only the APIs, without GoTrue's database and Clerk's export"),
            Option("format", .choice(["text", "json"]), "output format (default: text)"),
        ],
        examples: [
            Example(line: "lockstep migrate losses --from firebase --to clerk", meaning: "what Clerk does not take"),
            Example(line: "lockstep migrate losses --api-only --format json", meaning: "without GoTrue's database, as JSON"),
        ]
    ) { invocation, terminal in
        let from = invocation["from"] ?? MoveProvider.firebase.name
        let target = invocation["to"].flatMap(MoveProvider.named) ?? MoveProvider.other(than: from)
        guard let source = MoveProvider.named(from), source.name != target.name else {
            throw UsageError("a move needs two different providers. Choose them with --from and --to.")
        }
        let losses = try MoveLosses(from: source, to: target, isAPIOnly: invocation.has("api-only"))
        if invocation["format"] == "json" {
            let json: JSON = ["version": .int(Comparison.formatVersion), "losses": losses.json(source, target)]
            try terminal.print(json.text(.indented))
        } else {
            try terminal.print("from \(source.title) to \(target.title)\n" + losses.text)
        }
        return .success
    }
}

extension MoveLosses {
    /// Lists the losses between two providers.
    init(from source: MoveProvider, to target: MoveProvider, isAPIOnly: Bool = false) throws {
        let side = try source.nature(isAPIOnly)
        self.init(from: side.source, holding: side.holdings, to: try target.nature(isAPIOnly).target)
    }

    /// The table for a person.
    fileprivate var text: String {
        let width = all.map(\.value.count).max() ?? 0
        return all.flatMap { loss in
            let head = loss.value + String(repeating: " ", count: width + 2 - loss.value.count)
            return PlanSummary.wrapped(head, "\(loss.fate.words): \(loss.reason)", indent: head.count)
        }.joined(separator: "\n") + "\n"
    }

    fileprivate func json(_ source: MoveProvider, _ target: MoveProvider) -> JSON {
        [
            "from": .string(source.name), "to": .string(target.name),
            "values": .array(
                all.map { ["value": .string($0.value), "fate": .string($0.fate.rawValue), "reason": .string($0.reason)] }),
        ]
    }
}

extension MoveLosses.Fate {
    /// The word in tables.
    var words: String {
        switch self {
        case .refused: "refused"
        case .lost: "lost"
        case .lazy: "set again"
        case .otherWay: "another way"
        case .file: "file"
        }
    }
}
