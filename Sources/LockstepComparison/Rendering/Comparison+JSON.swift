internal import LockstepContracts
@_exported public import LockstepPrimitives

extension Comparison {
    /// The version of the JSON format.
    ///
    /// The version increases when a member is removed, or when the meaning of a member changes.
    package static let formatVersion: Int64 = 3

    /// The comparison as JSON with a version.
    ///
    /// docs/json.md describes the members.
    package var json: JSONObject {
        [
            "version": .int(Self.formatVersion),
            "providers": .array(providers.map { .string($0) }),
            "variants": .object(JSONObject(zip(providers, configurations).map { ($0, .array($1.map(\.json))) })),
            "journeys": .array(rows.map { .object(json(of: $0)) }),
            "declared": .array(declaredDifferences.map { .object(json(of: $0)) }),
        ]
    }

    private func json(of difference: Difference) -> JSONObject {
        [
            "step": .string(difference.observation),
            "weight": .string(difference.weight),
            "values": .object(
                JSONObject(providers.compactMap { name in difference.values[name].map { (name, .string($0)) } })),
            "notes": .array(
                difference.notes.map { ["text": .string($0.text), "call": $0.call.map { .string($0) } ?? .null] }),
        ]
    }

    private func json(of row: Row) -> JSONObject {
        [
            "id": .string(row.journey.id),
            "title": .string(row.journey.title),
            "providers": .object(JSONObject(zip(providers, row.runs).map { ($0, .object(json(of: $1))) })),
            "differences": .array(row.differences.map { .object(json(of: $0)) }),
        ]
    }

    private func json(of run: JourneyRun) -> JSONObject {
        [
            "variant": .string(run.configuration),
            "steps": .array(
                run.observations.map {
                    ["name": .string($0.name), "value": .string($0.value), "requests": .int(Int64($0.requests))]
                }),
            "requests": .int(Int64(run.totals.requests)),
            "bytes": ["up": .int(Int64(run.totals.bytesUp)), "down": .int(Int64(run.totals.bytesDown))],
            "milliseconds": .int(run.totals.milliseconds),
            "state": run.state.map { .string($0) } ?? .null,
            "problem": run.problem.map { .string($0) } ?? .null,
        ]
    }

    /// Returns the changes for an app that moves from one provider to another, as JSON.
    ///
    /// - Parameters:
    ///   - source: The name of the old provider, which the app leaves.
    ///   - target: The name of the new provider.
    /// - Returns: The JSON object.
    package func json(from source: String, to target: String) -> JSONObject {
        let changes = changes(from: source, to: target)
        func list(_ isIn: (Change) -> Bool) -> JSON { .array(changes.filter(isIn).map { .object($0.json) }) }
        return [
            "version": .int(Self.formatVersion),
            "verdict": .array(report(from: source, to: target).verdict.map { .string($0) }),
            "from": .string(source),
            "to": .string(target),
            "changes": list(\.isDifference),
            "bySetting": list { $0.kind == .setting },
            "wayBack": list { $0.kind == .wayBack },
        ]
    }
}

extension Change {
    fileprivate var json: JSONObject {
        [
            "kind": .string(kind.rawValue), "journey": journey.map { .string($0) } ?? .null, "step": .string(observation),
            "weight": .string(weight),
            "cost": .int(Int64(effect.cost.points)), "effort": .string(effect.effort.rawValue), "before": .string(before),
            "after": .string(after),
            "consequence": .string(effect.consequence), "advice": .string(effect.action),
            "call": effect.call.map { .string($0) } ?? .null, "evidence": .string(evidence),
            "seen": .array(seen.map { .string($0) }), "settings": .array(settings.map(\.json)),
        ]
    }
}

extension Setting {
    fileprivate var json: JSON {
        [
            "provider": .string(provider), "variant": .string(variant), "step": .string(subject), "value": .string(words),
        ]
    }
}

extension Configuration {
    fileprivate var json: JSON {
        [
            "name": .string(name), "summary": .string(summary),
            "declares": .object(JSONObject(statements.map { ($0.name, .string($0.value)) })),
        ]
    }
}
