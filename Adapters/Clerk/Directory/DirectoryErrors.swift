internal import Lockstep
internal import LockstepClerk
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The errors of Clerk's Backend API, which have the same format as those of the Frontend API, but their own codes.
enum DirectoryErrors: ErrorTable {
    static let provider = ErrorMapping.provider
    static let mistake = "the address is not the address of the back-end API"
    /// The waiting time if a response contains none; the limits are for requests in ten seconds.
    static let defaultWait = Duration.seconds(10)

    static func isKnown(_ code: String) -> Bool { own[code] != nil || ErrorMapping.isKnown(code) }

    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        guard var report = ErrorMapping.report(of: response, body) else { return nil }
        let errors = body?["errors"]?.array ?? []
        if let code = report.code, let meaning = own[code] { report.meaning = meaning }
        if errors.contains(where: { $0["code"] == "form_identifier_exists" && $0["meta"]?["param_name"] == "external_id" }) {
            report.meaning = ErrorMeaning(
                .invalidInput, "Another user has this external id. Nothing was created or changed. Use a different external id.")
        }
        if response.status == 429 {
            report.wait = errors.lazy.compactMap { $0["meta"]?["retryAfter"]?.int }.first.map { .seconds($0) } ?? report.wait
        }
        return report
    }

    private static let refusedKey = ErrorMeaning(
        .invalidKey, "Clerk rejected the secret key: it was deleted, or belongs to another instance. Copy it from the dashboard.")
    private static let own: [String: ErrorMeaning] = [
        "resource_not_found": ErrorMeaning(.userNotFound, "The instance has no user with this id."),
        "clerk_key_invalid": refusedKey, "authorization_header_format_invalid": refusedKey, "authentication_invalid": refusedKey,
        "form_password_digest_invalid_code": ErrorMeaning(
            .invalidInput, "Clerk cannot read the password hash. Let the user set a new password."),
    ]
}
