import Lockstep
import LockstepClerk
import LockstepContracts
import LockstepCurl
import LockstepEmulatorTestSupport
import LockstepFirebase
import LockstepGoTrue
import LockstepHTTP
import LockstepInMemoryHarness
import LockstepPrimitives
import LockstepSystem
import LockstepTestSupport

/// The backend of `lockstep try`: an emulator with its controls, or a real project without controls.
struct TryProject: Sendable {
    let name: String
    let adapter: any AuthAdapter
    let clock: any DeviceClock
    let randomness: any Randomness
    /// The emulator's controls: its inbox, its browser, its clock; `nil` for a real project.
    var controls: TestEnvironment?
    /// The last requests of the app, oldest first: method, address and status.
    let requests: @Sendable () -> [String]

    /// The project of an emulator.
    init(_ name: String, _ environment: TestEnvironment) {
        self.name = name
        adapter = environment.adapter
        clock = environment.clock
        randomness = environment.randomness
        controls = environment
        let trace = environment.trace
        requests = { (trace as? WireTrace)?.trace.exchanges.map(\.line) ?? trace?.requests?.map(\.name) ?? [] }
    }

    /// A real project.
    ///
    /// - Parameters:
    ///   - makeAdapter: Creates the adapter, which uses the given transport.
    /// - Throws: The errors of the passed closure.
    private init(_ name: String, _ makeAdapter: (TracingTransport) throws -> any AuthAdapter) rethrows {
        self.name = name
        clock = SystemClock()
        randomness = SystemRandomness()
        let trace = HTTPTrace(limit: 64)
        adapter = try makeAdapter(TracingTransport(CurlTransport(), clock: clock, trace: trace))
        requests = { trace.exchanges.map(\.line) }
    }

    /// Returns the user's own project.
    ///
    /// - Parameters:
    ///   - key: Its public key, which an app also contains.
    ///   - callback: The callback address.
    /// - Throws: `invalidConfiguration`, which says what is wrong.
    static func real(_ name: String, url: String?, key: String, callback: String?) throws -> TryProject {
        switch name {
        case "firebase":
            return try TryProject(name) { try FirebaseAdapter(key: key, callback: callback, transport: $0) }
        case "clerk":
            return try TryProject(name) { try ClerkAdapter(key: key, callback: callback, transport: $0) }
        default:
            guard let url else {
                throw UsageError("gotrue needs the project's address. Add --url https://….supabase.co/auth/v1.")
            }
            return try TryProject(name) { try GoTrueAdapter(url: url, key: key, callback: callback, transport: $0) }
        }
    }

    // MARK: Emulators

    /// A provider's emulator, in a sentence.
    static func title(of name: String) -> String {
        name == InMemoryHarness.name ? "a backend in this process" : "the \(Providers.title(of: name)) emulator"
    }

    static let names = Providers.names + [InMemoryHarness.name]

    /// A clock that runs in real time, and faster if the user chooses it.
    private static let harnesses: [any Harness] =
        Providers.harnesses(at: SystemClock()) + [InMemoryHarness(time: SystemClock())]

    /// Returns the harness of a provider, and its variant of that name.
    ///
    /// - Parameters:
    ///   - variant: The variant; `nil` for the default variant of the hosted platform.
    /// - Throws: ``UsageError`` if there is no such variant.
    static func emulator(_ name: String, variant: String?) throws(UsageError) -> (any Harness, Variant) {
        guard let harness = harnesses.first(where: { $0.name == name }) else {
            throw UsageError("there is no provider \"\(name)\".")
        }
        var seen: Set<String> = []
        let variants = (harness.variants + harness.comparedVariants).filter { seen.insert($0.name).inserted }
        let wanted = variant ?? (name == "memory" ? "code" : harness.comparedVariants.first?.name)
        guard let found = variants.first(where: { $0.name == wanted }) else {
            throw UsageError(
                "invalid value \"\(variant ?? "")\" for --variant: expected " + variants.map(\.name).listedAsChoice + "."
                    + variants.map(\.name).suggestion(for: variant ?? ""))
        }
        return (harness, found)
    }
}

extension HTTPExchange {
    /// The method, the address without its host, and the result.
    fileprivate var line: String {
        let address = url.firstRange(of: "://").flatMap { scheme in
            url[scheme.upperBound...].firstIndex(of: "/").map { String(url[$0...]) }
        }
        return "\(method.rawValue) \(address ?? url) \(status.map(String.init) ?? "no response")"
    }
}
