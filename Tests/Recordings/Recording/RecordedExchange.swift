public import LockstepPrimitives

/// A request with references to earlier responses, and its response with placeholders.
public struct RecordedExchange: Sendable {
    /// The request's members: `method`, `path`, `query`, `headers`, and `json`, `form` or `raw`.
    public let request: JSONObject
    /// The number of times that it is sent.
    ///
    /// The last response is compared.
    public let times: Int
    /// The status of the response.
    public let status: Int64
    /// The recorded headers of the response, by their names in lower case.
    public let headers: JSONObject
    /// The response's body, if it was JSON.
    public let json: JSON?
    /// The response's body, if it was another text.
    public let text: String
    /// Headers that are compared in this response.
    public let checked: [String]

    init(_ step: JSON, _ place: String) throws(RecordingError) {
        guard let request = step["request"]?.object else { throw RecordingError(place, "\"request\" must be an object") }
        guard let response = step["response"]?.object else { throw RecordingError(place, "\"response\" must be an object") }
        for name in ["method", "path"] where request[name]?.string == nil {
            throw RecordingError(place, "\"request\" must have the text \"\(name)\"")
        }
        for name in ["query", "headers", "form"] where request[name].map({ $0.object == nil }) ?? false {
            throw RecordingError(place, "\"\(name)\" of the request must be an object")
        }
        guard ["json", "form", "raw"].count(where: { request[$0] != nil }) <= 1 else {
            throw RecordingError(place, "a request has one body: \"json\", \"form\" or \"raw\"")
        }
        let times = request["times"] ?? 1
        guard let times = times.int.flatMap({ Int(exactly: $0) }), (1...100_000).contains(times) else {
            throw RecordingError(place, "\"times\" must be a whole number from 1 to 100000")
        }
        guard let status = response["status"]?.int else {
            throw RecordingError(place, "\"response\" must have the number \"status\"")
        }
        guard let headers = (response["headers"] ?? [:]).object else {
            throw RecordingError(place, "\"headers\" of the response must be an object")
        }
        self.request = request
        self.times = times
        self.status = status
        self.headers = JSONObject(headers.map { ($0.name.lowercased(), $0.value) })
        json = response["json"]
        text = response["text"]?.string ?? ""
        checked =
            try response["checked"].map { value throws(RecordingError) in
                try RecordedStep.texts(value, "\"checked\" of the response", place).map { $0.lowercased() }
            } ?? []
    }

    /// The name of the request in reports.
    var name: String { "\(request["method"]?.string ?? "") \(request["path"]?.string ?? "")" }
}
