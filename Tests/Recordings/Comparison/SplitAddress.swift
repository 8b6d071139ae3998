internal import LockstepPrimitives

/// An address in its parts, as in the recordings.
struct SplitAddress {
    let json: JSON

    init(_ text: String) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let pieces = (parts.first ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        json = [
            "base": .string(String(pieces.first ?? "")), "query": Self.form(pieces.count == 2 ? pieces[1] : ""),
            "fragment": Self.form(parts.count == 2 ? parts[1] : ""),
        ]
    }

    private static func form(_ text: Substring) -> JSON {
        .object(JSONObject((Percent.decodeForm(text) ?? []).map { ($0.name, .string($0.value)) }))
    }
}
