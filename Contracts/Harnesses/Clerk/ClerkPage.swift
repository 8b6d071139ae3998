internal import Lockstep
internal import LockstepContracts
internal import LockstepEmulatorTestSupport
internal import LockstepPrimitives

/// A person at the emulator's page for identity providers.
///
/// The page accepts the person's decision in its query.
struct ClerkPage: IdentityPage {
    let provider: IdentityProvider
    let browser: LinkBrowser

    func approve(_ page: String, as subject: IdentitySubject) async throws -> String? {
        var query = [(name: "sub", value: subject.id)]
        if let email = subject.email {
            query.append((name: "email", value: email))
            query.append((name: "email_verified", value: subject.isEmailVerified ? "true" : "false"))
        }
        if let name = subject.name { query.append((name: "given_name", value: name)) }
        return try await open(page, query)
    }

    func refuse(_ page: String) async throws -> String? { try await open(page, [(name: "error", value: "access_denied")]) }

    private func open(_ page: String, _ query: [(name: String, value: String)]) async throws -> String? {
        try await browser.follow(page + "&" + Percent.encodeForm(query))
    }
}
