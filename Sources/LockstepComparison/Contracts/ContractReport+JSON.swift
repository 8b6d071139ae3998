internal import LockstepContracts
package import LockstepPrimitives

extension ContractReport {
    /// The report as JSON, with one entry for each contract and its verdict on each provider.
    package var json: JSONObject {
        [
            "version": .int(Comparison.formatVersion),
            "providers": .array(providers.map { .string($0) }),
            "contracts": .array(entries.map { .object(json(of: $0)) }),
            "summary": .object(summaryJSON),
        ]
    }

    private func json(of entry: Entry) -> JSONObject {
        [
            "id": .string(entry.contract.id),
            "promise": .string(entry.contract.statement),
            "appliesTo": .string(entry.contract.demands.appliesTo.description),
            "verdicts": .object(
                JSONObject(providers.enumerated().map { column, name in (name, .object(json(of: entry, column))) })),
        ]
    }

    private func json(of entry: Entry, _ column: Int) -> JSONObject {
        let verdict = entry.verdict(column)
        var object: JSONObject = ["verdict": .string(verdict.name)]
        object["declared"] = entry.declared(column).map { .string($0) }
        object["reason"] = verdict.reason.map { .string($0) }
        object["variants"] = .array(
            entry.outcomes[column].map { outcome in
                var variant: JSONObject = ["name": .string(outcome.variant), "verdict": .string(outcome.verdict.name)]
                variant["declared"] = outcome.declared.map { .string($0) }
                variant["reason"] = outcome.verdict.reason.map { .string($0) }
                return .object(variant)
            })
        return object
    }

    /// For each provider, the number of contracts for each verdict.
    package var summaryJSON: JSONObject {
        JSONObject(
            providers.enumerated().map { column, name in
                (
                    name,
                    .object(
                        JSONObject(
                            Verdict.names.map { ($0, .int(Int64(count($0, column)))) }))
                )
            })
    }
}
