import LockstepDirectoryContracts
import LockstepEmulation
import LockstepHTTP

/// A project of an emulator, with the requests of its directory as faults find them.
struct EmulatedProject: DirectoryProject {
    let panel: ControlPanel
    /// Which requests of the emulator are meant.
    let requests: [DirectoryRequest: RequestMatch]
    /// The provider's answer when something is wrong with itself.
    let trouble: JSON
    /// The provider's refusal of one request too many.
    let refusal: JSON
    let makeDirectory: @Sendable (any DeviceClock) throws -> any UserDirectory
    let makeAdapter: @Sendable () throws -> any AuthAdapter

    func directory(clock: any DeviceClock) throws -> any UserDirectory { try makeDirectory(clock) }

    func adapter() throws -> any AuthAdapter { try makeAdapter() }

    func fail(_ request: DirectoryRequest, after passed: Int, with fault: DirectoryFault) throws {
        guard let match = requests[request] else { throw UnknownRequest() }
        if passed > 0 { panel.fail(next: passed, match, with: .delay(.zero)) }
        switch fault {
        case .tooMany(let seconds):
            panel.fail(match, with: .status(429, body: refusal, headers: ["Retry-After": String(seconds)]))
        case .lostAnswer: panel.fail(match, with: .loseResponse)
        case .lostRequest: panel.fail(match, with: .close)
        case .trouble: panel.fail(match, with: .status(500, body: trouble))
        }
    }

    func requestCount() throws -> Int { panel.transcript.count }
}

private struct UnknownRequest: Error {}
