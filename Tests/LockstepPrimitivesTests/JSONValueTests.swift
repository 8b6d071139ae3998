import LockstepPrimitives
import Testing

@Suite struct JSONValueTests {
    @Test func looksInside() {
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

    @Test func objectsAreEqualWhateverTheirOrder() {
        let left: JSONObject = ["a": 1, "b": 2]
        let right: JSONObject = ["b": 2, "a": 1]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != ["a": 1])
        #expect(left != ["a": 1, "b": 3])
        #expect(left != ["a": 1, "c": 2])
    }
}
