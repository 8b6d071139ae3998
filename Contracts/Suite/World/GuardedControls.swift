internal import Lockstep
internal import LockstepPrimitives

/// The controls of an environment in the form that checks use.
///
/// If a control throws an error, the run fails, unless the backend does not support the operation. The adapter is never blamed
/// for such an error.
extension TestEnvironment {
    func guarded(_ watch: Watch) -> TestEnvironment {
        var environment = self
        environment.outbox = outbox.map { GuardedOutbox(base: $0, watch: watch) }
        environment.browser = browser.map { GuardedBrowser(base: $0) }
        environment.faults = faults.map { GuardedFaults(base: $0, watch: watch) }
        environment.administrator = administrator.map { GuardedAdministrator(base: $0, watch: watch) }
        environment.backendClock = backendClock.map { GuardedClock(base: $0, watch: watch) }
        environment.issuer = issuer.map { GuardedIssuer(base: $0) }
        environment.identityPage = identityPage.map { GuardedIdentityPage(base: $0) }
        environment.passkeys = passkeys.map { GuardedPasskeys(base: $0) }
        environment.authenticators = authenticators.map { GuardedAuthenticators(base: $0) }
        return environment
    }
}

private struct GuardedOutbox: Outbox {
    let base: any Outbox
    let watch: Watch

    func messages() async throws -> [SentMessage] {
        try await HarnessFailure.turning("reading the messages") {
            let messages = try await base.messages()
            for message in messages {
                watch.keep(message.code.map { Secret($0) }, "a code in a message")
                if let link = message.link { watch.keep(link: link) }
            }
            return messages
        }
    }
}

private struct GuardedBrowser: Browser {
    let base: any Browser

    func follow(_ link: String) async throws -> String? {
        try await HarnessFailure.turning("opening a link") { try await base.follow(link) }
    }

    func confirm(_ link: String) async throws {
        try await HarnessFailure.turning("confirming on another device") { try await base.confirm(link) }
    }

    func scan(_ link: String, _ method: ScanMethod) async throws {
        try await HarnessFailure.turning("scanning a link") { try await base.scan(link, method) }
    }
}

private struct GuardedFaults: Faults {
    let base: any Faults
    let watch: Watch

    func inject(_ fault: Fault, on requests: FaultTarget, skipping skip: Int, times: Int?) async throws {
        switch fault {
        // These faults are not responses of the backend. They do not affect the suite's own requests.
        case .offline, .faulty, .messageNotSent: break
        default: if requests == .any || requests == .user { watch.block(true) }
        }
        try await HarnessFailure.turning("making requests fail") {
            try await base.inject(fault, on: requests, skipping: skip, times: times)
        }
    }

    func clear() async throws {
        try await HarnessFailure.turning("letting requests through") { try await base.clear() }
        watch.block(false)
    }

    func untilHanging(_ count: Int) async throws {
        try await HarnessFailure.turning("waiting for hanging requests") { try await base.untilHanging(count) }
    }

    func release() async throws { try await HarnessFailure.turning("releasing requests") { try await base.release() } }
}

private struct GuardedAdministrator: BackendAdministrator {
    let base: any BackendAdministrator
    let watch: Watch

