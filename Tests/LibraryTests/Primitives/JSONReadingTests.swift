import LockstepPrimitives
import Testing

@Suite struct JSONReadingTests {
    @Test func readsEveryKindOfValue() throws {
        let text = #" { "a" : [ 1 , -2.5e3 , true , false , null ] , "b" : { } , "c" : [ ] , "d" : "x" } "#
        let expected: JSON = ["a": [1, -2500.0, true, false, nil], "b": [:], "c": [], "d": "x"]
        #expect(try JSON.parse(text) == expected)
        #expect(try JSON.parse(text).object?.names == ["a", "b", "c", "d"])
    }

    @Test(arguments: [
        ("0", JSON.int(0)), ("-0", .int(0)), ("7", .int(7)), ("9223372036854775807", .int(.max)),
        ("-9223372036854775808", .int(.min)),
        ("9223372036854775808", .double(9_223_372_036_854_775_808)),
        ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
        ("1.0", .double(1)), ("1e2", .double(100)), ("1E+2", .double(100)), ("5e-324", .double(.leastNonzeroMagnitude)),
        ("0.5", .double(0.5)),
        ("1e-400", .double(0)),
    ])
    func readsNumbers(text: String, value: JSON) throws {
        #expect(try JSON.parse(text) == value)
    }

    @Test(arguments: [
        (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{08}\u{0c}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
        (#""\ud83d\ude00""#, "😀"),
        ("\"é€😀\"", "é€😀"), ("\"\u{7f}\"", "\u{7f}"), (#""x\u0301y""#, "x\u{301}y"),
    ])
    func readsTexts(text: String, value: String) throws {
        #expect(try JSON.parse(text).string?.unicodeScalars.elementsEqual(value.unicodeScalars) == true)
    }

    @Test func readsNUL() throws {
        #expect(try JSON.parse(#""\u0000""#) == "\0")
    }

    @Test(arguments: [
        ("", 0, JSONError.Problem.endOfText(.value)), ("  ", 2, .endOfText(.value)), ("e", 0, .unexpected(0x65, .value)),
        ("[1,]", 3, .unexpected(0x5d, .value)), ("[1 2]", 3, .unexpected(0x32, .elementEnd)), ("[", 1, .endOfText(.value)),
        ("{1", 1, .unexpected(0x31, .memberName)), (#"{"a":1,}"#, 7, .unexpected(0x7d, .memberName)),
        (#"{"a" 1}"#, 5, .unexpected(0x31, .colon)), (#"{"a":1 "b""#, 7, .unexpected(0x22, .memberEnd)),
        ("{", 1, .endOfText(.memberName)),
        (#"{"a":"#, 5, .endOfText(.value)), ("\"a\n\"", 2, .unexpected(0x0a, .textCharacter)),
        (#""\x""#, 2, .unexpected(0x78, .escapeCode)),
        (#""\u12g4""#, 5, .unexpected(0x67, .escapeDigit)), (#""abc"#, 4, .endOfText(.textCharacter)),
        ("nul", 3, .endOfText(.literal(.null, next: 0x6c))), ("txue", 1, .unexpected(0x78, .literal(.true, next: 0x72))),
        ("falsy", 4, .unexpected(0x79, .literal(.false, next: 0x65))), ("-", 1, .endOfText(.digit)),
        ("-a", 1, .unexpected(0x61, .digit)),
        ("01", 1, .unexpected(0x31, .end)), ("1.", 2, .endOfText(.fractionDigit)), ("1.e", 2, .unexpected(0x65, .fractionDigit)),
        ("1e", 2, .endOfText(.exponentDigit)), ("1e+x", 3, .unexpected(0x78, .exponentDigit)), ("1e999", 0, .numberTooLarge),
        ("{} x", 3, .unexpected(0x78, .end)), ("\u{feff}1", 0, .unexpected(0xef, .value)), (#""\ud800""#, 1, .loneSurrogate),
        (#""a\udc00\ud800""#, 2, .loneSurrogate), (#""\ud800\u0041""#, 1, .loneSurrogate), ("+1", 0, .unexpected(0x2b, .value)),
        ("[1,2]]", 5, .unexpected(0x5d, .end)), ("NaN", 0, .unexpected(0x4e, .value)), ("\u{0b}1", 0, .unexpected(0x0b, .value)),
    ])
    func namesTheFirstError(text: String, offset: Int, problem: JSONError.Problem) {
        #expect(throws: JSONError(problem, at: offset)) { try JSON.parse(text) }
    }

    @Test(arguments: [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]] as [[UInt8]])
    func rejectsInvalidUTF8(broken: [UInt8]) throws {
        let bytes = Array(#"["é"#.utf8) + broken + Array("\"]".utf8)
        #expect(throws: JSONError(.invalidUTF8, at: 4)) { try JSON.parse(bytes) }
        let replaced = try JSON.parse(bytes, rules: JSON.ReadingRules(brokenText: .replaced))
        #expect(replaced[0]?.string?.hasPrefix("é\u{fffd}") == true)
    }

    /// A person who has saved a file gets to know what is wrong with it, and where.
    @Test(arguments: [
        ([0xef, 0xbb, 0xbf] + Array("{}".utf8), "byte order mark"), ([0xff, 0xfe, 0x7b, 0, 0x7d, 0], "UTF-16"),
        ([0xfe, 0xff, 0, 0x7b, 0, 0x7d], "UTF-16"), ([0x7b, 0, 0x7d, 0], "UTF-16"), ([0, 0x7b, 0, 0x7d], "UTF-16"),
        ([], "empty"), (Array("{\n \"a\": [1,\n".utf8), "incomplete: it ends in line 3, byte 1"),
        (Array("{\n \"a\": x".utf8), "line 2, byte 7: expected a value, found \"x\""),
    ])
    func errorOfAFileNamesItsPlace(_ bytes: [UInt8], _ words: String) {
        let error = #expect(throws: JSONError.self) { try JSON.parse(bytes) }
        #expect(error?.sentence(in: bytes).contains(words) == true, "\(error?.sentence(in: bytes) ?? "")")
    }

    @Test func replacesLoneSurrogatesIfAsked() throws {
        let rules = JSON.ReadingRules(brokenText: .replaced)
        #expect(try JSON.parse(#""\ud800\u0041\udc00""#, rules: rules) == "\u{fffd}A\u{fffd}")
    }

    @Test func lastOfRepeatedNamesIsUsedUnlessRejected() throws {
        let text = #"{"a":1,"b":2,"a":3}"#
        let object = try JSON.parse(text)
        #expect(object == ["a": 3, "b": 2])
        #expect(object.object?.names == ["a", "b"])
        #expect(throws: JSONError(.repeatedName, at: 13)) {
            try JSON.parse(text, rules: JSON.ReadingRules(repeatedNames: .refused))
        }
    }

    @Test func namesAreComparedByBytes() throws {
        let object = try JSON.parse("{\"\u{e9}\":1,\"e\u{301}\":2}", rules: JSON.ReadingRules(repeatedNames: .refused))
        #expect(object.object?.count == 2)
        #expect(object["\u{e9}"] == 1)
        #expect(object["e\u{301}"] == 2)
    }

    @Test func depthIsLimited() throws {
        let deep = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
        _ = try JSON.parse(deep)
        #expect(throws: JSONError(.tooDeep(limit: 256), at: 256)) { try JSON.parse("[" + deep + "]") }
        let objects = String(repeating: #"{"a":"#, count: 3) + "1" + String(repeating: "}", count: 3)
        _ = try JSON.parse(objects, rules: JSON.ReadingRules(depthLimit: 3))
        #expect(throws: JSONError(.tooDeep(limit: 2), at: 10)) {
            try JSON.parse(objects, rules: JSON.ReadingRules(depthLimit: 2))
        }
    }

    @Test func numberOfValuesIsLimited() throws {
        let rules = JSON.ReadingRules(valueLimit: 7)
        let seven = #"{"a":1,"b":[2,3],"c":{"d":4}}"#
        #expect(try JSON.parse(seven, rules: rules) == JSON.parse(seven))
        #expect(throws: JSONError(.tooManyValues(limit: 7), at: 27)) {
            try JSON.parse(#"{"a":1,"b":[2,3],"c":{"d":[4]}}"#, rules: rules)
        }
        #expect(throws: JSONError(.tooManyValues(limit: 7), at: 15)) { try JSON.parse("[1,1,1,1,1,1,  1,1,1,1]", rules: rules) }
        let many = "[" + Array(repeating: "0", count: 500_000).joined(separator: ",") + "]"
        #expect(throws: JSONError.self) { try JSON.parse(many, rules: .answer) }
    }

    @Test func depthLimitIgnoresLength() throws {
        let wide = "[" + Array(repeating: "[]", count: 1000).joined(separator: ",") + "]"
        #expect(try JSON.parse(wide, rules: JSON.ReadingRules(depthLimit: 2)).array?.count == 1000)
    }

    @Test func largeObjectsKeepOrderAndTheLastValue() throws {
        let names = (0..<2000).map { "n\($0)" }
        let text = "{" + (names + ["n5", "n1999"]).enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        let object = try JSON.parse(text)
        #expect(object.object?.names == names)
        #expect(object["n5"] == 2000)
        #expect(object["n1999"] == 2001)
        #expect(object["n6"] == 6)
    }
}
