import LockstepDirectoryContracts
import LockstepEmulation
import LockstepHTTP
import Synchronization

/// A project of an emulator, with the patterns of its directory's requests for faults.
struct EmulatedProject: DirectoryProject {
    let panel: ControlPanel
    /// The requests of the emulator.
    let requests: [DirectoryRequest: RequestMatch]
    /// The provider's response to an internal error.
    let trouble: JSON
    /// The provider's response to too many requests.
    let refusal: JSON
    let makeDirectory: @Sendable (any DeviceClock) throws -> any UserDirectory
    let makeAdapter: @Sendable () throws -> any AuthAdapter
    private let faults = FaultRegister()

    init(
        panel: ControlPanel, requests: [DirectoryRequest: RequestMatch], trouble: JSON, refusal: JSON,
        makeDirectory: @escaping @Sendable (any DeviceClock) throws -> any UserDirectory,
        makeAdapter: @escaping @Sendable () throws -> any AuthAdapter
    ) {
        self.panel = panel
        self.requests = requests
        self.trouble = trouble
        self.refusal = refusal
        self.makeDirectory = makeDirectory
        self.makeAdapter = makeAdapter
    }

    func directory(clock: any DeviceClock) throws -> any UserDirectory { try makeDirectory(clock) }

    func adapter() throws -> any AuthAdapter { try makeAdapter() }

    func fail(_ request: DirectoryRequest, after passed: Int, with fault: DirectoryFault, times: Int) throws {
        guard let match = requests[request] else { throw UnknownRequest() }
        if passed > 0 { faults.add(try panel.fail(next: passed, match, with: .delay(.zero))) }
        let effect: FaultEffect =
            switch fault {
            case .tooMany(let seconds): .status(429, body: refusal, headers: ["Retry-After": String(seconds)])
            case .lostAnswer: .loseResponse
            case .lostRequest: .close
            case .trouble: .status(500, body: trouble)
            case .earlierAnswer:
                .changeResponse { [panel] response in
                    let earlier = panel.transcript.entries.last { match.matches($0.request) && $0.response.status == 200 }
                    return earlier?.response ?? response
                }
            }
        faults.add(try panel.fail(next: times, match, with: effect))
    }

    func mend() throws { faults.end() }

    func requestCount() throws -> Int { panel.transcript.count }
}

private struct UnknownRequest: Error {}

/// The faults of a project, to remove those that met no request.
private final class FaultRegister: Sendable {
    private let faults = Mutex<[LockstepEmulation.Fault]>([])

    func add(_ fault: LockstepEmulation.Fault) { faults.withLock { $0.append(fault) } }

    func end() {
        for fault in faults.withLock(\.self) { fault.disable() }
    }
}
