internal import LockstepEmulation
internal import LockstepPrimitives

/// An emulator under test, and the rules for its responses.
struct FuzzTarget: Sendable {
    let server: any RunningEmulator
    let routes: [FuzzRoute]
    let callers: [FuzzCaller]
    /// The headers for a route; none if any will do.
    var fitting: @Sendable (FuzzRoute) -> [FuzzCaller] = { _ in [] }
    /// Whether a path belongs to a disabled feature.
    var isQuiet: @Sendable (String) -> Bool = { _ in false }
    var isForm = false
    /// A path that always returns 200.
    let health: String
    /// The faults of a JSON error with a status from 400 to 499.
    let complaint: @Sendable (FuzzResponse, FuzzRequest) -> String?
    /// Whether the provider itself documents a response of 500 or more.
    let documents: @Sendable (FuzzResponse, FuzzRequest) -> Bool
    /// The initial values of the pool.
    var known: [(name: String, value: String)] = []

    /// The faults of a response.
    func fault(in response: FuzzResponse, to request: FuzzRequest) -> String? {
        if response.status >= 500, !documents(response, request) { return "status \(response.status): \(response.text)" }
        if response.headers.contains(where: { header in header.value.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" } })
        {
            return "a header with a control character"
        }
        if response["set-cookie"]?.hasPrefix("a=b") == true { return "a header that the request has made up" }
        if (300..<400).contains(response.status), response.status != 304, response["location"] == nil {
            return "a redirect to nowhere"
        }
        if response.isJSON, !response.body.isEmpty, response.json == nil { return "no JSON: \(response.text)" }
        guard (400..<500).contains(response.status), response.isJSON, request.method != "HEAD", !response.body.isEmpty else {
            return nil
        }
        return complaint(response, request)
    }
}
