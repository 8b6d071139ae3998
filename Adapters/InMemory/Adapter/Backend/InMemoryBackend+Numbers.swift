internal import Lockstep
internal import LockstepPrimitives

/// Numbers that users add to their own accounts.
extension InMemoryBackend {
    /// Sends an SMS whose code adds the number to the user of a session.
    func sendLinkingMessage(toPhone phone: String, for access: Secret) async throws(AuthError) -> InMemoryProofTicket {
        try await exchange(.change, sends: true) { backend throws(AuthError) in
            try backend.refuseIfOff(.phoneCode)
            let session = try backend.session(of: access)
            return try backend.newProof(.number, phone, userID: session.userID, sessionID: session.id)
        }
    }

    /// Adds a verified number to the user who requested it; if another account has the number, returns a verification
    /// that signs in to that account.
    func addNumber(by proof: InMemoryProofRecord) throws(AuthError) -> InMemoryOutcome {
        guard let userID = proof.userID, let sessionID = proof.sessionID, accounts[userID] != nil else { throw gone }
        if let owner = owner(ofNumber: proof.address), owner != userID {
            let ticket = secret()
            numberProofs[ticket] = proof.address
            return .numberConflict(current: userID, other: owner, proof: ticket)
        }
        change(userID) { account in
            account.user.phone = proof.address
            account.user.isAnonymous = false
            account.user.identities.append(Identity(id: "phone:\(proof.address)", provider: .phone))
        }
        return .granted(try grant(sessionID), device: secret())
    }

    /// Signs in the owner of a number, with the verification that a conflict returned; it works once.
    ///
    /// - Returns: `nil` if the verification is not valid.
    func enter(byProof ticket: Secret, of phone: String) async throws(AuthError) -> InMemoryOutcome? {
        try await exchange(.signIn) { backend throws(AuthError) in
            guard backend.numberProofs[ticket] == phone, let owner = backend.owner(ofNumber: phone) else { return nil }
            guard backend.accounts[owner]?.isDisabled == false else { throw backend.disabled }
            backend.numberProofs[ticket] = nil
            return try backend.admit(owner, device: nil)
        }
    }

    /// Returns the user who has a number.
    func owner(ofNumber phone: String) -> String? { accounts.values.first { $0.user.phone == phone }?.user.id }
}
