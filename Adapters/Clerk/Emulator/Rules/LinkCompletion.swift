import LockstepPrimitives

/// Completes the object of an opened link: a sign-in, a sign-up, or the verification of an address.
struct LinkCompletion {
    let context: RequestContext

    /// Completes the attempt on the client that requested the link.
    ///
    /// - Returns: The new session; an empty text if there is none; `nil` if the link is not the newest one of its
    ///   attempt.
    func finish(_ link: LinkRecord, openedBy client: String) throws -> String? {
        switch link.purpose {
        case .signIn:
            guard var signIn = try signIn(of: link) else { return nil }
            signIn.first?.status = .verified
            signIn.first?.verifiedAtClient = client
            var user = try context.signIns.user(of: signIn)
            try context.lockout.check(user)
            if try context.secondFactors.of(user).isEnabled {
                signIn.status = .needsSecondFactor
                try context.signIns.keep(signIn)
                return ""
            }
            try context.signIns.complete(&signIn, &user, staysCurrent: true)
            return signIn.createdSessionID
        case .signUp:
            guard var signUp = try context.db.find(SignUpRecord.self, "id = \(link.attemptID)"),
                signUp.emailVerification?.linkToken == link.token, signUp.status == .missingRequirements
            else { return nil }
            signUp.emailVerification?.status = .verified
            signUp.emailVerification?.verifiedAtClient = client
            try context.signUps.settle(&signUp, staysCurrent: true)
            return signUp.createdSessionID ?? ""
        case .identification:
            guard var row = try context.db.find(IdentificationRecord.self, "id = \(link.attemptID)"),
                row.verification?.linkToken == link.token, var user = try context.users.find(row.userID),
                try !context.extensions.reserve(row.value)
            else { return nil }
            try context.restrictions.checkNew([row.value])
            row.verification?.status = .verified
            row.verification?.verifiedAtClient = client
            row.updatedAt = context.now
            try context.db.save(row)
            context.users.makePrimaryWhereNone(row, &user)
            try context.users.save(&user)
            return ""
        }
    }

    /// Returns the result of an approved link to a native app: a ticket for a sign-in, the sign-up itself for a
    /// sign-up.
    func approve(_ link: LinkRecord) throws -> Answer {
        guard link.purpose == .signIn else {
            guard try finish(link, openedBy: link.clientID) != nil else { throw ClerkError.approvalInvalid }
            guard let signUp = try context.db.find(SignUpRecord.self, "id = \(link.attemptID)") else {
                throw ClerkError.approvalInvalid
            }
            return .resource(try context.signUpJSON.signUp(signUp))
        }
        guard let signIn = try signIn(of: link), let userID = signIn.userID else { throw ClerkError.approvalInvalid }
        let ticket = TicketRecord(
            id: context.id(.signInToken), kind: .approvedLink, token: Tickets.newToken(context), status: "pending",
            userID: userID,
            emailAddress: try signIn.first?.target.flatMap {
                try context.db.find(IdentificationRecord.self, "id = \($0)")?.value
            }, publicMetadata: [:], redirectURL: nil, actor: nil, expireAt: context.now + .seconds(300),
            createdAt: context.now, updatedAt: context.now)
        try context.db.save(ticket)
        return .bare(["flow_id": .string(link.flowID), "ticket": .string(ticket.token)])
    }

    /// Returns the sign-in of a link.
    ///
    /// The link must be the newest of the sign-in. Its user must still have the address, and the address must not
    /// require a company's provider.
    private func signIn(of link: LinkRecord) throws -> SignInRecord? {
        let service = context.signIns
        guard let signIn = try context.db.find(SignInRecord.self, "id = \(link.attemptID)"),
            signIn.first?.linkToken == link.token, signIn.status == .needsFirstFactor,
            try service.hasItsAddress(signIn),
            let user = try signIn.userID.flatMap({ try context.users.find($0) }),
            try context.extensions.refusal(of: signIn, user) == nil
        else { return nil }
        return signIn
    }
}
