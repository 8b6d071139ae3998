internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives

extension Turn {
    private static let patience = Duration.seconds(5)

    mutating func callSMSHook(_ hook: HookSettings.Hook, _ code: String, to phone: String, _ user: User, isFactor: Bool) throws {
        var message: JSONObject = ["otp": .string(code)]
        if isFactor {
            message["phone"] = .string(phone)
            message["sms_type"] = "mfa"
        } else {
            message["phone"] = .string(phone)
        }
        _ = try call(hook, ["user": .object(stable(user)), "sms": .object(message)], key: "sms \(phone) \(code)")
    }

    mutating func callEmailHook(_ hook: HookSettings.Hook, _ letter: Letter, _ user: User) throws {
        let isNew = letter.purpose == .emailChange && letter.address == user.emailChange
        var data: JSONObject = [
            "token": .string(isNew ? "" : letter.code), "token_hash": .string(isNew ? "" : letter.values["TokenHash"] ?? ""),
            "redirect_to": .string(letter.values["RedirectTo"] ?? ""),
            "email_action_type": .string(letter.purpose.linkType), "site_url": .string(core.base),
        ]
        data["token_new"] = .string(isNew ? letter.code : "")
        data["token_hash_new"] = .string(isNew ? letter.values["TokenHash"] ?? "" : "")
        _ = try call(
            hook, ["user": .object(stable(user)), "email_data": .object(data)], key: "mail \(letter.address) \(letter.code)")
    }

    /// Lets the hook change the claims of an access token.
    mutating func hooked(_ claims: JSONObject, user: User, method: AuthenticationMethod?) throws -> JSONObject {
        guard let hook = settings.hooks.customAccessToken else { return claims }
        var stable = claims
        for name in ["exp", "iat", "session_id", "amr"] { stable[name] = nil }
        let answer = try call(
            hook,
            [
                "user_id": .string(user.id), "claims": .object(claims),
                "authentication_method": .string(method?.rawValue ?? "token_refresh"),
            ], key: "token \(JSON.object(stable).text())")
        guard let changed = answer["claims"]?.object else {
            throw GoTrueError.failure("Custom access token hook returned no claims")
        }
        return changed
    }

    /// Asks the hook whether a user may be made.
    mutating func askBeforeCreating(_ user: User) throws {
        guard let hook = settings.hooks.beforeUserCreated else { return }
        _ = try call(hook, ["user": .object(stable(user))], key: "create \(user.email) \(user.phone)")
    }

    /// A user whose times and ids do not change from run to run would be another request each time.
    private func stable(_ user: User) -> JSONObject { user.json }

    /// Calls a hook once for a request: later runs of the handler find its answer under `key`.
    private mutating func call(_ hook: HookSettings.Hook, _ payload: JSON, key: String) throws -> JSON {
        if memory.codes["hook " + key] == nil {
            memory.codes["hook " + key] = payload.text()
            memory.codes["hook id " + key] = uuid()
        }
        let body = Array((memory.codes["hook " + key] ?? "").utf8)
        let id = memory.codes["hook id " + key] ?? ""
        var headers = ["Content-Type": "application/json", "webhook-id": id]
        let stamp = memory.codes["hook time " + key] ?? String(now.seconds)
        memory.codes["hook time " + key] = stamp
        headers["webhook-timestamp"] = stamp
        let signatures = hook.secrets.compactMap { Self.signature(of: "\(id).\(stamp).", body, with: $0) }
        if !signatures.isEmpty { headers["webhook-signature"] = signatures.joined(separator: " ") }
        let request = OutgoingRequest("POST", hook.address, headers: headers, body: body, deadline: Self.patience)
        switch try result(of: .send(request)) {
        case .answer(let answer): return try read(answer)
        case .failure(.timedOut):
            throw GoTrueError.unprocessable(.hookTimeout, "Failed to reach hook within maximum time of 5.000000 seconds")
        default:
            throw GoTrueError.unprocessable(
                ErrorCode(rawValue: "hook_timeout_after_retry"), "Failed to reach hook after maximum retries")
        }
    }

    private func read(_ answer: OutgoingAnswer) throws -> JSON {
        if answer.status == 204 { return .object([:]) }
        guard (200...202).contains(answer.status) else {
            throw GoTrueError.failure("Unexpected status code returned from hook: \(answer.status)")
        }
        guard answer.contentType.lowercased().hasPrefix("application/json") else {
            throw GoTrueError.bad(
                .hookContentType, "Invalid JSON response. Received content-type: \(answer.contentType.prefix { $0 != ";" })")
        }
        guard let json = try? JSON.parse(answer.body) else {
            throw GoTrueError.failure("Error unmarshaling JSON output.")
        }
        if let error = json["error"]?.object {
            let status = Int(error["http_code"]?.int ?? 500)
            throw GoTrueError(
                status: (400...599).contains(status) ? status : 500, form: .hook, message: error["message"]?.string ?? "")
        }
        return json
    }

    /// As Standard Webhooks signs: `v1,` and a base-64 HMAC.
    private static func signature(of prefix: String, _ body: [UInt8], with secret: Secret) -> String? {
        let text = secret.reveal()
        guard let mark = text.firstRange(of: "whsec_"), let key = Base64.decode(text[mark.upperBound...]) else { return nil }
        return "v1," + Base64.encode(HashFunction.sha256.authenticate(Array(prefix.utf8) + body, key: key))
    }
}
