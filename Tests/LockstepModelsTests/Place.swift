import LockstepContracts
import LockstepInMemoryHarness
import Testing

#if canImport(LockstepHarnesses)
import LockstepHarnesses
#endif

/// The backend of a journey: a provider's emulator in one configuration, or the adapter in memory.
///
/// `make quick` builds no emulator and skips the journeys that need one.
struct Place: Sendable, CustomTestStringConvertible {
    private let name: String
    /// `nil` if this build has no emulators.
    private let harness: (any Harness)?
    private let variant: String

    private init(_ harness: any Harness, _ variant: String) {
        (name, self.harness, self.variant) = (harness.name, harness, variant)
    }

    private init(absent name: String, _ variant: String) {
        (self.name, harness, self.variant) = (name, nil, variant)
    }

    var testDescription: String { "\(name) \(variant)" }

    static let code = Place(InMemoryHarness(), "code")
    static let link = Place(InMemoryHarness(), "link")
    static let limited = Place(InMemoryHarness(), "limited")
    static let open = Place(InMemoryHarness(), "open")
    static let automatic = Place(InMemoryHarness(), "automatic")
    static let cautious = Place(InMemoryHarness(), "cautious")
    static let guests = Place(InMemoryHarness(), "guests")
    #if canImport(LockstepHarnesses)
    private static let clerks = ClerkHarness()
    static let firebase = Place(FirebaseHarness(), "protected")
    static let goTrue = Place(GoTrueHarness(), "confirmed")
    static let clerk = Place(clerks, "usual")
    static let clerkNewDevice = Place(clerks, "client-trust")
    #else
    static let firebase = Place(absent: "firebase", "protected")
    static let goTrue = Place(absent: "gotrue", "confirmed")
    static let clerk = Place(absent: "clerk", "usual")
    static let clerkNewDevice = Place(absent: "clerk", "client-trust")
    #endif

    /// The three emulators, and the behaviors of the adapter in memory.
    static let all = [code, link, limited, open, firebase, goTrue, clerk]
    /// The places with guests.
    static let withGuests = [code, link, limited, open, firebase, goTrue]

    /// Runs a journey with a new backend.
    func run(_ journey: @MainActor @Sendable (Backend) async throws -> Void) async throws {
        guard let harness else {
            #if compiler(>=6.3)
            try Test.cancel("this build has no emulators")
            #else
            return
            #endif
        }
        let variant = try #require(harness.variants.first { $0.name == self.variant })
        try await harness.withEnvironment(variant) { environment in
            try await journey(Backend(environment: environment))
        }
    }
}
