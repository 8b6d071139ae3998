import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Configuration by file and by hand.
@Suite(.limitedConcurrency)
struct SettingsTests {
    @Test func nestedAndDottedNamesAreEqual() throws {
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
        ["authorizedDomains=localhost"], ["passkeys.origins=http://localhost:3000"], ["passkeys.relyingParty="],
        ["functionDeadline=0"], ["functionDeadline=601"],
        ["functionsEmulator=https://functions.example.test"], ["functionsEmulator=http://127.0.0.1:5001/path"],
        ["functionsEmulator="],
        [#"identityProviders={"apple.com":{}}"#],
        [#"identityProviders={"oidc.Corp":{"issuer":"i","audiences":[],"keys":{"keys":[]}}}"#],
        [#"identityProviders={"apple.com":{"issuer":"i","audiences":[],"keys":{"keys":[]},"client":{"token":"t"}}}"#],
    ])
    func invalidSettingsAreRejected(_ lines: [String]) {
        #expect(throws: SettingsError.self) { try FirebaseSettings(lines: lines) }
    }

    @Test func theModeDecidesTheDefaults() {
        #expect(FirebaseSettings().recentSignIn == nil)
        #expect(!FirebaseSettings().protectsEmails)
        #expect(FirebaseSettings(mode: .strict).lifetimes == .production)
    }

    @Test func functionsEmulatorMustBeOnThisMachine() throws {
        let settings = try FirebaseSettings(lines: ["functionsEmulator=http://localhost:5001/"])
        #expect(settings.functionsEmulator == "http://localhost:5001")
        #expect(try FirebaseSettings(lines: ["functionsEmulator=null"]).functionsEmulator == nil)
    }

    @Test(arguments: FirebaseMode.allCases)
    func otherProjectsAreRejectedIfConfigured(_ mode: FirebaseMode) async throws {
        let path = "/emulator/v1/projects/other/config"
        #expect(try await TestEmulator(mode).get(path).status == 200)
        let emulator = try TestEmulator(mode) { $0.refusesOtherProjects = true }
        let refused = try await emulator.get(path)
        #expect(refused.status == 400 && refused.code == "INVALID_PROJECT_ID")
        #expect(try await emulator.get("/emulator/v1/projects/demo-lockstep/config").status == 200)
        #expect(try await emulator.configure(.get, "/identitytoolkit.googleapis.com/v2/projects/other/tenants").status == 400)
        #expect(try await emulator.signUp().status == 200)
    }

    @Test func functionTimeoutIsAtMostTenMinutes() {
        var settings = FirebaseSettings()
        settings.functionDeadline = .seconds(3600)
        #expect(settings.functionDeadline == .seconds(600))
    }
}
