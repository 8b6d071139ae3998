import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Reading of bodies, by each rule.
@Suite(.limitedConcurrency)
struct BodySchemaTests {
    private static let exact = BodyRules(unknown: .rejected, values: .exact)
    private static let lenient = BodyRules(unknown: .ignored, values: .coerced)

    private static let schema: BodySchema = [
        "idToken": .text, "flag": .flag, "count": .whole, "size": .number, "kind": .choice(["NONE", "SMS"]), "data": .object,
        "names": .list(.text), "gaps": .list(.optional(.text)), "inner": .members(["code": .text]), "claims": .map(.number),
        "any": .anything, "maybe": .optional(.text), "new": .strictOnly(.text), "even": .checked { $0.utf8.count % 2 == 0 },
    ]

    private static func read(_ text: String, _ rules: BodyRules) throws -> JSON {
        .object(try schema.read(try #require(JSON.parse(text).object), rules))
    }

    @Test(
        "a value of its member's kind is read unchanged",
        arguments: [
            #"{"idToken":"a","flag":true,"count":3,"size":1.5,"kind":"SMS","data":{"x":1},"names":["a"],"gaps":["a",null]}"#,
            #"{"inner":{"code":"1"},"claims":{"a":1},"any":[{}],"even":"ab","new":"n"}"#,
        ])
    func readsEachKindOfValue(_ text: String) throws {
        #expect(try Self.read(text, Self.exact) == JSON.parse(text))
    }

    @Test(
        "a value of another kind is an error with its place",
        arguments: [
            (#"{"idToken":1}"#, ["idToken"]), (#"{"flag":"true"}"#, ["flag"]), (#"{"count":1.5}"#, ["count"]),
            (#"{"size":"1"}"#, ["size"]), (#"{"kind":"CALL"}"#, ["kind"]), (#"{"data":[]}"#, ["data"]),
            (#"{"names":["a",1]}"#, ["names", "1"]), (#"{"names":["a",null]}"#, ["names", "1"]),
            (#"{"inner":{"code":1}}"#, ["inner", "code"]), (#"{"claims":{"a":"1"}}"#, ["claims", "a"]),
            (#"{"even":"abc"}"#, ["even"]), (#"{"idToken":null}"#, ["idToken"]),
        ])
    func errorNamesThePlace(_ text: String, _ place: [String]) throws {
        let fault = try #require(throws: BodyFault.self) { try Self.read(text, Self.exact) }
        guard case .kind(_, _, let path) = fault else {
            Issue.record("\(fault)")
            return
        }
        #expect(path == place)
    }

    @Test("an unknown member is an error or is ignored, at every depth")
    func rejectsOrIgnoresUnknownMembers() throws {
        let text = #"{"idToken":"a","inner":{"code":"1","more":2},"other":3}"#
        #expect(try Self.read(text, Self.lenient) == ["idToken": "a", "inner": ["code": "1"]])
        let fault = try #require(throws: BodyFault.self) { try Self.read(text, Self.exact) }
        guard case .unknown(let name, let path) = fault else {
            Issue.record("\(fault)")
            return
        }
        #expect(name == "more" && path == ["inner"])
        #expect(Self.schema.unknown(["flag", "x", "idToken", "y"], Self.exact) == ["x", "y"])
    }

    @Test("coercion turns numbers into texts and indexes into names")
    func coercesNumbersAndIndexes() throws {
        #expect(
            try Self.read(#"{"idToken":1,"kind":1,"names":[2]}"#, Self.lenient) == [
                "idToken": "1", "kind": "SMS", "names": ["2"],
            ])
        #expect(throws: BodyFault.self) { try Self.read(#"{"kind":2}"#, Self.lenient) }
        #expect(throws: BodyFault.self) { try Self.read(#"{"idToken":true}"#, Self.lenient) }
    }

    @Test("null is absent if the kind or the rules say so")
    func readsNullAsAbsentIfAllowed() throws {
        #expect(try Self.read(#"{"maybe":null,"any":null,"claims":{}}"#, Self.exact) == ["any": nil, "claims": [:]])
        var rules = Self.exact
        rules.ignoresNull = true
        #expect(try Self.read(#"{"idToken":null,"inner":{"code":null}}"#, rules) == ["inner": [:]])
    }

    @Test("lenient rules ignore a member that only strict rules know")
    func ignoresStrictMembersInLenientMode() throws {
        #expect(try Self.read(#"{"new":1}"#, Self.lenient) == [:])
        #expect(throws: BodyFault.self) { try Self.read(#"{"new":1}"#, Self.exact) }
    }

    @Test("the rules decide how names are compared")
    func comparesNamesByTheRules() throws {
        var rules = Self.exact
        #expect(throws: BodyFault.self) { try Self.read(#"{"IDTOKEN":"a"}"#, rules) }
        rules.spelling = .anyCase
        #expect(try Self.read(#"{"IDTOKEN":"a"}"#, rules) == ["idToken": "a"])
        rules.spelling = .snakeOrCamelCase
        #expect(try Self.read(#"{"id_token":"a"}"#, rules) == ["idToken": "a"])
        #expect(throws: BodyFault.self) { try Self.read(#"{"IDTOKEN":"a"}"#, rules) }
    }
}
