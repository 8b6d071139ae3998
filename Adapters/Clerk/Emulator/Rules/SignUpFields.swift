import LockstepPrimitives

/// Reads the fields of a sign-up from a request.
///
/// Each field is checked, and every error is reported.
struct SignUpFields {
    let context: RequestContext

    private var settings: ClerkSettings { context.settings }
    private var form: Form { context.form }

    /// Stores the request's fields in `signUp`; a changed address must be verified again.
    func apply(to signUp: inout SignUpRecord) throws {
        var refusals: [ClerkError] = []
        for name in ["email_address", "phone_number", "username", "password", "first_name", "last_name", "web3_wallet"]
        where form.has(name) && !settings.requirement(of: name).isEnabled { refusals.append(.unknown(name)) }
        if let refusal = ClerkError.joined(refusals) { throw refusal }

        var email = form["email_address"]
        var phone = form["phone_number"]
        if let either = form.text("email_address_or_phone_number") {
            if either.contains("@") { email = either } else { phone = either }
        }
        collect(&refusals) { if let email { try self.setEmail(email, &signUp) } }
        collect(&refusals) { if let phone { try self.setPhone(phone, &signUp) } }
        collect(&refusals) { if let name = self.form["username"] { try self.setUsername(name, &signUp) } }
        collect(&refusals) { if let name = try self.form.personName("first_name") { signUp.firstName = name } }
        collect(&refusals) { if let name = try self.form.personName("last_name") { signUp.lastName = name } }
        collect(&refusals) {
            if let metadata = try self.form.object("unsafe_metadata") {
                signUp.unsafeMetadata = try metadata.checkedMetadata("unsafe_metadata")
            }
        }
        collect(&refusals) {
            if let accepted = try self.form.flag("legal_accepted") {
                signUp.legalAcceptedAt = accepted ? self.context.now : nil
            }
        }
        if let locale = form["locale"] { signUp.locale = locale.isEmpty ? nil : String(locale.prefix(35)) }
        let identifiers = [signUp.emailAddress, signUp.phoneNumber, signUp.username].compactMap(\.self)
        let passwords = form["password"].map { text in
            text.isEmpty ? [ClerkError.empty("password")] : settings.passwordPolicy.refusals(of: text, identifiers: identifiers)
        }
        if let refusal = ClerkError.joined(refusals + (passwords ?? [])) { throw refusal }
        try checkInvitedAddress(signUp)
        if let password = form["password"] { signUp.passwordDigest = try context.digest(of: password) }
    }

    /// Rejects any address except the one in the sign-up's invitation.
    private func checkInvitedAddress(_ signUp: SignUpRecord) throws {
        guard let id = signUp.ticketID, let ticket = try context.db.find(TicketRecord.self, "id = \(id)"),
            let address = ticket.emailAddress, signUp.emailAddress != address
        else { return }
        throw ClerkError.invalidValue("email_address", String((signUp.emailAddress ?? "").prefix(60)))
    }

    private func setEmail(_ text: String, _ signUp: inout SignUpRecord) throws {
        guard !text.isEmpty else {
            signUp.emailAddress = nil
            signUp.emailVerification = nil
            return
        }
        guard let address = EmailAddress(text) else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        guard address.text != signUp.emailAddress else { return }
        if !settings.hidesAccounts, try context.users.claimed(.email, address.text) != nil {
            throw ClerkError.taken("email_address")
        }
        signUp.emailAddress = address.text
        signUp.emailVerification = nil
    }

    private func setPhone(_ text: String, _ signUp: inout SignUpRecord) throws {
        guard !text.isEmpty else {
            signUp.phoneNumber = nil
            signUp.phoneVerification = nil
            return
        }
        guard let number = PhoneNumber(text) else {
            throw ClerkError.malformed(
                "phone_number", "phone_number must be a valid phone number according to E.164 international standard.")
        }
        guard number.text != signUp.phoneNumber else { return }
        if !settings.hidesAccounts, try context.users.claimed(.phone, number.text) != nil {
            throw ClerkError.taken("phone_number")
        }
        signUp.phoneNumber = number.text
        signUp.phoneVerification = nil
    }

    private func setUsername(_ text: String, _ signUp: inout SignUpRecord) throws {
        guard !text.isEmpty else { return signUp.username = nil }
        let name = try Username.read(text, settings.usernameRules)
        if try context.users.find(identifier: .username(name.text)) != nil { throw ClerkError.taken("username") }
        signUp.username = name.text
    }

    /// Runs one check and collects its error, so that one response reports all errors.
    private func collect(_ refusals: inout [ClerkError], _ check: () throws -> Void) {
        do { try check() } catch let refusal as ClerkError { refusals.append(refusal) } catch {
            refusals.append(.internalError)
        }
    }
}
