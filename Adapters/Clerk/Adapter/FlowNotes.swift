internal import Lockstep
internal import LockstepPrimitives

extension FlowMemory {
    /// What is kept of a flow between its steps.
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
        /// To whom it was sent, as it may be shown.
        case destination
        /// Which kind of proof is asked for.
        case stage
        /// What a link that comes back is exchanged with (PKCE).
        case verifier
        /// The address that takes the old one's place.
        case email
        /// The name that the user has said.
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
    /// Clerk has no user before the proof, so nobody else could tell who is to be asked for it.
    var signUpInProgress: (id: String, email: String)? {
        get {
            let parts = self[device: "signUp"]?.reveal().split(separator: " ").map(String.init) ?? []
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        set { self[device: "signUp"] = newValue.map { Secret("\($0.id) \($0.email)") } }
    }

    /// A note that is no secret.
    func text(_ note: Note) -> String? { self[note]?.reveal() }

    func note(_ note: Note, _ text: String?) { self[note] = text.map { Secret($0) } }

    /// Begins with a client of its own where somebody is signed in on this device: their session goes on until the new one is
    /// there, and Clerk takes no second sign-in on one client.
    func prepareClient() {
        if session != nil, self["client"] == nil { self["client"] = Secret("") }
    }
}
