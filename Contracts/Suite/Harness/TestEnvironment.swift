@_exported public import Lockstep
public import LockstepPrimitives
@_exported public import LockstepTestSupport

/// What a harness sets up for one contract: an adapter, its backend, and the controls of that backend.
///
/// A control that is `nil` makes the contracts that need it `notChecked`, never kept.
public struct TestEnvironment: Sendable {
    /// The adapter, on this environment's clock and randomness.
    ///
    /// It is used for every client of the world, so it must keep nothing of one client for another.
    public var adapter: any AuthAdapter
    /// The clock of the device that the clients run on.
    public var clock: ManualClock
    /// Where the clients' random values come from.
    public var randomness: any Randomness
    /// The addresses at which the app takes links back, as the backend's project has them.
    public var callbacks: [CallbackAddress] { adapter.callbacks.addresses }
    /// A URL as the backend sends it to the first of ``callbacks`` when a user declines consent; `nil` if it never does so.
    public var refusalCallback: String?
    /// The names of parameters that are no secrets in the backend's links: a language, an address to continue to, an error code.
    ///
    /// Every other value of a link counts as a secret, which the client must not show.
    public var publicLinkParameters: Set<String>
    /// Reads the messages that the backend sent.
    public var outbox: (any Outbox)?
    /// Opens links.
    public var browser: (any Browser)?
    /// Makes requests fail.
    public var faults: (any Faults)?
    /// The administrator's API.
    public var administrator: (any BackendAdministrator)?
    /// Moves the backend's clock.
    public var backendClock: (any BackendClock)?
    /// Counts the requests.
    public var trace: (any RequestTrace)?
    /// An identity provider that the backend trusts.
    public var issuer: (any IdentityIssuer)?
    /// How long the proofs that the backend sends live, and after which time it sends another.
    public var proofTimes: ProofTimes?
    /// The page of an identity provider that the backend leads to.
    public var identityPage: (any IdentityPage)?
    /// Makes passkeys and signs with them.
    public var passkeys: (any PasskeySheet)?
    /// Shows the codes of second factors that users add.
    public var authenticators: (any AuthenticatorApps)?
    /// Makes other adapters of this provider.
    public var factory: AdapterFactory?
    /// Makes the adapter anew, over the same transport and on the same clock, as the app's next launch does.
    ///
    /// Where it is `nil` every launch has the first one, and what an adapter keeps in memory passes for stored.
    public var nextLaunch: (@Sendable () throws -> any AuthAdapter)?
    /// Receives the events of the clients of the world, beside the checks; see ``Harness/telling(_:)``.
    public var events = AuthEventSink.none

    /// An environment; controls that are left out are missing.
    public init(
        adapter: any AuthAdapter, clock: ManualClock, randomness: any Randomness,
        refusalCallback: String? = nil, publicLinkParameters: Set<String> = [], outbox: (any Outbox)? = nil,
        browser: (any Browser)? = nil, faults: (any Faults)? = nil,
        administrator: (any BackendAdministrator)? = nil,
        backendClock: (any BackendClock)? = nil, trace: (any RequestTrace)? = nil, issuer: (any IdentityIssuer)? = nil,
        proofTimes: ProofTimes? = nil, identityPage: (any IdentityPage)? = nil, passkeys: (any PasskeySheet)? = nil,
        authenticators: (any AuthenticatorApps)? = nil, factory: AdapterFactory? = nil,
        nextLaunch: (@Sendable () throws -> any AuthAdapter)? = nil
    ) {
        self.adapter = adapter
        self.clock = clock
        self.randomness = randomness
        self.refusalCallback = refusalCallback
        self.publicLinkParameters = publicLinkParameters
        self.outbox = outbox
        self.browser = browser
        self.faults = faults
        self.administrator = administrator
        self.backendClock = backendClock
        self.trace = trace
        self.issuer = issuer
        self.proofTimes = proofTimes
        self.identityPage = identityPage
        self.passkeys = passkeys
        self.authenticators = authenticators
        self.factory = factory
        self.nextLaunch = nextLaunch
    }
}
