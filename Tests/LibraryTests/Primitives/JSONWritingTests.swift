import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite struct JSONWritingTests {
    @Test func writesCompactly() {
        let value: JSON = ["a": [1, -2, 0.5, true, nil], "b": [:], "c": [], "d": .int(.min), "e": 1e300, "f": .double(3)]
        #expect(value.text() == #"{"a":[1,-2,0.5,true,null],"b":{},"c":[],"d":-9223372036854775808,"e":1e+300,"f":3}"#)
    }

    @Test func writesIndented() {
        let value: JSON = ["a": [1, ["b": []]], "c": [:]]
        #expect(value.text(.indented) == "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}")
    }

    @Test func escapesOnlyRequiredCharacters() {
        let text: JSON = "\"\\/\n\r\t\u{08}\u{0c}\u{01}\u{1f}\u{7f}<>&é\u{2028}😀\r\n"
        #expect(text.text() == #""\"\\/\n\r\t\b\f\u0001\u001f"# + "\u{7f}<>&é\u{2028}😀" + #"\r\n""#)
    }

    @Test func escapesForHTMLLikeGo() {
        #expect(
            JSON.string("<a&b>€\u{2028}\u{2029}").text(JSON.Style(escapesHTML: true)) == #""\u003ca\u0026b\u003e€\u2028\u2029""#)
    }

    @Test func unrepresentableNumbersBecomeNull() {
        #expect(JSON.array([.double(.infinity), .double(-.infinity), .double(.nan)]).text() == "[null,null,null]")
    }

    @Test(arguments: 0..<40)
    func writtenValuesAreReadUnchanged(seed: Int) throws {
        let value = JSON.arbitrary(SeededRandomness(seed: UInt64(seed)))
        for style in [JSON.Style.compact, .indented, JSON.Style(escapesHTML: true)] {
            let bytes = value.bytes(style)
            let back = try JSON.parse(bytes, rules: JSON.ReadingRules(repeatedNames: .refused))
            #expect(back == value)
            #expect(back.bytes(style) == bytes)
        }
    }

    @Test(arguments: 0..<40)
    func damagedTextsNeverTrap(seed: Int) {
        let randomness = SeededRandomness(seed: UInt64(seed) + 1000)
        let whole = JSON.arbitrary(randomness).bytes()
        for _ in 0..<200 {
            var bytes = whole
            let dice = randomness.bytes(4)
            let place = (Int(dice[0]) << 8 | Int(dice[1])) % bytes.count
            switch dice[2] % 3 {
            case 0: bytes[place] = dice[3]
            case 1: bytes.remove(at: place)
            default: bytes.removeSubrange(place...)
            }
            do {
                let value = try JSON.parse(bytes)
                // A value that is accepted despite the damage is like any other.
                #expect((try? JSON.parse(value.bytes()).bytes()) == value.bytes())
            } catch {
                #expect((0...bytes.count).contains(error.offset))
            }
        }
    }
}

extension JSON {
    /// A value that `randomness` chooses.
    fileprivate static func arbitrary(_ randomness: some Randomness, depth: Int = 0) -> JSON {
        let dice = randomness.bytes(10)
        let count = Int(dice[1] % 6)
        switch dice[0] % (depth < 5 ? 9 : 5) {
        case 0: return .null
        case 1: return .bool(dice[1] > 127)
        case 2: return .int(dice[2...].reduce(Int64(0)) { $0 << 8 | Int64($1) } >> Int64(dice[1] % 64))
        case 3:
            let value = Double(bitPattern: dice[2...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            return value.isFinite && value.rounded() != value ? .double(value) : .double(0.25)
        case 4: return .string(arbitraryText(randomness, count))
        case 5, 6: return .array((0..<count).map { _ in arbitrary(randomness, depth: depth + 1) })
        default:
            let names = (0..<count).map { "\($0)" + arbitraryText(randomness, 3) }
            return .object(JSONObject(names.map { ($0, arbitrary(randomness, depth: depth + 1)) }))
        }
    }

    private static func arbitraryText(_ randomness: some Randomness, _ count: Int) -> String {
        var text = ""
        for _ in 0..<count {
            let dice = randomness.bytes(4)
            let range: UInt32 = [0x80, 0x80, 0x800, 0x11_0000][Int(dice[0] % 4)]
            let code = dice[1...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % range
            text.unicodeScalars.append(Unicode.Scalar(code) ?? "\u{2028}")
        }
        return text
    }
}
