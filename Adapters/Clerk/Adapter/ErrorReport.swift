internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// The parts of an error body; of several errors the first with a known meaning counts: Clerk puts warnings beside refusals.
struct ErrorReport {
    /// Clerk's code.
    let code: String?
    /// Clerk's sentence.
    let message: String?
    /// The codes of all errors, where a password was refused.
    let reasons: [String]
    /// The portable meaning; `nil` where it is unknown.
    let meaning: ErrorMeaning?
    /// How long a lock lasts.
    let wait: Duration?

    /// Reads Clerk's envelope of errors.
    init(_ body: JSON?) {
        let errors = body?["errors"]?.array ?? []
        let first = errors.first { Self.meaning(of: $0) != nil } ?? errors.first
        code = first?["code"]?.string
        message = first?["long_message"]?.string ?? first?["message"]?.string
        meaning = first.flatMap(Self.meaning)
        reasons =
            meaning?.code == .weakPassword
            ? errors.compactMap { $0["code"]?.string }.filter { $0.hasPrefix("form_password_") }.map {
                String($0.dropFirst("form_password_".count))
            } : []
        wait = (first?["meta"]?["lockout_expires_in_seconds"]?.int).map { .seconds($0) }
    }

    private static func meaning(of error: JSON) -> ErrorMeaning? {
        guard let code = error["code"]?.string else { return nil }
        if let field = error["meta"]?["param_name"]?.string, let meaning = ErrorMeaning.ofFields["\(code) \(field)"] {
            return meaning
        }
        return ErrorMeaning.ofCodes[code] ?? (code.hasPrefix("form_") ? .badInput : nil)
    }
}
