internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives

extension Turn {
    private static let deadline = Duration.seconds(5)
    private static let sizeLimit = 204_800

    /// Calls a hook once for a request: later runs of the handler reuse its answer.
    ///
    /// - Parameter occasion: Distinguishes the calls of one request.
    mutating func call(
        _ hook: HookSettings.Hook, _ name: HookName, _ payload: JSONObject, occasion: String = ""
    ) throws -> JSON {
        let key = "hook \(name.rawValue) \(occasion)"
        let id = uuid()
        if memory.codes[key] == nil {
            var message: JSONObject = [
                "metadata": [
                    "uuid": .string(uuid()), "time": Timestamp.json(now), "name": .string(name.rawValue),
                    "ip_address": .string(callerAddress),
                ]
            ]
            for (name, value) in payload { message[name] = value }
            memory.codes[key] = JSON.object(message).text()
            memory.codes[key + " time"] = String(now.seconds)
        } else {
            // Every run takes the same ids from the sequence.
            _ = uuid()
        }
        let body = Array((memory.codes[key] ?? "").utf8)
        let stamp = memory.codes[key + " time"] ?? ""
        let signatures = hook.secrets.compactMap { Self.signature(of: "\(id).\(stamp).", body, with: $0) }
        let headers = [
            "Content-Type": "application/json", "webhook-id": id, "webhook-timestamp": stamp,
            "webhook-signature": signatures.joined(separator: ", "), "Accept-Encoding": "identity",
        ]
        let request = OutgoingRequest("POST", hook.address, headers: headers, body: body, deadline: Self.deadline)
        switch try result(of: .send(request)) {
        case .answer(let answer): return try read(answer)
        case .failure(.timedOut):
            throw GoTrueError.unprocessable(.hookTimeout, "Failed to reach hook within maximum time of 5.000000 seconds")
        default:
            throw GoTrueError.unprocessable(.hookTimeoutAfterRetry, "Failed to reach hook after maximum retries")
        }
    }

    private func read(_ answer: OutgoingAnswer) throws -> JSON {
        switch answer.status {
        case 200, 202, 204: break
        case 429, 503: throw GoTrueError.failure("Service currently unavailable due to hook")
        case 400: throw GoTrueError.failure("Invalid payload sent to hook")
        case 401: throw GoTrueError.failure("Hook requires authorization token")
        default: throw GoTrueError.failure("Unexpected status code returned from hook: \(answer.status)")
        }
        if answer.status == 204 { return .object([:]) }
        guard !answer.contentType.isEmpty else {
            throw GoTrueError.bad(.hookContentType, "Invalid Content-Type: Missing Content-Type header")
        }
        let kind = answer.contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard kind == "application/json" else {
            throw GoTrueError.bad(
                .hookContentType, "Invalid JSON response. Received content-type: \(answer.contentType)")
        }
        guard answer.body.count <= Self.sizeLimit else {
            throw GoTrueError.unprocessable(
                .hookOverSizeLimit, "Payload size exceeded size limit of \(Self.sizeLimit) bytes")
        }
        guard let json = try? JSON.parse(answer.body), json.object != nil else {
            throw GoTrueError.failure("Error unmarshaling JSON output.")
        }
        // An error without a message does not count.
        if let error = json["error"]?.object, let message = error["message"]?.string, !message.isEmpty {
            let status = Int(error["http_code"]?.int ?? 500)
            throw GoTrueError(status: (400...599).contains(status) ? status : 500, form: .hook, message: message)
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
