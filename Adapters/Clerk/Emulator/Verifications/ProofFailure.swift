import LockstepPrimitives

/// The failure of a verification, stored with it: the error object inside a 200.
struct ProofFailure: Codable {
    var code: String
    var message: String
    var longMessage: String
    var sessionID: String?

    init(_ refusal: ClerkError) {
        let entry = refusal.entries[0]
        code = entry.code
        message = entry.message
        longMessage = entry.longMessage
        sessionID = entry.meta["session_id"]?.string
    }

    var json: JSON {
        var meta = JSONObject()
        if let sessionID { meta["session_id"] = .string(sessionID) }
        return ClerkError.Entry(code: code, message: message, longMessage: longMessage, meta: meta).json
    }
}
