internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTestSupport
internal import LockstepTokens

/// Repeats a recorded conversation over HTTP, and records the differences.
struct Replay {
    let recording: Recording
    let server: TestedServer
    let transport: any HTTPTransport
    let issuerKey: SigningKey
    private var hands: ServerControls
    var bindings: Bindings
    /// The server's clock, as far as the conversation has moved it.
    let clock: ManualClock
    var differences: [Difference] = []

    init(
        _ recording: Recording, with server: TestedServer, over transport: any HTTPTransport, issuerKey: SigningKey,
        randomness: any Randomness
    ) {
        self.recording = recording
        self.server = server
        self.transport = transport
        self.issuerKey = issuerKey
        hands = ServerControls(server, over: transport)
        bindings = server.bindings(randomness)
        clock = ManualClock(base: server.clock)
    }

    /// The differences.
    ///
    /// A step that cannot be carried out is the last one.
    static func differences(
        _ recording: Recording, with server: TestedServer, over transport: any HTTPTransport, issuerKey: SigningKey,
        randomness: any Randomness
    ) async -> [Difference] {
        var replay = Replay(recording, with: server, over: transport, issuerKey: issuerKey, randomness: randomness)
        do {
            try await replay.hands.reset()
        } catch {
            return [Difference(step: "0", path: "reset", expected: "a server that forgets everything", got: "\(error)")]
        }
        for (number, step) in recording.steps.enumerated() {
            do {
                guard try await replay.have(step, "\(number)") else { break }
            } catch {
                replay.note("\(number)", "the step", "one that can be carried out", "\(error)")
                break
            }
        }
        return replay.differences
    }

    /// Whether the conversation can continue.
    private mutating func have(_ step: RecordedStep, _ number: String) async throws -> Bool {
        switch step {
        case .exchange(let exchange): hold(try await send(exchange), against: exchange, as: number, isAlone: true)
        case .together(let exchanges): try await have(exchanges, number)
        case .advance(let seconds):
            try await hands.advance(by: seconds)
            if !server.movesRows { clock.advance(by: .seconds(seconds)) }
        case .mail(let to, let link, let hasCode): return try await take(to, link, hasCode, number)
        case .noMail(let to):
            let address = try bindings.filled(to).string ?? ""
            if let mail = try await hands.takeMail(to: address, mailTimeout: min(server.mailTimeout, .milliseconds(400))) {
                note(number, "mail to \(address)", "none", mail.links.first ?? "one without a link")
            }
        case .message(let to):
            let phone = try bindings.filled(to).string ?? ""
            guard let code = try await hands.code(to: phone) else {
                note(number, "message to \(phone)", "one", "none")
                return false
            }
            bindings.bind(["code": .string(code)], as: "\(number).sms", step: number)
        }
        return true
    }

    private mutating func take(_ to: String, _ link: JSON?, _ hasCode: Bool, _ number: String) async throws -> Bool {
        let address = try bindings.filled(to).string ?? ""
        guard let mail = try await hands.takeMail(to: address, mailTimeout: server.mailTimeout) else {
            note(number, "mail to \(address)", "one", "none")
            return false
        }
        var values: JSONObject = ["code": mail.code.map(JSON.string) ?? .null, "links": .array(mail.links.map(JSON.string))]
        if let link = mail.links.first { values["query"] = SplitAddress(link).json["query"] }
        bindings.bind(.object(values), as: "\(number).mail", step: number)
        var comparison = comparison(number)
        if let link { comparison.compare(link, mail.links.first.map(JSON.string) ?? .null, at: "mail.link") }
        if hasCode != (mail.code != nil) { comparison.add("mail.code", hasCode ? "a code" : "none", mail.code ?? "none") }
        differences += comparison.differences
        return true
    }

    func comparison(_ step: String) -> Comparison {
        Comparison(
            bindings, step: step, now: clock.now, unordered: recording.unordered, holdsLengths: recording.provider == "gotrue")
    }

    private mutating func note(_ step: String, _ path: String, _ expected: String, _ got: String) {
        differences.append(Difference(step: step, path: path, expected: expected, got: got))
    }
}
