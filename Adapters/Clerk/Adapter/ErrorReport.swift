internal import LockstepPrimitives

/// What an error body says; of several errors the first one decides.
struct ErrorReport {
    /// Clerk's code.
    let code: String?
    /// Clerk's sentence.
    let message: String?
    /// The codes of all errors, where a password was refused.
    let reasons: [String]
    /// Which field it is about.
    let parameter: String?
    /// How long a lock lasts.
    let wait: Duration?

    /// Reads Clerk's envelope of errors.
    init(_ body: JSON?) {
        let errors = body?["errors"]?.array ?? []
        code = errors.first?["code"]?.string
        message = errors.first?["long_message"]?.string ?? errors.first?["message"]?.string
        parameter = errors.first?["meta"]?["param_name"]?.string
        reasons = errors.compactMap { $0["code"]?.string }.filter { $0.hasPrefix("form_password_") }.map {
            String($0.dropFirst("form_password_".count))
        }
        wait = (errors.first?["meta"]?["lockout_expires_in_seconds"]?.int).map { .seconds($0) }
    }

    /// What it means, where that is known.
    var meaning: ErrorMeaning? {
        guard let code else { return nil }
        if let parameter, let meaning = ErrorMeaning.ofFields["\(code) \(parameter)"] { return meaning }
        return ErrorMeaning.ofCodes[code]
    }
}
