internal import Lockstep
internal import LockstepContracts
internal import LockstepInMemory

extension InMemoryHarness {
    struct Configuration {
        let variant: Variant
        let settings: InMemorySettings

        init(_ name: String, _ summary: String, _ settings: InMemorySettings) {
            variant = Variant(name, summary, behavior: settings.behavior)
            self.settings = settings
        }
    }

    static var configurations: [Configuration] {
        var open = InMemorySettings.confirmingByCode
        open.capabilities.formUnion([.confirmationLink, .emailLinkSignIn])
        open.behavior = ProviderBehavior(
            knownAddressAtSignUp: .refused, unknownAddressAtSignIn: .told, unknownAddressAtLink: .told,
            unknownAddressWithoutAccount: .told, unknownAddressAtReset: .told,
            olderProofAfterResend: .lives, nonce: .checkedWhenPresent, accessTokenAfterSignOut: .livesUntilExpiry,
            sessionOfDeletedUser: .revoked, sessionOfDisabledUser: .revoked, sessionAfterNewPassword: .revoked,
            sessionsAfterPasswordChange: .revoked,
            sessionAfterReset: .revoked, passwordOfUnprovenAccount: .first, strangersPassword: .works,
            passwordChangeOnOldSession: .goesOn,
            authenticatorApps: .one, addedFactor: .countsFromTheNextSignIn, captcha: .signUp)
        var limited = InMemorySettings.limitedUntilProven
        limited.behavior = ProviderBehavior(
            knownAddressAtSignUp: .refused, usedLink: .sameSession, usedTicket: .taken, nonce: .ignored,
            accessTokenAfterSignOut: .livesUntilExpiry,
            refreshTokenAfterSignOut: .lives, endedSession: .goesOn, sessionAfterNewPassword: .goesOn,
            sessionWithSpentToken: .goesOn, sessionAfterReplay: .goesOn, sessionAfterLostRefresh: .goesOn,
            sessionsAfterPasswordChange: .goesOn,
            takenAddressAtChange: .sameAsNew,
            sessionAfterReset: .goesOn, passwordOfUnprovenAccount: .first, passkeyUse: .untold)
        limited.capabilities.remove(.passkeyRenaming)
        // If a sign-out ends no session on the backend, it cannot end the sessions of other devices either.
        limited.capabilities.subtract([.signOutOthers, .signOutEverywhere])
        var automatic = InMemorySettings.confirmingByItself
        // Nothing can depend on a message that is never sent.
        automatic.behavior.knownAddressAtSignUp = .refused
        automatic.behavior.unknownAddressAtLink = .createsAccount
        automatic.capabilities.formUnion([.emailLinkSignIn])
        var cautious = InMemorySettings.confirmingByCode
        cautious.behavior.newDevice = .asksForCode
        cautious.behavior.refusedCredential = .asksBackend
        cautious.capabilities.subtract([.anonymous, .reauthentication])
        // These settings lack the steps and ways that not every provider has. A call that needs one is rejected.
        var link = InMemorySettings.confirmingByLink
        link.capabilities.subtract([
            .phoneCode, .ticket, .passkey, .secondFactor, .backupCode, .newPasswordStep, .requirements, .backupCodeRenewal,
            .passkeyManagement, .passkeyRenaming, .organizations, .photoUpload, .captcha,
        ])
        var guests = InMemorySettings()
        guests.capabilities = [.anonymous]
        var codes = InMemorySettings()
        codes.capabilities = [.emailCodeSignIn]
        codes.behavior.unknownAddressAtLink = .createsAccount
        return [
            Configuration("link", "a link verifies the address; no session before the verification", link),
            Configuration("code", "a code verifies the address; no session before the verification", .confirmingByCode),
            Configuration("limited", "a limited session before the verification, which may happen on another device", limited),
            Configuration("open", "link and code; the backend reports which addresses have an account", open),
            Configuration("automatic", "no verification of addresses", automatic),
            Configuration("cautious", "a code verifies a new device", cautious),
            Configuration("guests", "only anonymous users", guests),
            Configuration("mailed", "only codes by e-mail, no links", codes),
        ]
    }
}
