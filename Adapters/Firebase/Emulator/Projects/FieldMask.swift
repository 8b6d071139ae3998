internal import LockstepPrimitives

/// The members of a message that a change applies to: `a.b,c`.
struct FieldMask {
    private let paths: [[Substring]]

    init(_ text: String) {
        paths = text.split(separator: ",").map { $0.split(separator: ".") }
    }

    /// `target` with the members of `change` that the mask names; members that `change` lacks stay as they are.
    func applied(_ change: JSONObject, to target: JSONObject) -> JSONObject {
        paths.reduce(into: target) { target, path in Self.apply(path[...], change, to: &target) }
    }

    private static func apply(_ path: ArraySlice<Substring>, _ change: JSONObject, to target: inout JSONObject) {
        guard let name = path.first.map(String.init), let value = change[name], !value.isNull else { return }
        if path.count == 1 { return target[name] = value }
        guard let inner = value.object else { return }
        var members = target[name]?.object ?? [:]
        apply(path.dropFirst(), inner, to: &members)
        target[name] = .object(members)
    }
}
