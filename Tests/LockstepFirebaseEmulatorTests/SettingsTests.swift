import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Configuration by file and by hand.
@Suite(.limitedConcurrency)
struct SettingsTests {
    @Test func groupsAndDotsMeanTheSame() throws {
        let grouped = try FirebaseSettings(json: [
            "mode": "strict", "limits": ["failedSignIns": 5], "signIn": ["password": false], "lifetimes": ["signInLink": nil],
        ])
        let dotted = try FirebaseSettings(lines: [
            "mode=strict", "limits.failedSignIns=5", "signIn.password=false", "lifetimes.signInLink=null",
        ])
        for settings in [grouped, dotted] {
            #expect(settings.mode == .strict)
            #expect(settings.limits.failedSignIns == 5)
            #expect(!settings.methods.contains(.password))
            #expect(settings.lifetimes.signInLink == nil)
            #expect(settings.lifetimes.passwordReset == .seconds(3600))
            #expect(settings.protectsEmails)
        }
    }

    @Test(arguments: [
        ["mode=lenient"], ["no pair"], ["signIn.pasword=true"], ["signIn.password=maybe"], ["limits.failedSignIns=0"],
        ["recentSignIn=-5"], ["hashing.memoryCost=40"], ["hashing.signerKey=short"], ["project="],
        ["authorizedDomains=localhost"],
        ["functionDeadline=0"], ["functionDeadline=601"],
        [#"identityProviders={"apple.com":{}}"#],
        [#"identityProviders={"oidc.Corp":{"issuer":"i","audiences":[],"keys":{"keys":[]}}}"#],
        [#"identityProviders={"apple.com":{"issuer":"i","audiences":[],"keys":{"keys":[]},"client":{"token":"t"}}}"#],
    ])
    func mistakesAreNamed(_ lines: [String]) {
        #expect(throws: SettingsError.self) { try FirebaseSettings(lines: lines) }
    }

    @Test func theModeDecidesTheDefaults() {
        #expect(FirebaseSettings().recentSignIn == nil)
        #expect(!FirebaseSettings().protectsEmails)
        #expect(FirebaseSettings(mode: .strict).lifetimes == .production)
    }

    @Test func aFunctionMayTakeTenMinutesAtMost() {
        var settings = FirebaseSettings()
        settings.functionDeadline = .seconds(3600)
        #expect(settings.functionDeadline == .seconds(600))
    }
}
