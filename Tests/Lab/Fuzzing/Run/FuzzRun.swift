internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSystem

/// Sends requests that depend on a seed to an emulator, and checks every response against the provider's format.
package struct FuzzRun: Sendable {
    /// The providers that can be fuzzed.
    package static let providers = ["gotrue", "firebase", "clerk"]

    let provider: String
    let seed: UInt64
    let responseTimeout: Duration

    /// - Parameters:
    ///   - provider: one of ``providers``.
    ///   - seed: determines the whole run.
    ///   - responseTimeout: how long a response may take; a busy machine needs more of it.
    package init(_ provider: String, seed: UInt64, responseTimeout: Duration = .seconds(5)) {
        self.provider = provider
        self.seed = seed
        self.responseTimeout = responseTimeout
    }

    /// Sends this many requests, and blocks its own thread meanwhile.
    ///
    /// - Throws: An error if the emulator cannot start.
    package func send(_ count: Int) async throws -> FuzzFindings {
        try await BlockingThread.run { try sendBlocking(count) }
    }

    private func target() throws -> FuzzTarget {
        switch provider {
        case "gotrue": try .goTrue(seed: seed)
        case "firebase": try .firebase(seed: seed)
        case "clerk": try .clerk(seed: seed)
        default: throw FuzzError("there is no provider \(provider)")
        }
    }

    private func sendBlocking(_ count: Int) throws -> FuzzFindings {
        let target = try target()
        defer { target.server.stop() }
        let host = String(target.server.base.dropFirst("http://".count))
        guard let port = Int(host.drop { $0 != ":" }.dropFirst()) else { throw FuzzError("no port in \(host)") }
        let connection = FuzzConnection(port: port, responseTimeout: responseTimeout)
        let dice = Dice(seed: seed)
        var generator = FuzzGenerator(
            dice: dice, routes: target.routes.sorted { ($0.path, $0.method) < ($1.path, $1.method) }, callers: target.callers,
            fitting: target.fitting, isQuiet: target.isQuiet,
            isForm: target.isForm)
        for (name, value) in target.known { generator.pool.learn(name, value) }
        var findings = FuzzFindings()
        var mails = 0
        for number in 0..<count {
            let request = generator.request()
            do {
                let response = try connection.exchange(request.bytes(host: host), request)
                findings.count(response.status)
                if let fault = target.fault(in: response, to: request) { note(fault) }
                if let json = response.isJSON ? response.json : nil { generator.pool.learn(json) }
                if let client = response["authorization"] { generator.pool.learn("client", client) }
                if let location = response["location"] { learn(location, &generator.pool) }
            } catch let fault as FuzzConnection.Fault {
                findings.count(0)
                if request.isFramed || fault.isSilence { note(fault.description) }
            }
            learnMessages(target, &mails, &generator.pool)
            if dice.hits(oneIn: 200) { target.server.panel.advance(by: .seconds(Int64(dice.pick([1, 61, 3601, 90_000])))) }
            if number % 250 == 249 { check(number) }
            if findings.all.count >= 20 { break }

            func note(_ fault: String) { findings.note(provider, seed, number, fault, request.line(host: host)) }
            func check(_ number: Int) {
                let health = FuzzRequest(method: "GET", target: target.health, headers: [], body: [])
                let status = try? connection.exchange(health.bytes(host: host), health).status
                if status != 200 {
                    findings.note(provider, seed, number, "the server is not healthy any more: \(status ?? 0)", health.target)
                }
            }
        }
        return findings
    }

    private func learn(_ location: String, _ pool: inout ValuePool) {
        for piece in location.split(whereSeparator: { "?#&".contains($0) }).dropFirst() {
            let pair = piece.split(separator: "=", maxSplits: 1)
            if pair.count == 2, let value = Percent.decode(pair[1]) { pool.learn(String(pair[0]), value) }
        }
    }

    /// Codes and tokens that were sent by mail and text message.
    private func learnMessages(_ target: FuzzTarget, _ seen: inout Int, _ pool: inout ValuePool) {
        let outbox = target.server.panel.outbox
        let mails = outbox.mails
        let count = mails.count + outbox.shortMessages.count
        guard count != seen else { return }
        seen = count
        if let mail = mails.first {
            if let link = mail.link { learn(link, &pool) }
            if let code = mail.subject.split(separator: " ").last {
                pool.learn("token", String(code)); pool.learn("nonce", String(code))
            }
        }
        if let code = outbox.shortMessages.first?.code {
            pool.learn("token", code)
            pool.learn("code", code)
        }
    }
}
