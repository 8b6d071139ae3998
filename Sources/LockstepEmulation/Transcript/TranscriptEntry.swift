public import LockstepPrimitives

/// One exchange, as it is shown: secrets are masked.
public struct TranscriptEntry: Sendable {
    /// Counts from 1.
    public var number: Int
    /// When the answer was made, on the backend's clock.
    public var date: Instant
    /// What was asked.
    public var request: EmulatorRequest
    /// What was answered.
    public var response: EmulatorResponse
    /// Whether a fault had its hand in it.
    public var isFaulty: Bool

    /// The entry as JSON.
    public var json: JSON {
        [
            "number": .int(Int64(number)), "date": .string(date.rfc3339), "method": .string(request.method),
            "path": .string(request.rawPath), "query": Redaction.form(request.rawQuery),
            "headers": Redaction.headers(request.headers),
            "body": Redaction.body(request.body, request.headers),
            "status": response.delivery == .silence ? .null : .int(Int64(response.status)),
            "answerHeaders": Redaction.headers(response.headers), "answer": Redaction.body(response.body, response.headers),
            "fault": .bool(isFaulty),
        ]
    }
}
