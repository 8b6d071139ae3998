import Foundation
import LockstepPrimitives

/// A `<…>` of a recording, which stands for whatever is of its kind.
struct Placeholder {
    private let name: Substring
    private let argument: Substring?

    private static let names: Set = [
        "any", "uuid", "timestamp", "epoch", "epoch-string", "int", "number", "url", "opaque", "digits", "prefix", "base64url",
    ]

    init?(_ text: String) {
        guard text.hasPrefix("<"), text.hasSuffix(">") else { return nil }
        let parts = text.dropFirst().dropLast().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, Self.names.contains(String(first)) else { return nil }
        name = first
        argument = parts.count == 2 ? parts[1] : nil
    }

    func stands(for got: JSON, _ bindings: Bindings, _ now: Instant) -> Bool {
        let text = got.string ?? ""
        switch name {
        case "any": return true
        case "uuid": return UUID(uuidString: text) != nil && text == text.lowercased()
        case "opaque": return !text.isEmpty && (argument == nil || text.count == Int(argument ?? ""))
        case "digits": return text.count == Int(argument ?? "") && text.allSatisfy(\.isNumber)
        case "prefix": return text.hasPrefix(argument ?? "")
        case "url": return text.contains("://")
        case "int": return got.int != nil
        case "number": return got.double != nil
        case "base64url":
            let bytes = Base64.decode(text, .url) ?? []
            return String(decoding: bytes, as: UTF8.self) == bindings.filled(String(argument ?? ""))
        default: return isTime(got, now)
        }
    }

    private func isTime(_ got: JSON, _ now: Instant) -> Bool {
        let time: Double? =
            switch name {
            case "epoch": got.int.map(Double.init)
            case "epoch-string": got.string.flatMap { Double($0) }
            default: got.string.flatMap(Self.seconds)
            }
        guard let time else { return false }
        guard let offset = argument.flatMap({ Double($0) }) else { return true }
        return abs(time - Double(now.milliseconds) / 1000 - offset) <= 5
    }

    private static func seconds(_ text: String) -> Double? {
        let hasFraction = text.contains(".")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
        return (try? Date(text, strategy: style))?.timeIntervalSince1970
    }
}
