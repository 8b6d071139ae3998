internal import LockstepEmulation
import LockstepPrimitives

/// Takes requests to the Frontend API through identity, handler and envelope.
struct FrontendService: Sendable {
    typealias Handler = @Sendable (FrontendCall) throws -> FrontendAnswer

    let instance: Instance

    func reply(_ request: EmulatorRequest, _ handler: @escaping Handler) -> Reply {
        let trace = instance.randomness.text(32, of: "0123456789abcdef")
        if instance.settings.limitsRates, let refusal = instance.gate.refusal(of: request) {
            return .now(refusal.response(trace: trace))
        }
        let parsed: FrontendRequest
        do throws(ClerkError) {
            parsed = try FrontendRequest(request, settings: instance.settings)
        } catch {
            return .now(error.response(trace: trace))
        }
        return RequestRunner(instance: instance).reply { exchange in
            let call = FrontendCall(exchange: exchange, request: parsed)
            try identify(call)
            let answer = try handler(call)
            return try response(call, answer)
        } refused: { refusal in
            refusal.response(trace: trace)
        }
    }

    /// Finds the client that the request names: by its token, or by the browser of a development instance.
    private func identify(_ call: FrontendCall) throws {
        let clients = ClientBook(exchange: call.exchange)
        if let token = call.request.clientToken { call.client = try clients.find(token: token) }
        guard call.client == nil, let browser = call.request.devBrowser else { return }
        guard let row = try call.store.find(NonceRecord.self, "nonce = ? AND kind = 'dev_browser'", .text(browser)) else {
            throw ClerkError.devBrowser
        }
        if let id = row.subject { call.client = try clients.find(id: id) }
    }

    private func response(_ call: FrontendCall, _ answer: FrontendAnswer) throws -> EmulatorResponse {
        var response: EmulatorResponse
        if let location = call.redirect {
            response = .redirect(to: location, status: call.redirectStatus)
        } else {
            response = try body(call, answer)
        }
        try identity(call, &response)
        for cookie in call.cookies { response.headers.add("Set-Cookie", cookie) }
        return response
    }

    private func body(_ call: FrontendCall, _ answer: FrontendAnswer) throws -> EmulatorResponse {
        switch answer {
        case .bare(let json): return .json(json)
        case .page(let page): return .html(page)
        case .client: return .json(["response": try client(call), "client": nil])
        case .resource(let resource): return .json(["response": resource, "client": try client(call)])
        }
    }

    private func client(_ call: FrontendCall) throws -> JSON {
        try call.reloadClient()
        return try call.client.map { try ClientJSON(exchange: call.exchange, audience: call.audience).client($0) } ?? .null
    }

    /// Sends the device its token where it lacks the current one, as a header or a cookie.
    private func identity(_ call: FrontendCall, _ response: inout EmulatorResponse) throws {
        let request = call.request
        if call.clearsIdentity {
            // A scheme without a token means "delete yours" (reference, section 1.3): an empty header cannot be sent.
            if request.keepsTokenInHeader { response.headers.add("Authorization", "Bearer") }
            response.headers.add("Set-Cookie", Cookies.client("", lifetime: 0))
            return
        }
        guard let client = call.client, client.token != request.clientToken else { return }
        if request.keepsTokenInHeader { return response.headers.add("Authorization", client.token) }
        if let browser = request.devBrowser {
            try call.store.run("UPDATE nonces SET subject = ? WHERE nonce = ?", .text(client.id), .text(browser))
        }
        response.headers.add("Set-Cookie", Cookies.client(client.token, lifetime: 315_360_000))
    }
}
