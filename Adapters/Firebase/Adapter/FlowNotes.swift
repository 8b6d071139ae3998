internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension FlowNote<String> {
    /// The address that the message went to.
    static var email: Self { "email" }
    /// Which message was sent.
    static var message: Self { "message" }
    /// The name that a sign-up gives the user whom its link makes.
    static var newName: Self { "newName" }
    /// The number that the SMS went to.
    static var phone: Self { "phone" }
    /// The second factor that was chosen.
    static var factor: Self { "factor" }
    /// The kind of second factor that the flow adds to the signed-in user.
    static var enrolledKind: Self { "enrolledKind" }
    /// The name of that factor.
    static var factorName: Self { "factorName" }
    /// The identity provider of a round trip.
    static var provider: Self { "provider" }
    /// The challenge that a passkey signs, in base 64 for URLs.
    static var passkeyChallenge: Self { "passkeyChallenge" }
    /// What the user had before the flow in the place of what it links; absent where there was nothing: the provider's id of an identity, a number,
    /// an address that links sign in with.
    static var identityBefore: Self { "identityBefore" }
}

extension FlowNote<Secret> {
    /// The code of a link that was checked and not yet used.
    static var oobCode: Self { "oobCode" }
    /// Firebase's pending credential, until the second factor is proven.
    static var pendingCredential: Self { "pendingCredential" }
    /// The SMS that were sent to a number, newest first, a line each.
    static var sentSMS: Self { "sentSMS" }
    /// An authenticator app's key, which counts from the first right code on.
    static var appSession: Self { "appSession" }
    /// Firebase's session of a round trip, which a callback is taken with.
    static var roundTrip: Self { "roundTrip" }
    /// Firebase's proof of a number that belongs to another account: it signs in there.
    static var temporaryProof: Self { "temporaryProof" }
    /// A digest of the proof that went out last without an answer.
    static var unansweredProof: Self { "unansweredProof" }
}

extension FlowNote<Instant> {
    /// When the message was sent.
    static var sentAt: Self { "sentAt" }
}

extension FlowNote<[FactorChoice]> {
    /// The second factors to choose from.
    static var factors: Self { "factors" }
    /// Those that get messages, each labelled by its number, as far as Firebase shows it.
    static var recipients: Self { "recipients" }
}

extension FlowMemory {
    /// The finished parts of calls that take several requests.
    enum Part: String {
        case account, message, newPassword, proof
    }

    func complete(_ part: Part) { complete(part.rawValue) }

    func hasCompleted(_ part: Part) -> Bool { completed.contains(part.rawValue) }

    /// The message that was sent last.
    var message: Message? { self[.message].flatMap { Message(rawValue: $0) } }

    /// The session of the user whom the flow adds something to.
    ///
    /// - `what`: what is added, as in "identity".
    ///
    /// Throws `notSignedIn` where there is none: without its token Firebase would sign in.
    func session(toAdd what: String) throws(AuthError) -> Session {
        guard let session else {
            throw AuthError(.notSignedIn, "No user is signed in, so no \(what) can be added.", remedies: [.signIn])
        }
        return session
    }

    /// The SMS that were sent to the flow's number, or the chosen factor's, and that a code can be of, newest first.
    ///
    /// Firebase names each message, and takes a code with the name of its own message only.
    var smsSessions: [Secret] {
        (self[.sentSMS]?.reveal() ?? "").pieces(at: "\n").map { Secret(String($0)) }
    }

    /// Keeps the newest SMS and the two before.
    func rememberSMS(_ session: String) {
        self[.sentSMS] = Secret(([session] + smsSessions.prefix(2).map { $0.reveal() }).joined(separator: "\n"))
    }

    /// The codes that this device has used: Firebase forgets a message with its code.
    var spentCodes: SpentProofs { SpentProofs(in: self, note: "spentCodes") }

    /// The links that this device has used: Firebase gives the same error for used and unknown ones.
    var spentLinks: SpentProofs { SpentProofs(in: self, note: "spentLinks") }

    /// Sends a proof that counts once, and notes it where no answer to it can be read.
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

    /// Whether a proof went out before and its answer was lost: a refusal of it may mean that it has counted.
    func mayHaveCounted(_ proof: Secret) -> Bool { self[.unansweredProof]?.reveal() == Self.digest(proof.reveal()) }

    /// Whether a code of one of the flow's messages went out without an answer: Firebase forgets a message with its code.
    var messageMayHaveCounted: Bool { smsSessions.contains(where: mayHaveCounted) }

    /// The error for a refused link: `linkUsed` where this device used it.
    func refined(_ error: AuthError, _ code: Secret) -> AuthError {
        guard error.provider?.code == "INVALID_OOB_CODE", spentLinks.contains(code) || mayHaveCounted(code) else { return error }
        var error = error
        error.code = .linkUsed
        error.message = "The link was used before. Ask for a new one."
        return error
    }
}
