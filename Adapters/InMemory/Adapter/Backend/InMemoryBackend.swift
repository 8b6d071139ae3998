internal import Lockstep
public import LockstepPrimitives

/// A backend in the same process, with users, sessions, codes, links and messages.
///
/// The backend keeps the messages that a real backend would send. The backend has its own clock, which a test can move
/// separately from the device's clock.
///
/// ```swift
/// let backend = InMemoryBackend(.confirmingByCode)
/// await backend.create(email: "ada@example.com", password: "correct horse battery staple")
/// await backend.inject(.hang, on: .refresh, times: 1)
/// print(await backend.messages.map(\.recipient))
/// ```
public actor InMemoryBackend {
    /// The settings with which the backend was created.
    public nonisolated let settings: InMemorySettings
    /// The id of the backend, which is unique in the process.
    public nonisolated let id: String
    /// The record of all requests to the backend.
    public nonisolated let traffic = InMemoryTraffic()

    let clock: any DeviceClock
    let randomness: any Randomness
    var accounts: [String: InMemoryAccountRecord] = [:]
    var sessions: [String: InMemorySessionRecord] = [:]
    var proofs: [Secret: InMemoryProofRecord] = [:]
    /// Verified numbers of other accounts, by the verification that signs in to them.
    var numberProofs: [Secret: String] = [:]
    var roundTrips: [Secret: InMemoryRoundTripRecord] = [:]
    var sent: [InMemoryMessage] = []
    var tickets: [Secret: String] = [:]
    var demanded: Set<MissingFieldsStep.Field> = []
    /// Factors that wait for their first code, by the handle for that code.
    var newFactors: [Secret: InMemoryNewFactor] = [:]
    /// The codes of authenticator apps, by the keys for which they were created.
    var factorCodes: [Secret: Secret] = [:]
    var waitingSignIns: [Secret: InMemoryWaitingSignIn] = [:]
    var passkeyChallenges: [Secret: InMemoryPasskeyChallenge] = [:]
    /// The token that the backend accepts as a captcha, and the requests that require it; `nil` if no request does.
    var captcha: (token: Secret, kinds: Set<InMemoryRequestKind>)?
    var organizations: [String: InMemoryOrganization] = [:]
    var switchedOff: Set<Capability> = []
    var idTokens: [Secret: InMemoryIDToken] = [:]
    var rules: [InMemoryFaultRule] = []
    /// The last response to each kind of request.
    var answers: [InMemoryRequestKind: any Sendable] = [:]
    var hanging: [Int: CheckedContinuation<Bool, Never>] = [:]
    var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
    var nextHang = 0
    var abandonedHangs: Set<Int> = []

    /// Creates a backend without users.
    ///
    /// - Parameters:
    ///   - settings: The settings of the backend. Default: the strictest.
    ///   - clock: The backend's clock.
    ///   - randomness: The source of randomness for ids, codes and tokens.
    public init(
        _ settings: InMemorySettings = InMemorySettings(), clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) {
        self.settings = settings
        self.clock = clock
        self.randomness = randomness
        id = randomness.text(12)
    }

    /// All messages, oldest first.
    public var messages: [InMemoryMessage] { sent }

    func secret() -> Secret { Secret(randomness.text(40)) }

    func account(byEmail email: String) -> InMemoryAccountRecord? {
        let folded = email.lowercased()
        return accounts.values.first { $0.user.email == folded }
    }

    func refuseIfOff(_ capability: Capability) throws(AuthError) {
        guard !switchedOff.contains(capability) else {
            throw AuthError(
                .notEnabled, "\(capability) is turned off in the project's settings.",
                provider: ProviderDetail(code: "method_switched_off", status: 422))
        }
    }

    func refuseWeak(_ password: Secret) throws(AuthError) {
        guard password.reveal().unicodeScalars.count <= settings.maximumPasswordLength else {
            throw AuthError(
                .weakPassword, "The password has more than \(settings.maximumPasswordLength) characters. Choose a shorter one.",
                remedies: [.choosePassword], reasons: ["tooLong"], provider: ProviderDetail(code: "weak_password", status: 422))
        }
        guard password.reveal().unicodeScalars.count >= settings.minimumPasswordLength else {
            throw AuthError(
                .weakPassword, "The password has fewer than \(settings.minimumPasswordLength) characters.",
                remedies: [.choosePassword], reasons: ["length"], provider: ProviderDetail(code: "weak_password", status: 422))
        }
    }
}

/// A message that an in-memory backend would have sent.
///
/// ```swift
/// let backend = InMemoryBackend(.confirmingByCode)
/// let code = await backend.messages.last?.code
/// print(code ?? "no message yet")
/// ```
public struct InMemoryMessage: Sendable, Hashable {
    /// The email address or phone number of the recipient.
    public let recipient: String
    /// The link that opens the app; `nil` if the flow does not support links.
    public let link: String?
    /// The code that the user enters; `nil` if the flow does not support codes.
    public let code: String?
    /// The time when the message was sent, by the backend's clock.
    public let sentAt: Instant
}
