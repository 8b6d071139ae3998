internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The dependencies of every part of the adapter: the wire, the clock, the randomness.
struct GoTrueAPI: Sendable {
    let configuration: GoTrueConfiguration
    let wire: GoTrueWire
    let clock: any DeviceClock
    let randomness: any Randomness

    init(
        configuration: GoTrueConfiguration, transport: some HTTPTransport, clock: any DeviceClock, randomness: any Randomness
    ) {
        self.configuration = configuration
        self.clock = clock
        self.randomness = randomness
        wire = GoTrueWire(
            url: configuration.url, key: configuration.key, deadline: configuration.deadline, transport: transport)
    }

    /// Sends a request whose answer is a JSON object.
    ///
    /// - Parameter token: the access token of the user whom the request is about.
    func call(
        _ method: HTTPMethod, _ path: BackendPath, query: HTTPForm = [:], body: JSONObject? = nil, as token: Secret? = nil
    ) async throws(AuthError) -> JSONResponse {
        try await wire.call(method, path, query: query, body: body, as: token)
    }
}
