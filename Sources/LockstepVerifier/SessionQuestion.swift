internal import Lockstep
internal import LockstepCrypto
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTokens

/// A request that asks a backend about a session.
struct SessionQuestion: Sendable {
    let transport: any HTTPTransport

    /// Sends the request, with limits of time and size that are acceptable during a request of an app.
    ///
    /// - Throws: `sessionUnknown` if there is no response, or if the response is not a JSON object.
    func send(_ request: HTTPRequest) async throws(TokenError) -> (status: Int, body: JSONObject) {
        var request = request
        (request.deadline, request.connectDeadline, request.responseLimit) = (.seconds(10), .seconds(5), 1 << 20)
        let response: HTTPResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw .unknown("no response (\(error.code.rawValue))")
        }
        // A proxy's page is not a response of the backend.
        guard let body = (try? response.json())?.object else { throw .unknown("status \(response.status) without JSON") }
        return (response.status, body)
    }
}

extension SessionVerifier.Check {
    /// Returns the request for each token, with the key that authorizes it; `nil` if no request is needed.
    ///
    /// - Throws: `invalidConfiguration` if no header can contain the key, for example because the key ends with the
    ///   line break of its file, or if the time is negative.
    func question(
        by clock: any DeviceClock, _ make: (Secret) -> SessionVerifier.Question
    ) throws(AuthError) -> SessionVerifier.Question? {
        guard case .session(let key, let lifetime) = self else { return nil }
        guard !key.reveal().isEmpty, key.reveal().utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw AuthError(.invalidConfiguration, "The key for session requests is empty, or contains a space or a line break.")
        }
        guard lifetime >= .zero else {
            throw AuthError(
                .invalidConfiguration, "The lifetime of cached responses is negative. Omit it to send a request for each token.")
        }
        let question = make(key)
        guard lifetime > .zero else { return question }
        let answers = SessionAnswers(to: question, keptFor: lifetime, clock: clock)
        return { token, session throws(TokenError) in try await answers.answer(for: token, session) }
    }
}

/// The responses of a backend about sessions. Each response is cached for some time.
///
/// Callers with the same token share a request, even while it is in progress. The age of a response is measured from
/// the start of its request. So an ended session is noticed at most ``lifetime`` later.
actor SessionAnswers {
    private typealias Answer = Result<Void, TokenError>

    /// The maximum number of cached tokens.
    ///
    /// Beyond it, the oldest ones are removed, and requested again if necessary.
    static let capacity = 10_000

    private let question: SessionVerifier.Question
    private let lifetime: Duration
    private let clock: any DeviceClock
    /// The responses, by a digest of the token.
    ///
    /// The digest is not a secret.
    private var answers: [[UInt8]: (askedAt: Duration, task: Task<Answer, Never>)] = [:]
    /// The requests in the order of their time, including those whose response was not cached.
    private var asked: ArraySlice<(token: [UInt8], at: Duration)> = []

    init(to question: @escaping SessionVerifier.Question, keptFor lifetime: Duration, clock: any DeviceClock) {
        self.question = question
        self.lifetime = lifetime
        self.clock = clock
    }

    /// Asks about the session of a token, unless a response is cached.
    ///
    /// - Throws: The errors of the request. `sessionEnded` is cached like a success. Other errors are not cached,
    ///   because the next request may succeed.
    func answer(for token: Secret, _ session: VerifiedSession) async throws(TokenError) {
        let id = HashFunction.sha256.digest(Array(token.reveal().utf8))
        let now = clock.uptime
        // If the clock went back, the age of every response is unknown.
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

    /// Removes the oldest request, and its response unless the token was requested again.
    private func forget(_ oldest: (token: [UInt8], at: Duration)) {
        asked.removeFirst()
        if answers[oldest.token]?.askedAt == oldest.at { answers[oldest.token] = nil }
    }
}
