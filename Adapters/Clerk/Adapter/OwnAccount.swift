internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The first and last name, and the user's own metadata (`unsafe_metadata`).
///
/// A photo at Clerk is an upload, not a URL: see ``OwnPhoto``.
struct OwnProfileUpdate: ProfileUpdate {
    let api: ClerkAPI

    var acceptsPhoto: Bool { false }
    var acceptsMetadata: Bool { true }

    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        var session = session
        if let name = changes.displayName { session = try await rename(name, session) }
        if let metadata = changes.metadata { session = try await merge(metadata, session) }
        return session
    }

    private func rename(_ name: String, _ session: Session) async throws(AuthError) -> Session {
        do {
            return try api.session(session, with: try await api.about(session, .patch, "/me", PersonName(name).form))
        } catch  where error.provider?.code == "form_param_unknown" {
            return try await patch(["display_name": .string(name)], session)
        }
    }

    /// Clerk also merges nested objects, so members that a new object does not contain must be removed.
    private func merge(_ metadata: JSONObject, _ session: Session) async throws(AuthError) -> Session {
        guard metadata.contains(where: { $0.value.object != nil }) else { return try await patch(metadata, session) }
        let current = try User(clerk: try await api.about(session, .get, "/me").resource()).metadata ?? [:]
        let changes = JSONObject(metadata.map { ($0.name, $0.value.replacing(current[$0.name])) })
        return try await patch(changes, session)
    }

    private func patch(_ metadata: JSONObject, _ session: Session) async throws(AuthError) -> Session {
        let form = [(name: "unsafe_metadata", value: JSON.object(metadata).text())]
        return try api.session(session, with: try await api.about(session, .patch, "/me/metadata", form))
    }
}

extension JSON {
    /// Returns the patch that turns `old` into this value: members that this value lacks are `null`.
    fileprivate func replacing(_ old: JSON?) -> JSON {
        guard let new = object, let old = old?.object else { return self }
        let removed = old.filter { new[$0.name] == nil }.map { ($0.name, JSON.null) }
        return .object(JSONObject(removed + new.map { ($0.name, $0.value.replacing(old[$0.name])) }))
    }
}

/// The user's photo, which Clerk stores and serves.
struct OwnPhoto: PhotoUpload {
    let api: ClerkAPI

    func set(_ photo: Photo?, of session: Session) async throws(AuthError) -> Session {
        if let photo {
            _ = try await api.about(session, .post, "/me/profile_image", file: form(of: photo))
        } else {
            do throws(AuthError) {
                _ = try await api.about(session, .delete, "/me/profile_image")
            } catch  where error.provider?.code == "image_not_found" {
                // There is no photo, or an earlier attempt has removed it.
            }
        }
        return try await ClerkSessions(api: api).reload(session)
    }

    /// Returns a form with one file (RFC 7578).
    ///
    /// The file does not contain the boundary of the form.
    private func form(of photo: Photo) -> HTTPBody {
        let boundary = "lockstep-\(api.randomness.text(32))"
        let head =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"photo\"\r\n"
            + "Content-Type: \(photo.type)\r\n\r\n"
        let bytes = Array(head.utf8) + photo.bytes + Array("\r\n--\(boundary)--\r\n".utf8)
        return HTTPBody(bytes, type: "multipart/form-data; boundary=\(boundary)")
    }
}

/// Replaces the current password.
struct OwnPasswordChange: PasswordChange {
    let api: ClerkAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        var form = [(name: "new_password", value: new.reveal()), (name: "sign_out_of_other_sessions", value: "true")]
        if let current {
            try await refuseWithoutPassword(session)
            form.append(("current_password", current.reveal()))
        }
        return try api.session(session, with: try await api.about(session, .post, "/me/change_password", form))
    }

    /// A user without a password may set a first one.
    ///
    /// Clerk then ignores the current password, which cannot be correct.
    private func refuseWithoutPassword(_ session: Session) async throws(AuthError) {
        guard session.user.fields["password_enabled"]?.bool == false else { return }
        // This device's copy of the user may be outdated.
        guard try await api.about(session, .get, "/me").resource()["password_enabled"]?.bool == false else { return }
        throw AuthError(.invalidCredentials, "The account does not have a password.")
    }
}

