internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Maps errors of Clerk and of the transport to portable codes.
///
/// Of several errors the first with a known meaning counts: Clerk puts warnings beside refusals.
enum ErrorMapping: ErrorTable {
    static let provider = "Clerk"
    static let mistake = "the address is not that of the front-end API"
    /// The shortest of Clerk's own intervals.
    static let defaultWait = Duration.seconds(30)

    static func isKnown(_ code: String) -> Bool { ErrorMeaning.ofCodes[code] != nil }

    /// Reads Clerk's envelope of errors.
    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        let errors = body?["errors"]?.array ?? []
        guard let first = errors.first(where: { meaning(of: $0) != nil }) ?? errors.first, let code = first["code"]?.string else {
            return nil
        }
        let known = meaning(of: first)
        let reasons = errors.compactMap { $0["code"]?.string }.filter { $0.hasPrefix(passwordCodes) }
        return ErrorReport(
            code: code, message: first["long_message"]?.string ?? first["message"]?.string,
            reasons: known?.code == .weakPassword ? reasons.map { String($0.dropFirst(passwordCodes.count)) } : [],
            meaning: known, wait: (first["meta"]?["lockout_expires_in_seconds"]?.int).map { .seconds($0) })
    }

    private static let passwordCodes = "form_password_"

    private static func meaning(of error: JSON) -> ErrorMeaning? {
        guard let code = error["code"]?.string else { return nil }
        if let field = error["meta"]?["param_name"]?.string, let meaning = ErrorMeaning.ofFields["\(code) \(field)"] {
            return meaning
        }
        return ErrorMeaning.ofCodes[code] ?? (code.hasPrefix("form_") ? .badInput : nil)
    }
}
