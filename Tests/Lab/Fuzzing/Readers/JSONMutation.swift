internal import LockstepPrimitives

/// Changes JSON by its structure, like the responses of a broken, hostile or different backend.
struct JSONMutation {
    let dice: Dice
    /// Values of other responses, for wrong places.
    var strangers: [JSON] = []
    /// Texts of the request, which servers quote.
    var echoes: [String] = []

    private static let numbers: [JSON] = [
        .int(.max), .int(.min), .int(.max - 1), .int(.min + 1), 0, -1, 1, 100_000_000_000_000_000, -100_000_000_000_000_000,
        10_000_000_000_000_000, .int(Int64(Int32.max) + 1), .double(1e300), .double(-1e300), .double(0.0001), .double(1e18),
    ]

    /// The value with one place changed.
    func mutated(_ value: JSON) -> JSON {
        var left = dice.roll(Self.count(value))
        return changed(value, &left)
    }

    private static func count(_ value: JSON) -> Int {
        switch value {
        case .object(let object): object.reduce(1) { $0 + count($1.value) }
        case .array(let elements): elements.reduce(1) { $0 + count($1) }
        default: 1
        }
    }

    /// Continues to the selected place, where `left` is zero.
    private func changed(_ value: JSON, _ left: inout Int) -> JSON {
        defer { left -= 1 }
        if left == 0 { return replaced(value) }
        switch value {
        case .object(let object):
            var members: [(String, JSON)] = []
            for (name, member) in object {
                left -= 1
                members.append((name, changed(member, &left)))
                left += 1
                if left < 0 { left = .min / 2 }
            }
            return .object(JSONObject(members))
        case .array(let elements):
            return .array(
                elements.map { element in
                    left -= 1
                    let element = changed(element, &left)
                    left += 1
                    if left < 0 { left = .min / 2 }
                    return element
                })
        default: return value
        }
    }

    private func replaced(_ value: JSON) -> JSON {
        switch dice.roll(14) {
        case 0: return .null
        case 1, 2: return dice.pick(Self.numbers)
        case 3: return dice.pick(HostileValues.json)
        case 4: return strangers.isEmpty ? .null : dice.pick(strangers)
        case 5: return echoes.isEmpty ? "" : .string(dice.pick(echoes))
        case 6: return nested(value)
        case 7:
            return .string(String(repeating: dice.pick(["a", "é", "\u{0}", "1", "."]), count: dice.pick([1, 7, 300, 20_000])))
        case 8: return .array(Array(repeating: value, count: dice.pick([0, 1, 2, 40])))
        default: return another(value)
        }
    }

    /// A value of the same kind that a reader does not expect.
    private func another(_ value: JSON) -> JSON {
        switch value {
        case .object(let object):
            var members = object.map { ($0.name, $0.value) }
            guard !members.isEmpty else { return ["a": 1] }
            let place = dice.roll(members.count)
            switch dice.roll(4) {
            case 0: members.remove(at: place)
            case 1: members[place].0 = dice.pick(members).0
            case 2: members.append(("", .array([])))
            default:
                let other = dice.roll(members.count)
                (members[place].1, members[other].1) = (members[other].1, members[place].1)
            }
            return .object(JSONObject(members))
        case .array(let elements):
            return dice.hits(oneIn: 2) ? .array(elements.reversed()) : .array(Array(elements.dropFirst()))
        case .int, .double: return dice.pick(Self.numbers)
        case .string(let text): return .string(another(text))
        case .bool(let flag): return .bool(!flag)
        case .null: return dice.pick(HostileValues.json)
        }
    }

    private func another(_ text: String) -> String {
        if let claims = CompactToken.unverifiedClaims(of: text) {
            var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            parts[1] = Base64.encode(mutated(.object(claims)).bytes(), .url)
            return parts.joined(separator: ".")
        }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return dice.pick(Self.numbers).text() }
        return dice.hits(oneIn: 3) ? dice.pick(HostileValues.texts) : TextMutation(dice: dice).mutated(text)
    }

    private func nested(_ value: JSON) -> JSON {
        var value = value
        for _ in 0..<dice.pick([1, 5, 70, 300]) { value = dice.hits(oneIn: 2) ? [value] : ["a": value] }
        return value
    }
}

/// Changes texts and bytes, whatever they mean.
struct TextMutation {
    let dice: Dice

    private static let pieces = [
        "%", "%00", "%zz", "&", "=", "?", "#", "/", "//", "..", "\\", ":", "@", ".", "\u{0}", "\u{fffd}", "é", "e\u{301}", "🧨",
        " ",
        "\r\n", "-", "9", "code=", "code=a&code=b", "&error=access_denied", "#access_token=a", "[", "]",
    ]

    func mutated(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        for _ in 0..<(1 + dice.roll(3)) {
            let place = dice.roll(scalars.count + 1)
            switch dice.roll(5) {
            case 0 where place < scalars.count: scalars.remove(at: place)
            case 1 where place < scalars.count: scalars.swapAt(place, dice.roll(scalars.count))
            case 2: scalars.removeSubrange(place...)
            case 3: scalars.insert(contentsOf: scalars.prefix(dice.roll(20)), at: place)
            default: scalars.insert(contentsOf: dice.pick(Self.pieces).unicodeScalars, at: place)
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Bytes that can be invalid JSON.
    func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let place = dice.roll(bytes.count + 1)
        switch dice.roll(9) {
        case 0: return Array(bytes.prefix(place))
        case 1 where place < bytes.count: bytes[place] ^= UInt8(1 << dice.roll(8))
        case 2:
            bytes.insert(
                contentsOf: dice.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0], [0xef, 0xbb, 0xbf]]), at: place)
        case 3: return []
        case 4: return [0xef, 0xbb, 0xbf] + bytes
        case 5: return bytes + bytes
        case 6:
            // A repeated name, and a number with more digits than any type has.
            guard let start = bytes.firstIndex(of: UInt8(ascii: "{")) else { return bytes }
            bytes.insert(contentsOf: Array(#""expires_in":1,"expires_in":99999999999999999999999,"#.utf8), at: start + 1)
        case 7: return Array(String(repeating: dice.pick(["[", "{\"a\":", "\"", "1"]), count: dice.pick([1, 100, 5000])).utf8)
        default: return Array("<!doctype html><title>Welcome</title>".utf8)
        }
        return bytes
    }
}
