internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension FlowNote<String> {
    /// The address that received the message.
    static var email: Self { "email" }
    /// Which message was sent.
    static var message: Self { "message" }
    /// The name of the user that a sign-up with a link creates.
    static var newName: Self { "newName" }
    /// The number that received the SMS.
    static var phone: Self { "phone" }
    /// The second factor that was chosen.
    static var factor: Self { "factor" }
    /// The kind of second factor that the flow adds to the signed-in user.
    static var enrolledKind: Self { "enrolledKind" }
    /// The name of that factor.
    static var factorName: Self { "factorName" }
    /// The identity provider of a redirect.
    static var provider: Self { "provider" }
    /// The challenge that a passkey signs, in base 64 for URLs.
    static var passkeyChallenge: Self { "passkeyChallenge" }
    /// The user's value before the flow for the kind of data that the flow links; missing if there was none.
    ///
    /// It is the provider's id of an identity, a number, or an address with which links sign in.
    static var identityBefore: Self { "identityBefore" }
}

extension FlowNote<Secret> {
    /// The code of a link that was checked and not yet used.
    static var oobCode: Self { "oobCode" }
    /// Firebase's pending credential, until the user has completed the second factor.
    static var pendingCredential: Self { "pendingCredential" }
    /// The SMS that were sent to a number, newest first, one per line.
    static var sentSMS: Self { "sentSMS" }
    /// The key of an authenticator app, which becomes active with the first correct code.
    static var appSession: Self { "appSession" }
    /// Firebase's session of a redirect, which a callback needs.
    static var roundTrip: Self { "roundTrip" }
    /// Firebase's verification of a number that belongs to another account, which signs in to that account.
    static var temporaryProof: Self { "temporaryProof" }
    /// A digest of the last verification that was sent without a response.
    static var unansweredProof: Self { "unansweredProof" }
}

extension FlowNote<Instant> {
    /// The time when the message was sent.
    static var sentAt: Self { "sentAt" }
}

extension FlowNote<[FactorChoice]> {
    /// The second factors to choose from.
    static var factors: Self { "factors" }
    /// The factors that get messages, each labeled with its number as far as Firebase returns it.
    static var recipients: Self { "recipients" }
}

extension FlowMemory {
    /// The completed parts of calls that need several requests.
    enum Part: String {
        case account, message, newPassword, proof
    }

    func complete(_ part: Part) { complete(part.rawValue) }

    func hasCompleted(_ part: Part) -> Bool { completed.contains(part.rawValue) }

    /// The message that was sent last.
    var message: Message? { self[.message].flatMap { Message(rawValue: $0) } }

    /// Returns the session of the user to whom the flow adds something.
    ///
    /// - `what`: The thing to add, such as "identity".
    ///
    /// Throws `notSignedIn` if there is no session: without its token, Firebase would sign in a user instead.
    func session(toAdd what: String) throws(AuthError) -> Session {
        guard let session else {
            throw AuthError(.notSignedIn, "No user is signed in, so no \(what) can be added.", remedies: [.signIn])
        }
        return session
    }

    /// The SMS that were sent to the flow's number, or to the chosen factor's number, and whose codes may still be
    /// valid, newest first.
    ///
    /// Firebase identifies each message, and accepts a code only together with the id of its message.
    var smsSessions: [Secret] {
        (self[.sentSMS]?.reveal() ?? "").pieces(at: "\n").map { Secret(String($0)) }
    }

    /// Keeps the newest SMS and the two before it.
    func rememberSMS(_ session: String) {
        self[.sentSMS] = Secret(([session] + smsSessions.prefix(2).map { $0.reveal() }).joined(separator: "\n"))
    }

    /// The codes that this device has used, because Firebase does not remember a message whose code was used.
    var spentCodes: SpentProofs { SpentProofs(in: self, note: "spentCodes") }

    /// The links that this device has used, because Firebase returns the same error for used and unknown links.
    var spentLinks: SpentProofs { SpentProofs(in: self, note: "spentLinks") }

    /// Sends a verification that works only once, and records it if no response can be read.
    func sending<Value>(_ proof: Secret, _ request: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        do {
            return try await request()
        } catch {
            if error.mayHaveTakenEffect {
                self[.unansweredProof] = Secret(Self.digest(proof.reveal()))
            }
            throw error
        }
    }

    /// Whether a verification was sent before and its response was lost; an error may then mean that the verification
    /// has succeeded.
    func mayHaveCounted(_ proof: Secret) -> Bool { self[.unansweredProof]?.reveal() == Self.digest(proof.reveal()) }

    /// Whether a code of one of the flow's messages was sent without a response; Firebase does not remember a message
    /// whose code was used.
    var messageMayHaveCounted: Bool { smsSessions.contains(where: mayHaveCounted) }

    /// Returns the error for a rejected link: `linkUsed` if this device used the link.
    func refined(_ error: AuthError, _ code: Secret) -> AuthError {
        guard error.provider?.code == "INVALID_OOB_CODE", spentLinks.contains(code) || mayHaveCounted(code) else { return error }
        var error = error
        error.code = .linkUsed
        error.message = "The link was already used. Request a new link."
        return error
    }
}
