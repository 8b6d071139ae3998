@_exported public import Lockstep
public import LockstepPrimitives
@_exported public import LockstepTestSupport

/// The environment of one check: an adapter, its backend, and the controls of the backend.
///
/// A control may be missing (`nil`). Contracts that need a missing control have the result `notChecked`, never `kept`.
public struct TestEnvironment: Sendable {
    /// The adapter, which uses the clock and the randomness of this environment.
    ///
    /// All clients of a check share the adapter. So the adapter must not use the data of one client for another client.
    public var adapter: any AuthAdapter
    /// The clock of the device on which the clients run.
    public var clock: ManualClock
    /// The source of random values for the clients.
    public var randomness: any Randomness
    /// The callback addresses of the app.
    ///
    /// The backend's project allows these addresses.
    public var callbacks: [CallbackAddress] { adapter.callbacks.addresses }
    /// The URL that the backend uses to open the app if a user declines; `nil` if the backend then does not open the app.
    ///
    /// The URL begins with the first address in ``callbacks``.
    public var refusalCallback: String?
    /// The names of the public parameters in the backend's links.
    ///
    /// Examples are a language, an address to continue to, and an error code. The client must not show any other value of a link.
    public var publicLinkParameters: Set<String>
    /// The messages that the backend has sent; `nil` if a check cannot read the messages.
    public var outbox: (any Outbox)?
    /// The browser that opens links; `nil` if links cannot be opened.
    public var browser: (any Browser)?
    /// The control that causes requests to fail, or `nil`.
    public var faults: (any Faults)?
    /// The API for administrators, or `nil`.
    public var administrator: (any BackendAdministrator)?
    /// The clock of the backend; `nil` if a check cannot move the clock.
    public var backendClock: (any BackendClock)?
    /// The trace that counts requests; `nil` if requests are not counted.
    public var trace: (any RequestTrace)?
    /// An identity provider that the backend trusts, or `nil`.
    public var issuer: (any IdentityIssuer)?
    /// The time limits for the backend's codes and links; `nil` if the limits are unknown.
    public var proofTimes: ProofTimes?
    /// The identity provider's page that the backend redirects to, or `nil`.
    public var identityPage: (any IdentityPage)?
    /// The dialog that creates passkeys and signs with them, or `nil`.
    public var passkeys: (any PasskeySheet)?
    /// The authenticator apps that show the codes of second factors; `nil` if there are none.
    public var authenticators: (any AuthenticatorApps)?
    /// The factory for other adapters of this provider, or `nil`.
    public var factory: AdapterFactory?
    /// The capabilities that the adapter must claim with this configuration, or `nil`.
    ///
    /// Write them down one by one. If a claim is lost, its contracts do not apply, and only this list shows the loss.
    public var expectedCapabilities: Set<Capability>?
    /// Creates the adapter for the next launch of the app, with the same transport and clock.
    ///
    /// If this property is `nil`, every launch uses the first adapter. Then a check cannot distinguish the adapter's memory from
    /// stored values.
    public var nextLaunch: (@Sendable () throws -> any AuthAdapter)?
    /// An additional receiver for the events of the clients; see ``Harness/telling(_:)``.
    public var events = AuthEventSink.none

    /// Creates an environment.
    ///
    /// If you omit a control, the environment does not have this control.
    ///
    /// - Parameters:
    ///   - clock: The clock of the device on which the clients run.
    ///   - randomness: The source of random values for the clients.
    ///   - refusalCallback: The URL that the backend uses to open the app if a user declines.
    ///   - publicLinkParameters: The names of the public parameters in the backend's links.
    ///   - outbox: The messages that the backend has sent.
    ///   - browser: The browser that opens links.
    ///   - faults: The control that causes requests to fail.
    ///   - administrator: The API for administrators.
    ///   - trace: The trace that counts requests.
    ///   - issuer: An identity provider that the backend trusts.
    ///   - proofTimes: The time limits for the backend's codes and links.
    ///   - identityPage: The identity provider's page that the backend redirects to.
    ///   - passkeys: The dialog that creates passkeys and signs with them.
    ///   - authenticators: The authenticator apps that show the codes of second factors.
    ///   - factory: The factory for other adapters of this provider.
    ///   - expectedCapabilities: The capabilities that the adapter must claim with this configuration.
    public init(
        adapter: any AuthAdapter, clock: ManualClock, randomness: any Randomness,
        refusalCallback: String? = nil, publicLinkParameters: Set<String> = [], outbox: (any Outbox)? = nil,
        browser: (any Browser)? = nil, faults: (any Faults)? = nil,
        administrator: (any BackendAdministrator)? = nil,
        backendClock: (any BackendClock)? = nil, trace: (any RequestTrace)? = nil, issuer: (any IdentityIssuer)? = nil,
        proofTimes: ProofTimes? = nil, identityPage: (any IdentityPage)? = nil, passkeys: (any PasskeySheet)? = nil,
        authenticators: (any AuthenticatorApps)? = nil, factory: AdapterFactory? = nil,
        expectedCapabilities: Set<Capability>? = nil,
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
        self.expectedCapabilities = expectedCapabilities
        self.nextLaunch = nextLaunch
    }
}
