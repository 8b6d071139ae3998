import LockstepClerkEmulator
import LockstepHTTP
import LockstepPrimitives
import Testing

/// Checks a response against Clerk's documents: its schema, or for an error the envelope and the catalog's status of its code.
struct AnswerCheck {
    let request: HTTPRequest
    let response: TestResponse

    /// Codes that the catalog lacks, each with its reason.
    static let otherCodes = [
        "external_account_exists": "in a verification of Clerk's own SDKs' tests",
        "too_many_requests": "answered by Clerk's gateway (`data/api_errors.json` of clerk/clerk-docs)",
        "lockstep_hasher_not_built": "the emulator's own",
        "lockstep_operation_not_built": "the emulator's own",
    ]

    func run() {
        guard request.method != .head, response.headers["Content-Type"]?.hasPrefix("application/json") == true else { return }
        let faults = response.status < 300 ? successFaults : response.status >= 400 ? refusalFaults : []
        let shown = faults.prefix(6).joined(separator: "\n")
        #expect(faults.isEmpty, "\(request.method.rawValue) \(path): \(response.status)\n\(shown)")
    }

    private var path: String {
        let rest = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        let target = rest.drop { $0 != "/" }
        return String(target.prefix { $0 != "?" })
    }

    private var api: ClerkOperation.API {
        request.headers["Authorization"]?.hasPrefix("Bearer sk_") == true ? .backend : .frontend
    }

    private var successFaults: [String] {
        let documents = Documents.shared
        // The only path without a document that looks like another one.
        guard path != "/v1/clients/handshake_payload" else { return [] }
        let answers = documents.answers(request.method.rawValue, path, api)
        guard let schema = answers[String(response.status)] else {
            return answers.isEmpty ? [] : ["\(response.status) is none of \(answers.names)"]
        }
        let schemas = api == .frontend ? documents.frontend : documents.backend
        return schemas.faults(of: response.json, schema).filter { !KnownDifference.covers($0) }
    }

    private var refusalFaults: [String] {
        let documents = Documents.shared
        let schemas = api == .frontend ? documents.frontend : documents.backend
        var faults = schemas.faults(of: response.json, ["$ref": "ClerkErrors"])
        for (index, code) in response.codes.enumerated() where Self.otherCodes[code] == nil {
            guard let status = documents.codes[code] else {
                faults.append("\(code) is not in the catalogue")
                continue
            }
            // A wrong method has no code, and requests that the server rejects unread have their own statuses.
            let isOwn = [405, 413, 414, 431].contains(response.status)
            if index == 0, status != response.status, !isOwn { faults.append("\(code) comes with \(status)") }
        }
        return faults
    }
}

/// Places where recorded responses, or the document's own parameters, contradict the document's schemas.
///
/// They override the schemas.
enum KnownDifference {
    /// Each with its reason.
    private static let parts: [(text: String, reason: String)] = [
        (".locale is not of the schema", "recorded: attempts have a locale"),
        (": \"password\" is none of", "recorded: supported_identifiers names password"),
        ("$.auth_config.native_settings is missing", "recorded: the environment has none"),
        ("$.user_settings.passkey_settings.satisfies_second_factor is missing", "recorded: the environment has none"),
        ("$.user_settings.sign_in.second_factor.enabled is not of the schema", "recorded"),
        ("$.user_settings.sign_up.mfa is not of the schema", "recorded"),
        ("$.user_settings.social.oauth_", "recorded: a provider is listed under its own name"),
        ("$.commerce_settings.billing.", "recorded"),
        ("$.organization_settings.domains.default_role: null", "recorded"),
        ("$.organization_settings.force_organization_selection is not of the schema", "recorded"),
        ("$: {\"data\":[", "the documents' own parameter paginated asks for an object"),
    ]

    static func covers(_ fault: String) -> Bool { parts.contains { fault.contains($0.text) } }
}