    func users() async throws -> [StoredUser] {
        try await HarnessFailure.turning("listing the users") { try await base.users() }
    }

    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        try await HarnessFailure.turning("creating a user") {
            try await base.create(email: email, password: password, isEmailVerified: isEmailVerified, displayName: displayName)
        }
    }

    func rename(_ userID: String, to displayName: String) async throws {
        try await HarnessFailure.turning("renaming a user") { try await base.rename(userID, to: displayName) }
    }

    func setEmailVerified(_ isVerified: Bool, of userID: String) async throws {
        try await HarnessFailure.turning("changing whether an address is verified") {
            try await base.setEmailVerified(isVerified, of: userID)
        }
    }

    func disable(_ userID: String) async throws {
        defer { watch.sessionsMayEnd() }
        watch.sessionsMayEnd()
        try await HarnessFailure.turning("disabling a user") { try await base.disable(userID) }
    }

    func delete(_ userID: String) async throws {
        defer { watch.sessionsMayEnd() }
        watch.sessionsMayEnd()
        try await HarnessFailure.turning("deleting a user") { try await base.delete(userID) }
    }

    func endSessions(of userID: String) async throws {
        defer { watch.sessionsMayEnd() }
        watch.sessionsMayEnd()
        try await HarnessFailure.turning("ending a user's sessions") { try await base.endSessions(of: userID) }
    }

    func setPassword(_ password: String, of userID: String) async throws {
        defer { watch.sessionsMayEnd() }
        watch.sessionsMayEnd()
        try await HarnessFailure.turning("setting a password") { try await base.setPassword(password, of: userID) }
    }

    func switchOff(_ capability: Capability) async throws {
        defer { watch.sessionsMayEnd() }
        watch.sessionsMayEnd()
        try await HarnessFailure.turning("switching \(capability) off") { try await base.switchOff(capability) }
    }

    func create(phone: String) async throws -> String {
        try await HarnessFailure.turning("creating a user with a number") { try await base.create(phone: phone) }
    }

    func ticket(for userID: String) async throws -> Secret {
        let ticket = try await HarnessFailure.turning("creating a ticket") { try await base.ticket(for: userID) }
        watch.keep(ticket, "a ticket")
        return ticket
    }

    func invitation(to email: String) async throws -> String? {
        try await HarnessFailure.turning("inviting a person") { try await base.invitation(to: email) }
    }

    func link(with ticket: Secret) async throws -> String? {
        try await HarnessFailure.turning("putting a ticket into a link") { try await base.link(with: ticket) }
    }

    func addFactor(to userID: String) async throws -> EnrolledFactor {
        defer { watch.sessionsMayEnd() }
        return try await HarnessFailure.turning("giving a user a second factor") { try await base.addFactor(to: userID) }
    }

    func createOrganization(named name: String, members: [String]) async throws -> String {
        try await HarnessFailure.turning("creating an organization") {
            try await base.createOrganization(named: name, members: members)
        }
    }

    func demandCaptcha() async throws -> Secret {
        try await HarnessFailure.turning("requiring a captcha") { try await base.demandCaptcha() }
    }

    func allowPhones() async throws -> Bool {
        try await HarnessFailure.turning("allowing users to have phones") { try await base.allowPhones() }
    }

    func addPhoneFactor(to userID: String) async throws -> EnrolledFactor {
        defer { watch.sessionsMayEnd() }
        return try await HarnessFailure.turning("giving a user a phone") { try await base.addPhoneFactor(to: userID) }
    }

    func demandNewPassword(of userID: String) async throws {
        defer { watch.sessionsMayEnd() }
        try await HarnessFailure.turning("requiring a new password") { try await base.demandNewPassword(of: userID) }
    }

    func demand(_ field: MissingFieldsStep.Field) async throws {
        try await HarnessFailure.turning("requiring a field") { try await base.demand(field) }
    }

    func accepts(accessToken: Secret) async throws -> Bool {
        try await HarnessFailure.turning("asking the backend about an access token") {
            try await base.accepts(accessToken: accessToken)
        }
    }

    func accepts(refreshToken: Secret) async throws -> Bool {
        // This request can use up the token.
        watch.sessionsMayEnd()
        return try await HarnessFailure.turning("asking the backend about a refresh token") {
            try await base.accepts(refreshToken: refreshToken)
        }
    }
}

struct GuardedClock: BackendClock {
    let base: any BackendClock
    let watch: Watch

    /// Moves only the backend's clock.
    ///
    /// Tokens may then expire, although their clients still treat them as valid.
    func advance(by duration: Duration) async throws {
        watch.sessionsMayEnd()
        try await advanceWithTheDevice(by: duration)
    }

    /// Moves the backend's clock.
    ///
    /// The caller moves the device's clock, too.
    func advanceWithTheDevice(by duration: Duration) async throws {
        try await HarnessFailure.turning("moving the backend's clock") { try await base.advance(by: duration) }
    }
}

private struct GuardedIssuer: IdentityIssuer {
    let base: any IdentityIssuer

    var provider: IdentityProvider { base.provider }
    var tokenLife: Duration { base.tokenLife }

    func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret {
        try await HarnessFailure.turning("issuing an ID token") { try await base.idToken(for: subject, flaw: flaw) }
    }
}

private struct GuardedIdentityPage: IdentityPage {
    let base: any IdentityPage

    var provider: IdentityProvider { base.provider }

    func approve(_ page: String, as subject: IdentitySubject) async throws -> String? {
        try await HarnessFailure.turning("consenting on a provider's page") { try await base.approve(page, as: subject) }
    }

    func refuse(_ page: String) async throws -> String? {
        try await HarnessFailure.turning("declining on a provider's page") { try await base.refuse(page) }
    }
}

private struct GuardedPasskeys: PasskeySheet {
    let base: any PasskeySheet

    func create(_ options: JSON, of userID: String) async throws -> JSON {
        try await HarnessFailure.turning("creating a passkey") { try await base.create(options, of: userID) }
    }

    func sign(_ options: JSON, as userID: String) async throws -> JSON {
        try await HarnessFailure.turning("signing with a passkey") { try await base.sign(options, as: userID) }
    }
}

private struct GuardedAuthenticators: AuthenticatorApps {
    let base: any AuthenticatorApps

    func code(for key: Secret) async throws -> Secret {
        try await HarnessFailure.turning("reading a code of an authenticator app") { try await base.code(for: key) }
    }
}
