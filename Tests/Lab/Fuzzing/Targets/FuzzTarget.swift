internal import LockstepEmulation
internal import LockstepPrimitives

/// An emulator that is fuzzed, and what its answers must be like.
struct FuzzTarget: Sendable {
    let server: any RunningEmulator
    let routes: [FuzzRoute]
    let callers: [FuzzCaller]
    /// Those that a route is made for; none where any will do.
    var fitting: @Sendable (FuzzRoute) -> [FuzzCaller] = { _ in [] }
    /// Whether a path belongs to what is switched off.
    var isQuiet: @Sendable (String) -> Bool = { _ in false }
    var isForm = false
    /// A path that always answers 200.
    let health: String
    /// What is wrong with an error of 400 to 499 in JSON.
    let complaint: @Sendable (FuzzAnswer) -> String?
    /// Whether the provider itself documents an answer of 500 or more.
    let documents: @Sendable (FuzzAnswer, FuzzRequest) -> Bool
    /// What is in the pool at the beginning.
    var known: [(name: String, value: String)] = []

    /// What is wrong with an answer.
    func fault(in answer: FuzzAnswer, to request: FuzzRequest) -> String? {
        if answer.status >= 500, !documents(answer, request) { return "status \(answer.status): \(answer.text)" }
        if answer.headers.contains(where: { header in header.value.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" } }) {
            return "a header with a control character"
        }
        if answer["set-cookie"]?.hasPrefix("a=b") == true { return "a header that the request has made up" }
        if (300..<400).contains(answer.status), answer.status != 304, answer["location"] == nil { return "a redirect to nowhere" }
        if answer.isJSON, !answer.body.isEmpty, answer.json == nil { return "no JSON: \(answer.text)" }
        guard (400..<500).contains(answer.status), answer.isJSON, request.method != "HEAD", !answer.body.isEmpty else {
            return nil
        }
        return complaint(answer)
    }
}
