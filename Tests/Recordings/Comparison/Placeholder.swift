internal import LockstepPrimitives

/// A `<…>` of a recording, which matches any value of its kind.
///
/// `<base64url:…>` is not a placeholder: its content is compared.
struct Placeholder {
    private let name: Substring
    private let argument: Substring?

    private static let plain: Set<Substring> = ["any", "uuid", "timestamp", "epoch", "int", "number", "url", "opaque"]

    /// Other text in brackets is ordinary text.
    init?(_ text: String) {
        guard text.hasPrefix("<"), text.hasSuffix(">"), text.utf8.count > 2 else { return nil }
        let parts = text.dropFirst().dropLast().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        name = parts[0]
        argument = parts.count == 2 ? parts[1] : nil
        let isName = !name.isEmpty && name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
        guard argument == nil ? Self.plain.contains(name) : isName else { return nil }
    }

    /// - `holdsLengths`: whether `<opaque:N>` must have N characters.
    func stands(for got: JSON, at now: Instant, holdsLengths: Bool) -> Bool {
        let text = got.string ?? ""
        switch (name, argument) {
        case ("any", nil): return true
        case ("uuid", nil): return Self.isUUID(text)
        case ("opaque", let length):
            guard let length else { return !text.isEmpty }
            return Int(length) != nil && (holdsLengths ? text.count == Int(length) : !text.isEmpty)
        case ("digits", let length?): return text.utf8.count == Int(length) && text.utf8.allSatisfy { (48...57).contains($0) }
        case ("prefix", let start?): return got.string != nil && text.hasPrefix(start)
        case ("url", nil): return text.contains("://")
        case ("int", nil): return got.int != nil
        case ("number", nil): return got.double != nil
        case ("timestamp", nil): return Instant(rfc3339: text) != nil
        case ("epoch", nil): return got.int.map { (1_000_000_001..<4_000_000_000).contains($0) } ?? false
        default: return isTime(got, now)
        }
    }

    /// Within five seconds of this many seconds after the server's time.
    private func isTime(_ got: JSON, _ now: Instant) -> Bool {
        let digits = got.string.flatMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Double($0) : nil }
        let time: Double? =
            switch name {
            case "epoch": got.int.map(Double.init)
            case "epoch-string": digits
            case "millis": got.int.map { Double($0) / 1000 }
            case "millis-string": digits.map { $0 / 1000 }
            case "timestamp": got.string.flatMap { Instant(rfc3339: $0) }.map { Double($0.milliseconds) / 1000 }
            default: nil
            }
        guard let time, let argument, let offset = Int64(argument) else { return false }
        return abs(time - Double(now.milliseconds) / 1000 - Double(offset)) <= 5
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) } }
    }
}
