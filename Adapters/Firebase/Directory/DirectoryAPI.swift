internal import Lockstep
internal import LockstepDirectory
internal import LockstepFirebase
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The dependencies of every part of the directory: network, permission and limits.
struct DirectoryAPI: Sendable {
    /// The permission for a call.
    enum Permission: Sendable {
        /// The access token of a service account.
        case account(AccessTokens)
        /// The token of an emulator's administrator: the word `owner`, or the secret of a closed emulator.
        case emulator(Secret)
    }

    /// The address of the account service.
    let url: String
    /// The project, and the tenant if there is one.
    let scope: BackendPath
    let permission: Permission
    let limiter: RequestLimiter
    let deadline: Duration
    let wire: JSONWire<DirectoryErrors>

    /// Calls a method of the project's accounts, such as `accounts:lookup`.
    func call(
        _ method: HTTPMethod, _ path: BackendPath, query: HTTPForm = [:], body: JSONObject? = nil
    ) async throws(AuthError) -> JSONResponse {
        try await send(method, url + (try ("/v1" + scope + path).text()), query, body)
    }

    /// Returns the configuration of the whole project.
    func config(of project: String) async throws(AuthError) -> JSONObject {
        try await send(.get, url + (try ("/admin/v2/projects/\(given: project)/config" as BackendPath).text()), [:], nil).object
    }

    /// The configuration of a tenant.
    func tenantConfig(_ tenant: String, of project: String) async throws(AuthError) -> JSONObject {
        let path: BackendPath = "/v2/projects/\(given: project)/tenants/\(given: tenant)"
        return try await send(.get, url + (try path.text()), [:], nil).object
    }

    /// Returns a page of the project's tenants.
    func tenants(of project: String, after token: String?) async throws(AuthError) -> JSONObject {
        var query: HTTPForm = ["pageSize": "1000"]
        query.append("pageToken", token)
        let path: BackendPath = "/v2/projects/\(given: project)/tenants"
        return try await send(.get, url + (try path.text()), query, nil).object
    }

    /// Returns a list of identity providers' configurations, of the project or the tenant.
    func providerConfigs(_ list: String, of project: String, _ tenant: String?) async throws(AuthError) -> JSONObject {
        var path: BackendPath = "/v2/projects/\(given: project)"
        if let tenant { path = path + "/tenants/\(given: tenant)" }
        return try await send(.get, url + (try (path + "/\(given: list)").text()), ["pageSize": "100"], nil).object
    }

    private func send(
        _ method: HTTPMethod, _ address: String, _ query: HTTPForm, _ body: JSONObject?
    ) async throws(AuthError) -> JSONResponse {
        do {
            return try await limiter.run { () throws(AuthError) in
                try await permitted { token throws(AuthError) in
                    try await wire.call(
                        HTTPRequest(
                            method, address, query: query,
                            headers: ["Accept": "application/json", "Authorization": "Bearer " + token.reveal()],
                            body: body.map { .json(.object($0)) } ?? .none, deadline: deadline))
                }
            }
        } catch {
            let error = error.ofAdministrator(at: url, key: "a service account key of this project")
            // For errors about a user, Google responds with 400 and a code, never with 404.
            throw error.provider?.status == 404 && error.code == .invalidResponse ? error.ofUnnamedUser(at: url) : error
        }
    }

    /// Sends a request with a token.
    ///
    /// If the token was rejected because it expired early, it is replaced once: a rejected call has no effect.
    private func permitted(
        _ send: (Secret) async throws(AuthError) -> JSONResponse
    ) async throws(AuthError) -> JSONResponse {
        let tokens: AccessTokens
        switch permission {
        case .emulator(let owner): return try await send(owner)
        case .account(let accessTokens): tokens = accessTokens
        }
        let token = try await tokens.token()
        do {
            return try await send(token)
        } catch  where error.code == .accessTokenRefused {
            await tokens.forget(token)
            return try await send(try await tokens.token())
        }
    }
}

/// The errors of the account service as an administrator gets them.
enum DirectoryErrors: ErrorTable {
    static let provider = ErrorMapping.provider
    static let mistake = ErrorMapping.mistake
    static let defaultWait = ErrorMapping.defaultWait

