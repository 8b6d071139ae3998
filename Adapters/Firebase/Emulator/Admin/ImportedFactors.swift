internal import LockstepEmulation
internal import LockstepPrimitives

/// The second factors of a user who is imported.
enum ImportedFactors {
    static func read(_ entry: Body, of user: User, _ call: Call) throws(APIError) -> [Factor]? {
        let entries = entry.messages("mfaInfo")
        guard !entries.isEmpty else { return nil }
        try call.need(user.email != nil, "Second factor account requires email to be presented.")
        try call.need(user.emailVerified == true, "Second factor account requires email to be verified.")
        var ids: Set<String> = []
        for id in entries.compactMap({ $0.given("mfaEnrollmentId") }) {
            try call.need(ids.insert(id).inserted, "Enrollment id already exists.")
        }
        var factors: [Factor] = []
        for entry in entries {
            let number = try call.need(entry.given("phoneInfo"), "Second factor not supported.")
            try call.need(Formats.isPhoneNumber(number), "Phone number format is invalid")
            factors.append(
                Factor(
                    id: entry.given("mfaEnrollmentId") ?? call.backend.newID(), displayName: entry.text("displayName"),
                    enrolledAt: entry.given("enrolledAt") ?? call.now.rfc3339, phone: number))
        }
        return factors
    }
}

extension Call {
    /// Refuses with a sentence, as imports do.
    func need(_ condition: Bool, _ sentence: String) throws(APIError) {
        if !condition { throw .refused(sentence: sentence) }
    }

    func need<Value>(_ value: Value?, _ sentence: String) throws(APIError) -> Value {
        guard let value else { throw .refused(sentence: sentence) }
        return value
    }
}
