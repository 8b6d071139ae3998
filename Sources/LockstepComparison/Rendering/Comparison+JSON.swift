internal import LockstepContracts
@_exported public import LockstepPrimitives

extension Comparison {
    /// The version of the JSON that is printed: it grows when a member changes its meaning or goes away.
    public static let formatVersion: Int64 = 1

    /// For programs: an interface with a version.
    public var json: JSONObject {
        [
            "version": .int(Self.formatVersion),
            "providers": .array(providers.map { .string($0) }),
            "journeys": .array(rows.map { .object(json(of: $0)) }),
        ]
    }

    private func json(of row: Row) -> JSONObject {
        [
            "id": .string(row.journey.id),
            "title": .string(row.journey.title),
            "providers": .object(JSONObject(zip(providers, row.runs).map { ($0, .object(json(of: $1))) })),
            "differences": .array(
                row.differences.map { difference in
                    [
                        "step": .string(difference.observation),
                        "weight": .string(difference.weight),
                        "values": .object(
                            JSONObject(providers.compactMap { name in difference.values[name].map { (name, .string($0)) } })),
                        "sentences": .array(difference.sentences.map { .string($0) }),
                    ]
                }),
        ]
    }

    private func json(of run: JourneyRun) -> JSONObject {
        [
            "offered": .bool(run.isOffered),
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

    /// What changes for an app that moves, for programs.
    public func json(from source: String, to target: String) -> JSONObject {
        [
            "version": .int(Self.formatVersion),
            "from": .string(source),
            "to": .string(target),
            "changes": .array(
                changes(from: source, to: target).map { change in
                    [
                        "journey": .string(change.journey), "step": .string(change.observation), "weight": .string(change.weight),
                        "before": .string(change.before), "after": .string(change.after), "advice": .string(change.advice),
                    ]
                }),
        ]
    }
}
