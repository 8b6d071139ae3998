import Foundation
import LockstepPrimitives
import LockstepTestSupport
import Testing

/// Texts that are JSON, nearly JSON, or neither.
///
/// The reader fails only with an error, and agrees with Foundation's reader about valid texts.
@Suite struct JSONFuzzTests {
    private static let samples = [
        #"{"a":[1,-2.5e3,true,false,null],"b":{},"c":[],"d":"x\u00e9\n"}"#, "[]", "{}", "0", "-0.0", "1e5", "\"\\ud83d\\ude00\"",
        #"[[[[{"k":[{"v":"\\\""}]}]]]]"#, "\"é€😀\"", "[0.1,1E-7,12345678901234567890]", "  {\"x\"\t:\r\n1 } ", "null",
    ]
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "0", "1", "-", "+", ".", "e", "E9", "true", "nul", " ", "\n",
        "\u{1}",
        "\u{7f}", "é", "1e400", "NaN", "Infinity", "'", "//", "/**/", "\u{feff}",
    ]

    private static func bytes(_ dice: SeededRandomness) -> [UInt8] {
        func roll(_ count: Int) -> Int { dice.bytes(4).reduce(0) { $0 << 8 | Int($1) } % count }
        var bytes = Array(samples[roll(samples.count)].utf8)
        for _ in 0..<roll(4) {
            let place = roll(bytes.count + 1)
            switch roll(6) {
            case 0: bytes.insert(contentsOf: pieces[roll(pieces.count)].utf8, at: place)
            case 1: if place < bytes.count { bytes.remove(at: place) }
            case 2: if place < bytes.count { bytes[place] = UInt8(roll(256)) }
            case 3: bytes = Array(bytes[..<place])
            case 4: bytes.insert(contentsOf: Array(samples[roll(samples.count)].utf8), at: place)
            default: bytes = Array("[".utf8) + bytes + Array("]".utf8)
            }
        }
        return bytes
    }

    /// Foundation accepts other encodings, too, by a mark at the beginning or the places of NUL.
    private static func isComparable(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0) && ![[0xef], [0xfe], [0xff]].contains(Array(bytes.prefix(1)))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func agreesWithFoundation(_ seed: UInt64) throws {
        let dice = SeededRandomness(seed: seed)
        var valid = 0
        for _ in 0..<2500 {
            let bytes = Self.bytes(dice)
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(JSONError) {
                let value = try JSON.parse(bytes)
                valid += 1
                // A zero can lose its sign, and a whole number its zero fraction.
                if !text.contains("-0") {
                    #expect(try JSON.parse(value.bytes()).bytes() == value.bytes(), "\(text) is another text when written again")
                }
                guard Self.isComparable(bytes) else { continue }
                let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
                #expect(theirs != nil, "\(text) is no JSON for Foundation")
            } catch {
                #expect((0...bytes.count).contains(error.offset), "\(text): \(error)")
                // Foundation reads these differently, on one system or the other.
                let disputed: [JSONError.Problem] = [.loneSurrogate, .numberTooLarge, .invalidUTF8]
                if disputed.contains(error.problem) { continue }
                // On Linux it accepts a comma before the end of a list or an object.
                let isCommaAtEnd = text.contains(#/,[ \t\r\n]*[\]}]/#)
                guard Self.isComparable(bytes), !isCommaAtEnd else { continue }
                let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
                #expect(theirs == nil, "\(text) is JSON for Foundation: \(error)")
            }
        }
        #expect(valid > 300)
    }
}
