import LockstepHTTP
import LockstepPrimitives

/// The clock of a running emulator, which may differ from the machine's clock.
///
/// The distance between the two clocks is read once, so this clock is for a command that ends soon.
struct BackendClock: DeviceClock {
    private let machine = SystemClock()
    /// The time from the machine's clock to the emulator's clock.
    private let distance: Duration

    /// Reads the clock by the control routes of an emulator.
    ///
    /// The result is `nil` if the emulator does not return its time.
    ///
    /// - Parameters:
    ///   - document: The ready line of the emulator.
    ///   - transport: Sends the request.
    init?(of document: JSON, _ transport: some HTTPTransport) async {
        let request = HTTPRequest(
            .get, (document["base"]?.string ?? "") + "/__lockstep/clock",
            headers: ["Authorization": document["control"]?["Authorization"]?.string ?? ""])
        guard let response = try? await transport.send(request), response.status == 200,
            let now = (try? JSON.parse(response.body))?["now"]?.string.flatMap({ Instant(rfc3339: $0) })
        else { return nil }
        distance = now - machine.now
    }

    var now: Instant { machine.now + distance }
    var uptime: Duration { machine.uptime }
    var bootID: String { machine.bootID }
    func sleep(for duration: Duration) async throws { try await machine.sleep(for: duration) }
}