/// Adds a new address, which replaces the old one after its verification.
struct OwnEmailChange: EmailChange {
    let api: ClerkAPI

    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        flow.client = session.refreshToken
        flow[.destination] = EmailAddress.masked(email)
        let address: JSONObject
        do throws(AuthError) {
            address = try await api.about(session, .post, "/me/email_addresses", [("email_address", email)]).resource()
        } catch  where error.code == .emailAlreadyInUse {
            // The address already belongs to the user: an earlier change was abandoned, or its response was lost.
            guard let own = try await ownAddress(email, of: session) else { throw error }
            address = own
        }
        flow[.identification] = address["id"]?.string
        guard address["verification"]?["status"]?.string == "verified" else {
            return .verify(try await api.sendNewAddressCode(in: flow))
        }
        return .complete(try await api.replaceAddress(by: address["id"]?.string ?? "", of: session))
    }

    private func ownAddress(_ email: String, of session: Session) async throws(AuthError) -> JSONObject? {
        let user = try await api.about(session, .get, "/me").resource()
        return user["email_addresses"]?.array?.first { $0["email_address"]?.string?.lowercased() == email.lowercased() }?.object
    }
}

extension ClerkAPI {
    /// Requests the code for the new address.
    func sendNewAddressCode(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let id = flow[.identification] ?? ""
        let response = try await call(
            .post, "/me/email_addresses/\(id)/prepare_verification", [("strategy", "email_code")], in: flow)
        flow[.stage] = Stage.newAddress.rawValue
        flow[.strategy] = "email_code"
        return challenge(try response.resource()["verification"], response.date, in: flow)
    }

    /// Verifies the new address, makes it the primary one, and removes the old one.
    func proveNewAddress(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> Session {
        guard let session = flow.session, let id = flow[.identification] else {
            throw AuthError(.notSignedIn, "No user is signed in.", remedies: [.signIn])
        }
        if !flow.completed.contains("the new address was proven") {
            do throws(AuthError) {
                _ = try await about(session, .post, "/me/email_addresses/\(id)/attempt_verification", [("code", code.reveal())])
            } catch  where error.provider?.code == "verification_already_verified" {
                // The code was accepted before, and the response was lost: the address belongs to this user, and is
                // verified.
            }
            flow.complete("the new address was proven")
        }
        return try await replaceAddress(by: id, of: session)
    }

    /// Makes a verified address the primary one, and removes the old one.
    func replaceAddress(by id: String, of session: Session) async throws(AuthError) -> Session {
        let old = session.user.fields["primary_email_address_id"]?.string
        let response = try await about(session, .patch, "/me", [("primary_email_address_id", id)])
        if let old, old.exact != id.exact {
            do throws(AuthError) {
                _ = try await about(session, .delete, "/me/email_addresses/\(old)")
            } catch  where error.provider?.code == "resource_not_found" {
                // An earlier attempt has removed it.
            }
        }
        return try await ClerkSessions(api: self).reload(try self.session(session, with: response))
    }
}

/// The external accounts, addresses and numbers of the user.
struct OwnIdentities: IdentityLinking {
    let api: ClerkAPI

    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session {
        let list =
            switch identity.provider {
            case .email: "email_addresses"
            case .phone: "phone_numbers"
            default: "external_accounts"
            }
        _ = try await api.about(session, .delete, "/me/\(list)/\(given: identity.id)")
        return try await ClerkSessions(api: api).reload(session)
    }

    /// Ends the redirect of an account that is being added; the user's list of accounts shows its result.
    func linked(in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let session = flow.session, let id = flow[.account] else {
            throw AuthError(.notSignedIn, "No user is signed in, so nothing can be added.", remedies: [.signIn])
        }
        let answer = try await api.about(session, .get, "/me")
        let account = try answer.resource()["external_accounts"]?.array?.first { $0["id"]?.string?.exact == id.exact }
        let verification = account?["verification"]
        if verification?["status"]?.string == "verified" {
            return .complete(try await ClerkSessions(api: api).reload(session))
        }
        guard let code = verification?["error"]?["code"]?.string, ErrorMeaning.ofCodes[code]?.code == .identityAlreadyInUse else {
            throw ClerkAPI.refusal(verification, answer)
        }
        return .identityConflict(
            IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, signInMethods: [.oauth]))
    }
}

/// The deletion of the user's own account, if the instance allows it.
struct OwnAccountDeletion: AccountDeletion {
    let api: ClerkAPI

    func delete(_ session: Session) async throws(AuthError) {
        let response = try await api.about(session, .delete, "/me")
        guard try response.resource()["deleted"]?.bool == true else {
            throw ErrorMapping.incomplete("a confirmation of the deletion")
        }
    }
}
