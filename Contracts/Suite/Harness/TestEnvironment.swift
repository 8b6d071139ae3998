@_exported public import Lockstep
public import LockstepPrimitives
@_exported public import LockstepTestSupport

/// The environment of one contract: an adapter, its backend, and the controls of the backend.
///
/// Contracts that need a missing control (`nil`) are `notChecked`, never kept.
public struct TestEnvironment: Sendable {
    /// The adapter, on this environment's clock and randomness.
    ///
    /// All clients of the world share it, so it must not keep data of one client for another.
    public var adapter: any AuthAdapter
    /// The clock of the clients' device.
    public var clock: ManualClock
    /// The source of the clients' random values.
    public var randomness: any Randomness
    /// The app's callback addresses, as configured in the backend's project.
    public var callbacks: [CallbackAddress] { adapter.callbacks.addresses }
    /// The URL that the backend sends to the first of ``callbacks`` if a user declines; `nil` if it never does.
    public var refusalCallback: String?
    /// The names of non-secret parameters in the backend's links: a language, an address to continue to, an error code.
    ///
    /// Every other value of a link is a secret that the client must not show.
    public var publicLinkParameters: Set<String>
    /// The messages that the backend has sent.
    public var outbox: (any Outbox)?
    /// The browser that opens links.
    public var browser: (any Browser)?
    /// The control that makes requests fail.
    public var faults: (any Faults)?
    /// The administrator's API.
    public var administrator: (any BackendAdministrator)?
    /// The backend's clock, which can be moved.
    public var backendClock: (any BackendClock)?
    /// The trace that counts requests.
    public var trace: (any RequestTrace)?
    /// An identity provider that the backend trusts.
    public var issuer: (any IdentityIssuer)?
    /// The lifetimes and resend intervals of the backend's codes and links.
    public var proofTimes: ProofTimes?
    /// The page of an identity provider to which the backend redirects.
    public var identityPage: (any IdentityPage)?
    /// The dialog that creates passkeys and signs with them.
    public var passkeys: (any PasskeySheet)?
    /// The authenticator apps that show the codes of added factors.
    public var authenticators: (any AuthenticatorApps)?
    /// The factory for other adapters of this provider.
    public var factory: AdapterFactory?
    /// Creates the adapter of the app's next launch, with the same transport and clock.
    ///
    /// If it is `nil`, every launch uses the first adapter, so values in its memory look like stored ones.
    public var nextLaunch: (@Sendable () throws -> any AuthAdapter)?
    /// An additional receiver for the events of the world's clients; see ``Harness/telling(_:)``.
    public var events = AuthEventSink.none

    /// Creates an environment; controls that are left out are missing.
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
