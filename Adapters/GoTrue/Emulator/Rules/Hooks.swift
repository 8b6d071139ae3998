internal import LockstepEmulation
internal import LockstepPrimitives

/// Calls the project's hooks: the payload of each, and the effect of its response.
struct Hooks {
    let context: RequestContext

    /// Calls the hook once for an SMS.
    func sendText(_ hook: HookSettings.Hook, _ code: String, to phone: String, _ user: User, isFactor: Bool) throws {
        var message: JSONObject = ["otp": .string(code)]
        if isFactor { message["sms_type"] = "mfa" }
        message["phone"] = .string(phone)
        _ = try call(hook, .sendSMS, ["user": .object(user.json), "sms": .object(message)], occasion: code)
    }

    /// Calls the hook once for a message, even if it goes to two addresses.
    ///
    /// The real server then swaps the pairs of codes and hashes.
    func sendMail(
        _ hook: HookSettings.Hook, _ action: String, _ user: User, code: String, hash: String, newCode: String = "",
        newHash: String = "", notice: JSONObject = [:]
    ) throws {
        var data: JSONObject = [
            "token": .string(code), "token_hash": .string(hash), "redirect_to": .string(context.target),
            "email_action_type": .string(action), "site_url": .string(context.state.base), "token_new": .string(newCode),
            "token_hash_new": .string(newHash), "old_email": "", "old_phone": "", "provider": "", "factor_type": "",
        ]
        for (name, value) in notice { data[name] = value }
        _ = try call(hook, .sendEmail, ["user": .object(user.json), "email_data": .object(data)], occasion: action)
    }

    /// Lets the hook change the claims of an access token.
    func changed(_ claims: JSONObject, user: User, method: AuthenticationMethod?) throws -> JSONObject {
        guard let hook = context.settings.hooks.customAccessToken else { return claims }
        let answer = try call(
            hook, .customAccessToken,
            [
                "user_id": .string(user.id), "claims": .object(claims),
                "authentication_method": .string(method?.rawValue ?? "token_refresh"),
            ])
        guard let changed = answer["claims"] else {
            throw GoTrueError.hook(500, "output claims field is missing")
        }
        guard let changed = changed.object else { throw GoTrueError.failure("Error unmarshaling JSON output.") }
        try ClaimsSchema.check(changed)
        return changed.sorted()
    }

    /// Asks the hook whether a user may be created.
    ///
    /// The hook gets the user before the row exists.
    func askBeforeCreating(_ user: User) throws {
        guard let hook = context.settings.hooks.beforeUserCreated else { return }
        var object = user.json
        object["role"] = ""
        object["identities"] = []
        object["created_at"] = "0001-01-01T00:00:00Z"
        object["updated_at"] = "0001-01-01T00:00:00Z"
        _ = try call(hook, .beforeUserCreated, ["user": .object(object)])
    }

    /// Calls the hook about a check of a password.
    ///
    /// - Returns: The hook's error, which may also end the user's sessions.
    func askAboutPassword(of user: User, isRight: Bool) throws -> (message: String, endsSessions: Bool)? {
        guard let hook = context.settings.hooks.passwordVerification else { return nil }
        let answer = try call(hook, .passwordVerification, ["user_id": .string(user.id), "valid": .bool(isRight)])
        guard let message = Self.rejection(answer, "Further password verification attempts will be rejected.") else { return nil }
        return (message, answer["should_logout_user"]?.bool ?? false)
    }

    /// Calls the hook about a check of a second factor.
    ///
    /// - Returns: The message of its error.
    func askAboutFactor(_ factor: Factor, of user: User, isRight: Bool) throws -> String? {
        guard let hook = context.settings.hooks.factorVerification else { return nil }
        let answer = try call(
            hook, .factorVerification,
            [
                "user_id": .string(user.id), "factor_id": .string(factor.id), "factor_type": .string(factor.kind.rawValue),
                "valid": .bool(isRight),
            ])
        return Self.rejection(answer, "Further MFA verification attempts will be rejected.")
    }

    private static func rejection(_ answer: JSON, _ usual: String) -> String? {
        guard answer["decision"]?.string == "reject" else { return nil }
        let message = answer["message"]?.string ?? ""
        return message.isEmpty ? usual : message
    }

    private static let deadline = Duration.seconds(5)
    private static let sizeLimit = 204_800

    /// Calls a hook once for a request: later runs of the handler reuse its response.
    ///
    /// - `occasion`: Distinguishes the calls of one request.
    private func call(_ hook: HookSettings.Hook, _ name: HookName, _ payload: JSONObject, occasion: String = "") throws -> JSON {
        let id = context.uuid()
        let messageID = context.uuid()
        // If another request changes rows meanwhile, the function must not be called a second time.
        let text = context.stableText("hook \(name.rawValue) \(occasion)") {
            var message: JSONObject = [
                "metadata": [
                    "uuid": .string(messageID), "time": Timestamp.json(context.now), "name": .string(name.rawValue),
                    "ip_address": .string(context.callerAddress),
                ]
            ]
            for (name, value) in payload { message[name] = value }
            return JSON.object(message).text()
        }
        let body = Array(text.utf8)
        let signing = WebhookSigning(id: id, secrets: hook.secrets)
        var headers = signing.headers(of: body, at: context.now, in: context.state.environment)
        headers["Content-Type"] = "application/json"
        headers["Accept-Encoding"] = "identity"
        let request = OutgoingRequest(
            "POST", hook.address, headers: headers, body: body, deadline: Self.deadline, event: name.rawValue,
            isNotice: name.isNotice, signing: signing)
        switch try context.result(of: request) {
        case .success(let answer): return try read(answer)
        case .failure(.timedOut):
            throw GoTrueError.hookTimedOut
        case .failure:
            throw GoTrueError.hookUnreachable
        }
    }

    private func read(_ answer: OutgoingResponse) throws -> JSON {
        switch answer.status {
        case 200, 202, 204: break
        case 429, 503: throw GoTrueError.failure("Service currently unavailable due to hook")
        case 400: throw GoTrueError.failure("Invalid payload sent to hook")
        case 401: throw GoTrueError.failure("Hook requires authorization token")
        default: throw GoTrueError.failure("Unexpected status code returned from hook: \(answer.status)")
        }
        if answer.status == 204 { return .object([:]) }
        guard !answer.contentType.isEmpty else {
            throw GoTrueError.hookWithoutType
        }
        let kind = answer.contentType.cut(at: ";").head.lowercased().filter { $0 != " " }
        guard kind == "application/json" else {
            throw GoTrueError.hookOfWrongType(answer.contentType)
        }
        guard answer.body.count <= Self.sizeLimit else {
            throw GoTrueError.hookTooLarge(limit: Self.sizeLimit)
        }
        guard let json = try? JSON.parse(answer.body), json.object != nil else {
            throw GoTrueError.failure("Error unmarshaling JSON output.")
        }
        // An error without a message is ignored.
        if let error = json["error"]?.object, let message = error["message"]?.string, !message.isEmpty {
            let status = Int(error["http_code"]?.int ?? 500)
            throw GoTrueError.hook((400...599).contains(status) ? status : 500, message)
        }
        return json
    }
}

/// The name of a hook in the message to it.
enum HookName: String, Sendable {
    case sendSMS = "send-sms"
    case sendEmail = "send-email"
    case customAccessToken = "customize-access-token"
    case beforeUserCreated = "before-user-created"
    case passwordVerification = "password-verification"
    case factorVerification = "mfa-verification"

    /// Whether the hook only sends a message, so that its call can be repeated separately.
    var isNotice: Bool { self == .sendSMS || self == .sendEmail }
}
