internal import LockstepPrimitives

/// A form or a query like Go's `url.Values`: names are sorted when it is written, and a space is a plus sign.
struct GoForm {
    private(set) var values: [ExactString: [String]] = [:]

    init() {}

    init(_ pairs: [(name: String, value: String)]) {
        for (name, value) in pairs { values[name.exact, default: []].append(value) }
    }

    init(parsing text: String) {
        for part in text.pieces(at: "&") {
            guard let pairs = Percent.decodeForm(part) else { continue }
            for (name, value) in pairs { values[name.exact, default: []].append(value) }
        }
    }

    subscript(name: String) -> String { values[name.exact]?.first ?? "" }

    mutating func set(_ name: String, _ value: String) { values[name.exact] = [value] }

    mutating func remove(_ name: String) { values[name.exact] = nil }

    var text: String {
        values.sorted { $0.key < $1.key }.flatMap { name, values in
            values.map { Self.escape(name.text) + "=" + Self.escape($0) }
        }.joined(separator: "&")
    }

    static func escape(_ text: String) -> String {
        Percent.encode(text).replacing("%20", with: "+")
    }
}
