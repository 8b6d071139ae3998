internal import Lockstep
internal import LockstepCrypto
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTokens

/// Asks a backend about a session.
struct SessionQuestion: Sendable {
    let transport: any HTTPTransport

    /// Sends it, within the time and size that an answer on the way of an app's request may take.
    ///
    /// - Throws: `sessionUnknown` where there is no answer, or one that is no JSON object.
    func send(_ request: HTTPRequest) async throws(TokenError) -> (status: Int, body: JSONObject) {
        var request = request
        (request.deadline, request.connectDeadline, request.responseLimit) = (.seconds(10), .seconds(5), 1 << 20)
        let response: HTTPResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw .unknown("no answer (\(error.code.rawValue))")
        }
        // A page of a proxy is no word of the backend.
        guard let body = (try? response.json())?.object else { throw .unknown("status \(response.status) without JSON") }
        return (response.status, body)
    }
}

extension SessionVerifier.Check {
    /// The question for each token, put together with the key to ask with; `nil` where nothing is asked.
    ///
    /// - Throws: `invalidConfiguration` for a key that no header takes, such as one with the line break of the file that it was read
    ///   from, and for a negative time.
    func question(
        by clock: any DeviceClock, _ make: (Secret) -> SessionVerifier.Question
    ) throws(AuthError) -> SessionVerifier.Question? {
        guard case .session(let key, let lifetime) = self else { return nil }
        guard !key.reveal().isEmpty, key.reveal().utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw AuthError(.invalidConfiguration, "The key that asks for sessions is empty, or has a space or line break in it.")
        }
        guard lifetime >= .zero else {
            throw AuthError(
                .invalidConfiguration, "The time for which an answer is kept is negative: leave it out to ask each time.")
        }
        let question = make(key)
        guard lifetime > .zero else { return question }
        let answers = SessionAnswers(to: question, keptFor: lifetime, clock: clock)
        return { token, session throws(TokenError) in try await answers.answer(for: token, session) }
    }
}

/// The answers of a backend about sessions, each kept for a while.
///
/// Callers with one token share a question, also while it is under way. An answer counts from the moment of the question: what ends a
/// session is seen at most ``lifetime`` later.
actor SessionAnswers {
    private typealias Answer = Result<Void, TokenError>

    /// How many tokens it has answers for at most: the oldest ones make room, and are asked about again.
    static let capacity = 10_000

    private let question: SessionVerifier.Question
    private let lifetime: Duration
    private let clock: any DeviceClock
    /// By a digest of the token, which is no secret.
    private var answers: [[UInt8]: (askedAt: Duration, task: Task<Answer, Never>)] = [:]
    /// The questions in the order of their time; one whose answer was not kept is among them.
    private var asked: ArraySlice<(token: [UInt8], at: Duration)> = []

    init(to question: @escaping SessionVerifier.Question, keptFor lifetime: Duration, clock: any DeviceClock) {
        self.question = question
        self.lifetime = lifetime
        self.clock = clock
    }

    /// Asks about the session of a token, unless the answer is known.
    ///
    /// - Throws: what the question does. `sessionEnded` is kept as a good answer is; nothing else is: it may be over with the next
    ///   request.
    func answer(for token: Secret, _ session: VerifiedSession) async throws(TokenError) {
        let id = HashFunction.sha256.digest(Array(token.reveal().utf8))
        let now = clock.uptime
        // A clock that went back leaves the age of every answer unknown.
        if let newest = asked.last, now < newest.at {
            asked = []
            answers = [:]
        }
        while let oldest = asked.first, now - oldest.at >= lifetime { forget(oldest) }
        if let known = answers[id] { return try await known.task.value.get() }
        let task = Task { @concurrent [question] () -> Answer in
            do throws(TokenError) {
                return .success(try await question(token, session))
            } catch {
                return .failure(error)
            }
        }
        while let oldest = asked.first, asked.count >= Self.capacity { forget(oldest) }
        answers[id] = (now, task)
        asked.append((id, now))
        do throws(TokenError) {
            try await task.value.get()
        } catch {
            if error.code != .sessionEnded, answers[id]?.task == task { answers[id] = nil }
            throw error
        }
    }

    /// Forgets the oldest question, and its answer unless the token was asked about again.
    private func forget(_ oldest: (token: [UInt8], at: Duration)) {
        asked.removeFirst()
        if answers[oldest.token]?.askedAt == oldest.at { answers[oldest.token] = nil }
    }
}
