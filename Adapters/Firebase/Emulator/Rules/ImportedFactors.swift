internal import LockstepEmulation
internal import LockstepPrimitives

/// The second factors of an imported user.
enum ImportedFactors {
    static func read(_ entry: Body, of user: User, _ context: RequestContext) throws(APIError) -> [Factor]? {
        let entries = entry.bodies("mfaInfo")
        guard !entries.isEmpty else { return nil }
        try context.need(user.email != nil, "Second factor account requires email to be presented.")
        try context.need(user.emailVerified == true, "Second factor account requires email to be verified.")
        if context.isStrict { try context.require(entries.count <= FactorService.limit, .secondFactorLimit) }
        var ids: Set<ExactString> = []
        for id in entries.compactMap({ $0.given("mfaEnrollmentId") }) {
            try context.need(ids.insert(id.exact).inserted, "Enrollment id already exists.")
        }
        var numbers: Set<ExactString> = []
        var factors: [Factor] = []
        for entry in entries {
            let number = entry.given("phoneInfo")
            let secret = number == nil ? entry.given(Factor.secretName).flatMap(readable) : nil
            try context.need(number != nil || secret != nil, "Second factor not supported.")
            try context.need(number.map(context.isPhoneNumber) != false, "Phone number format is invalid")
            let isNew = number.map { numbers.insert($0.exact).inserted } ?? true
            try context.need(isNew, "INTERNAL_ERROR : MFA Enrollment Phone Numbers must be unique.")
            factors.append(
                Factor(
                    id: entry.given("mfaEnrollmentId") ?? context.newID(), displayName: entry.text("displayName"),
                    enrolledAt: entry.given("enrolledAt") ?? context.now.rfc3339, phone: number, secret: secret))
        }
        return factors
    }

    private static func readable(_ secret: String) -> String? { TOTP(secret: secret).isReadable ? secret : nil }
}

extension RequestContext {
    /// Rejects with a sentence, as imports do.
    func need(_ condition: Bool, _ sentence: String) throws(APIError) {
        if !condition { throw .refused(sentence: sentence) }
    }

    func need<Value>(_ value: Value?, _ sentence: String) throws(APIError) -> Value {
        guard let value else { throw .refused(sentence: sentence) }
        return value
    }
}
