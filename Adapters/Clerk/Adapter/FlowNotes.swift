internal import Lockstep
internal import LockstepPrimitives

extension FlowMemory {
    /// Values that a flow keeps between its steps.
    enum Note: String {
        /// The client's token while the flow lasts.
        case client
        /// The sign-up, as Clerk names it.
        case signUp
        /// The sign-in, as Clerk names it.
        case signIn
        /// The strategy of the code that was sent.
        case strategy
        /// The address or number that it was sent to, as Clerk names it.
        case identification
        /// The masked destination.
        case destination
        /// Which kind of proof is asked for.
        case stage
        /// The verifier that a returning link is exchanged with (PKCE).
        case verifier
        /// The address that replaces the old one.
        case email
        /// The name that the user entered.
        case name
    }

    subscript(note: Note) -> Secret? {
        get {
            guard note == .client else { return self[note.rawValue] }
            let token = self["client"] ?? self[device: "client"]
            return token?.isEmpty == true ? nil : token
        }
        set {
            self[note.rawValue] = newValue
            // A device that Clerk knows is not asked for a code at its next sign-in.
            if note == .client { self[device: "client"] = newValue }
        }
    }

    /// The sign-up of this device that waits for the proof of its address.
    ///
    /// Clerk has no user before the proof, so only this device knows which address is to be proven.
    var signUpInProgress: (id: String, email: String)? {
        get {
            let parts = self[device: "signUp"]?.reveal().split(separator: " ").map(String.init) ?? []
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        set { self[device: "signUp"] = newValue.map { Secret("\($0.id) \($0.email)") } }
    }

    /// A note that is not secret.
    func text(_ note: Note) -> String? { self[note]?.reveal() }

    func note(_ note: Note, _ text: String?) { self[note] = text.map { Secret($0) } }

    /// Begins with a new client where a user is signed in on this device: that session goes on until the new one exists, and
    /// Clerk allows one sign-in per client.
    func prepareClient() {
        if session != nil, self["client"] == nil { self["client"] = Secret("") }
    }
}
