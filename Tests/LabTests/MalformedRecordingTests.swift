import LockstepPrimitives
import LockstepRecordings
import LockstepTestConcurrency
import Testing

/// The error of an unusable recording names the place and the correct form.
@Suite(.limitedConcurrency)
struct MalformedRecordingTests {
    private static let exchange: JSON = ["request": ["method": "GET", "path": "/health"], "response": ["status": 200]]

    private static func recording(_ steps: JSON) -> JSON {
        ["id": "info-health", "provider": "gotrue", "variant": "full", "steps": steps]
    }

    private static let malformed: [(JSON, String)] = [
        ([], "x.json: a recording is a JSON object"),
        (["id": "a"], "x.json: \"provider\" must be a text that is not empty"),
        (recording([]), "x.json: \"steps\" must be a list with at least one step"),
        (recording([exchange, ["wait": 1]]), "x.json, step 1: a step has "),
        (recording([["advance": "soon"]]), "x.json, step 0: \"advance\" must be a whole number of seconds"),
        (
            recording([["request": ["method": "GET"], "response": [:]]]),
            "x.json, step 0: \"request\" must have the text \"path\""
        ),
        (recording([["request": ["method": "GET", "path": "/"]]]), "x.json, step 0: \"response\" must be an object"),
        (recording([["mail": ["subject": "x"]]]), "x.json, step 0: \"to\" must be a text: the address"),
        (recording([["together": [exchange, 7]]]), "x.json, step 0.1: \"request\" must be an object"),
    ]

    @Test(arguments: malformed)
    func errorNamesThePlace(_ document: JSON, _ sentence: String) {
        let error = #expect(throws: RecordingError.self) { try Recording(document, from: "x.json") }
        #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
    }

    @Test func missingFileIsNamed() {
        let error = #expect(throws: RecordingError.self) { try Recording(file: "/nowhere/x.json") }
        #expect(error?.place == "/nowhere/x.json")
    }

    @Test func unknownVariantIsAnError() async throws {
        var document = Self.recording([Self.exchange]).object ?? [:]
        document["variant"] = "unheard-of"
        let outcome = try await RecordingRunner().run(Recording(.object(document), from: "x"))
        guard case .unusable(let fault) = outcome else { return #expect(outcome == .unusable("")) }
        #expect(fault.contains("unheard-of.env"))
    }
}
