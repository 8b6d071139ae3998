internal import LockstepEmulation
internal import LockstepPrimitives

/// An error response: a status, and one or more errors of the catalogue.
///
/// The body is `{"errors":[…],"clerk_trace_id":…}` in both APIs (https://clerk.com/docs/reference/frontend-api).
struct ClerkError: TransactionalError, Hashable {
    /// One entry of `errors`.
    struct Entry: Hashable {
        var code: String
        var message: String
        var longMessage: String
        var meta = JSONObject()

        /// The entry as JSON; a failed verification inside a response with status 200 contains the same object.
        var json: JSON {
            var object: JSONObject = ["message": .string(message), "long_message": .string(longMessage), "code": .string(code)]
            if !meta.isEmpty { object["meta"] = .object(meta) }
            return .object(object)
        }
    }

    /// The HTTP status.
    let status: Int
    /// Never empty.
    var entries: [Entry]
    /// Seconds of the `Retry-After` header.
    var retryAfter: Int?
    /// Whether the request's changes are kept: a failed verification keeps its counted attempts.
    var keepsChanges = false

    /// Creates an error response with one error.
    ///
    /// `parameter` becomes `meta.param_name`. Without a long message, the short one is used for both.
    init(
        _ status: Int, _ code: String, _ message: String, _ longMessage: String? = nil, parameter: String? = nil,
        meta: JSONObject = [:]
    ) {
        var meta = meta
        if let parameter { meta["param_name"] = .string(parameter) }
        self.status = status
        entries = [Entry(code: code, message: message, longMessage: longMessage ?? message, meta: meta)]
    }

    /// The code of the first error, which SDKs read.
    var code: String { entries[0].code }

    var sentence: String { entries[0].longMessage }

    /// Returns this error with the request's changes kept.
    func keepingChanges() -> ClerkError {
        var copy = self
        copy.keepsChanges = true
        return copy
    }

    /// Joins several errors of one request: the status of the first error, and the entries of all errors; `nil` for an
    /// empty list.
    static func joined(_ refusals: [ClerkError]) -> ClerkError? {
        guard var joined = refusals.first else { return nil }
        joined.entries = refusals.flatMap(\.entries)
        return joined
    }
}

extension ClerkError {
    /// Returns the error in the format of both APIs.
    func response(trace: String) -> EmulatorResponse {
        var response = EmulatorResponse.json(
            ["errors": .array(entries.map(\.json)), "clerk_trace_id": .string(trace)], status: status)
        if let retryAfter { response.headers.add("Retry-After", String(retryAfter)) }
        return response
    }
}