    static func isKnown(_ code: String) -> Bool { own[code] != nil || ErrorMapping.isKnown(code) }

    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        guard var report = ErrorMapping.report(body, own: own) else { return nil }
        // The sentences of these statuses are not codes, and elsewhere they are about an app's API key.
        switch response.status {
        case 401: report.meaning = tokenRefused
        case 403 where report.code.map { own[$0] == nil } ?? true: report.meaning = notPermitted
        default: break
        }
        return report
    }

    /// Returns the error of one user of an import: a sentence, not a code (firebase-tools,
    /// src/emulator/auth/operations.ts, batchCreate).
    static func error(ofImport message: String) -> AuthError {
        let meaning = sentences.first { message.contains($0.part) }?.meaning
        guard let meaning else {
            return AuthError(
                .unknown,
                "Firebase did not import this user. Lockstep does not know the error; read Firebase's message in `provider.code`.",
                provider: ProviderDetail(code: message, status: 200))
        }
        return AuthError(meaning.code, meaning.sentence, provider: ProviderDetail(status: 200))
    }

    static let idTaken = AuthError(.invalidInput, "Another user has this id. Nothing was overwritten.")

    private static let tokenRefused = ErrorMeaning(
        .accessTokenRefused, "Firebase rejected the administrator's access token: it expired, or belongs to another project.")
    private static let notPermitted = ErrorMeaning(
        .invalidKey, "The service account lacks a permission. Grant it the role Firebase Authentication Admin in this project.")
    private static let taken = ErrorMeaning(idTaken.code, idTaken.message)
    private static let emailTaken = ErrorMeaning(.emailAlreadyInUse, "Another account uses this address.")
    private static let badClaims = ErrorMeaning(
        .invalidInput,
        "Firebase rejected the claims in `appMetadata`. Use at most 1,000 characters of JSON, and no reserved claim names.")

    private static let badHash = ErrorMeaning(
        .invalidInput,
        "Firebase does not accept password hashes with this algorithm or cost. Let the user set a new password.")

    private static let own: [String: ErrorMeaning] = [
        "USER_NOT_FOUND": ErrorMeaning(.userNotFound, "The project has no user with this id."),
        "DUPLICATE_LOCAL_ID": taken, "DUPLICATE_EMAIL": emailTaken,
        "INVALID_CLAIMS": badClaims, "FORBIDDEN_CLAIM": badClaims, "CLAIMS_TOO_LARGE": badClaims,
        "INSUFFICIENT_PERMISSION": notPermitted,
        "PROJECT_NOT_FOUND": ErrorMeaning(
            .invalidConfiguration, "The project does not exist, or does not use Firebase Authentication. Check the project id."),
        "TENANT_NOT_FOUND": ErrorMeaning(.invalidConfiguration, "The project has no tenant with this id. Check the tenant id."),
        "INVALID_HASH_ALGORITHM": badHash, "INVALID_HASH_ROUNDS": badHash, "INVALID_HASH_MEMORY_COST": badHash,
        "INVALID_HASH_PARALLELIZATION": badHash, "INVALID_HASH_BLOCK_SIZE": badHash, "INVALID_HASH_DERIVED_KEY_LENGTH": badHash,
        "INVALID_HASH_KEY": badHash, "INVALID_HASH_SALT_SEPARATOR": badHash, "MISSING_HASH_ALGORITHM": badHash,
    ]

    private static let sentences: [(part: String, meaning: ErrorMeaning)] = [
        ("email exists in other account", emailTaken), ("importing duplicate email", emailTaken),
        ("phone number exists in other account", ErrorMeaning(.phoneAlreadyInUse, "Another account uses this number.")),
        (
            "raw id exists in other account",
            ErrorMeaning(.identityAlreadyInUse, "Another account has this identity of a provider.")
        ),
        ("localId belongs to an existing account", taken),
        ("email is invalid", ErrorMeaning(.invalidEmail, "Firebase does not accept this e-mail address.")),
        ("phone number format is invalid", ErrorMeaning(.invalidPhone, "The number is not in E.164 format.")),
        ("custom claims provided", badClaims), ("Custom claims provided", badClaims),
    ]
}
