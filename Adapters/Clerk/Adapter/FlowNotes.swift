internal import Lockstep
internal import LockstepPrimitives

extension FlowNote<String> {
    /// Clerk's id of the sign-up.
    static var signUp: Self { "signUp" }
    /// Clerk's id of the sign-in.
    static var signIn: Self { "signIn" }
    /// The strategy of the code that was sent.
    static var strategy: Self { "strategy" }
    /// Clerk's id of the address or number to which the code was sent.
    static var identification: Self { "identification" }
    /// The masked destination.
    static var destination: Self { "destination" }
    /// The kind of verification that is required.
    static var stage: Self { "stage" }
    /// Clerk's id of a passkey that the flow adds to the user.
    static var passkey: Self { "passkey" }
    /// Clerk's id of an account at an identity provider that the flow adds to the user.
    static var account: Self { "account" }
}

extension FlowNote<[FactorChoice]> {
    /// The second factors to choose from.
    static var factors: Self { "factors" }
}

extension FlowNote<Secret> {
    /// The verifier that is sent with a returning link (PKCE).
    static var verifier: Self { "verifier" }
    /// The nonce of a redirect, after the attempt was loaded with it.
    static var nonce: Self { "nonce" }
    fileprivate static var client: Self { "client" }
}

extension FlowMemory {
    /// The token of this device's client.
    ///
    /// It outlives the flow. If Clerk knows a device, it requires no code at the next sign-in.
    var client: Secret? {
        get {
            let token = self[.client] ?? self[device: "client"]
            return token?.isEmpty == true ? nil : token
        }
        set {
            self[.client] = newValue
            self[device: "client"] = newValue
        }
    }

    /// Begins with a new client if a user is signed in on this device.
    ///
    /// That user's session continues until the new one exists, because Clerk allows one sign-in per client.
    func prepareClient() {
        if session != nil, self[.client] == nil { self[.client] = Secret("") }
    }

    /// The sign-up or sign-in to which the flow's emails belong; a sign-up continues in later flows.
    var attemptID: String { self[.signUp] ?? self[.signIn] ?? flow.id }

    /// The sign-up of this device whose address must still be verified.
    ///
    /// Clerk has no user before the verification. So only this device knows which address must be verified.
    var signUpInProgress: (id: String, email: String)? {
        get {
            let parts = self[device: "signUp"]?.reveal().pieces(at: " ").map(String.init) ?? []
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        set { self[device: "signUp"] = newValue.map { Secret("\($0.id) \($0.email)") } }
    }
}
