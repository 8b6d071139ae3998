extension Catalog {
    /// The catalog of contracts as a Markdown page of the documentation.
    public static var markdown: String {
        var lines = [
            "# Contracts", "",
            "The suite generates this page from its \(all.count + StoreCatalog.all.count) contracts. `lockstep contracts` checks them.",
            "",
        ]
        var theme = ""
        for contract in all {
            let prefix = String(contract.id.prefix { $0 != "." })
            if prefix != theme {
                theme = prefix
                lines += ["", "## \(theme)", "", "| id | contract | applies to |", "|---|---|---|"]
            }
            lines.append(contract.row)
        }
        lines += ["", "## store", "", "| id | contract |", "|---|---|"]
        for contract in StoreCatalog.all { lines.append("| \(contract.id) | \(contract.statement) |") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Contract<World> {
    fileprivate var row: String {
        let applies = [demands.appliesTo.description, demands.condition.map { "if \($0.sentence)" }]
            .compactMap { $0 }.joined(separator: ", ")
        return "| \(id) | \(statement) | \(applies) |"
    }
}
