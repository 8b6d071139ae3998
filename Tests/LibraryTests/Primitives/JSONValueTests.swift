import Foundation
import LockstepPrimitives
import LockstepSystem
import Testing

@Suite struct JSONValueTests {
    @Test func subscriptsReadNestedValues() {
        let value: JSON = ["a": [1, "two", 3.5, true, nil], "b": ["c": 4]]
        #expect(value["a"]?[0]?.int == 1)
        #expect(value["a"]?[0]?.double == 1)
        #expect(value["a"]?[1]?.string == "two")
        #expect(value["a"]?[2]?.double == 3.5)
        #expect(value["a"]?[2]?.int == nil)
        #expect(value["a"]?[3]?.bool == true)
        #expect(value["a"]?[4]?.isNull == true)
        #expect(value["b"]?["c"] == 4)
        #expect(value["a"]?["b"] == nil)
        #expect(value["a"]?[5] == nil)
        #expect(value["a"]?[-1] == nil)
        #expect(value[0] == nil)
        #expect(value["a"]?.array?.count == 5)
        #expect(value.object?.names == ["a", "b"])
    }

    @Test func objectsKeepTheirOrder() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        #expect(object.names == ["b", "a", "c"])
        #expect(object.sorted().names == ["a", "b", "c"])
        object["a"] = nil
        #expect(object.names == ["b", "c"])
        object["none"] = nil
        #expect(object.count == 2)
        #expect(JSONObject([("x", 1), ("y", 2), ("x", 3)]).map(\.value) == [3, 2])
    }

    /// Above sixteen members an object uses an index, which must give the same results.
    @Test(arguments: [1, 15, 16, 17, 18, 400])
    func objectsOfAnySizeBehaveEqually(_ count: Int) {
        let names = (0..<count).map { "n\($0)" }
        var object = JSONObject(names.map { ($0, .string($0)) })
        #expect(object.names == names)
        #expect(names.allSatisfy { object[$0] == .string($0) })
        #expect(object["none"] == nil)
        object["n0"] = 5
        object["more"] = 6
        #expect(object.names == names + ["more"])
        #expect(object["n0"] == 5)
        #expect(object["more"] == 6)
        object["n0"] = nil
        #expect(object.names == names.dropFirst() + ["more"])
        #expect(names.dropFirst().allSatisfy { object[$0] == .string($0) })
        #expect(object["more"] == 6)
        #expect(object["n0"] == nil)
        let twice = JSONObject(names.map { ($0, 1) } + names.reversed().map { ($0, 2) })
        #expect(twice.names == names)
        #expect(twice.allSatisfy { $0.value == 2 })
        #expect(twice.sorted() == twice)
        #expect(twice.sorted().names == names.sorted())
        #expect(names.allSatisfy { twice.sorted()[$0] == 2 })
        let reversed = JSONObject(names.reversed().map { ($0, 2) })
        #expect(reversed == twice)
        #expect(reversed.hashValue == twice.hashValue)
        // A letter and its decomposed form are two names.
        object["\u{e9}"] = 7
        object["e\u{301}"] = 8
        #expect(object["\u{e9}"] == 7)
        #expect(object["e\u{301}"] == 8)
    }

    @Test func stringsAreComparedByTheirBytes() {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        let values: Set<JSON> = [.string(composed), .string(decomposed), ["id": .string(composed)], ["id": .string(decomposed)]]
        #expect(values.count == 4)
        let object: JSONObject = [composed: 1, decomposed: 2, "z": 3]
        #expect(object.sorted().names.map { Array($0.utf8) } == [decomposed, "z", composed].map { Array($0.utf8) })
        let texts: [ExactString] = [
            "", "a", "b", "e\u{301}", "e\u{301}x", "\u{e9}", "\u{212a}", "K", "12345678\u{e9}", "12345678e\u{301}",
        ]
        #expect(Set(texts + texts).count == texts.count)
        for text in texts {
            let same = String(decoding: Array(text.text.utf8), as: UTF8.self).exact
            #expect(texts.firstIndex(of: same) == texts.firstIndex(of: text) && Set(texts).contains(same))
        }
        let bytes = texts.map { Array($0.text.utf8) }
        #expect(texts.sorted().map { Array($0.text.utf8) } == bytes.sorted { $0.lexicographicallyPrecedes($1) })
    }

    /// Sixteen times the members take about sixteen times the time, and not 256 times.
    ///
    /// The test compares the least processor time of several runs. Other work on the machine makes a run longer and never
    /// shorter.
    @Test func workGrowsLinearlyWithTheMembers() throws {
        func least(_ count: Int) throws -> Duration {
            let text = "{" + (0..<count).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
            let members = (0..<count).map { ("key\($0)", JSON.int(Int64($0))) }
            return try (0..<5).map { _ throws -> Duration in
                let begin = CurrentProcess.threadProcessorTime
                let read = try #require(try JSON.parse(text).object)
                var made = JSONObject(members + members)
                for (name, _) in members { made[name] = 1 }
                let same = JSONObject(members.reversed())
                #expect(read == same)
                #expect(read.hashValue == same.hashValue)
                #expect(made != same)
                return CurrentProcess.threadProcessorTime - begin
            }.min() ?? .zero
        }
        let (few, many) = (try least(2000), try least(32_000))
        #expect(many < few * 80, "2000 members take \(few), 32,000 take \(many)")
    }

    @Test func objectsAreEqualInAnyOrder() {
        let left: JSONObject = ["a": 1, "b": 2]
        let right: JSONObject = ["b": 2, "a": 1]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != ["a": 1])
        #expect(left != ["a": 1, "b": 3])
        #expect(left != ["a": 1, "c": 2])
    }

    /// If texts are tried first, no value is decoded as another kind.
    @Test(arguments: [false, true])
    func everyValueIsDecodedAsItsKind(_ textsFirst: Bool) throws {
        let value: JSON = [
            "text": "1", "flag": true, "no": false, "none": nil, "whole": 7, "large": .int(.max), "part": 1.5, "empty": "",
            "list": ["true", 0, [], [:], nil], "object": ["null": "null"],
        ]
        let decoder = JSONDecoder()
        decoder.userInfo[.tellsTextsApart] = textsFirst
        #expect(try decoder.decode(JSON.self, from: Data(value.bytes())) == value)
        for part: JSON in ["alone", 3, true, nil, 2.5, [], [:]] {
            #expect(try decoder.decode(JSON.self, from: Data(part.bytes())) == part)
        }
    }
}
