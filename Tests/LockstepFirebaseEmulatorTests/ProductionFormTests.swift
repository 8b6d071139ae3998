import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Formats of settings and links that the integration suites of Firebase's Admin SDKs assert on real projects.
@Suite(.limitedConcurrency)
struct ProductionFormTests {
    private static let regions: JSON = ["allowByDefault": ["disallowedRegions": ["AC"]]]

    @Test func aNewTenantKeepsItsSettings() async throws {
        let emulator = try TestEmulator()
        let tenant = try await emulator.configure(
            .post, "tenants",
            [
                "displayName": "team", "testPhoneNumbers": ["+16505551234": "123456"],
                "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true], "smsRegionConfig": Self.regions,
            ]
        ).json
        #expect(tenant["testPhoneNumbers"] == ["+16505551234": "123456"])
        #expect(tenant["emailPrivacyConfig"] == ["enableImprovedEmailPrivacy": true])
        #expect(tenant["smsRegionConfig"] == Self.regions)
    }

    @Test(arguments: ["config", "tenants"]) func smsRegionsAllowOrDeny(_ kind: String) async throws {
        let emulator = try TestEmulator()
        var path = kind
        if kind == "tenants" {
            let tenant = try await emulator.configure(.post, "tenants", ["displayName": "team", "smsRegionConfig": Self.regions])
            path = "tenants/" + tenant["tenantId"]
        } else {
            _ = try await emulator.configure(
                .patch, path, query: ["updateMask": "smsRegionConfig"], ["smsRegionConfig": Self.regions])
        }
        let only: JSON = ["allowlistOnly": ["allowedRegions": ["US"]]]
        let mask: HTTPForm = ["updateMask": "smsRegionConfig.allowlistOnly.allowedRegions"]
        let changed = try await emulator.configure(.patch, path, query: mask, ["smsRegionConfig": only])
        #expect(changed.json["smsRegionConfig"] == only)
        let both: JSON = ["smsRegionConfig": ["allowlistOnly": [:], "allowByDefault": [:]]]
        #expect(try await emulator.configure(.patch, path, query: mask, both).status == 400)
    }

    @Test func defaultsAreNotWritten() async throws {
        let emulator = try TestEmulator()
        let tenant = try await emulator.configure(
            .post, "tenants",
            [
                "displayName": "team", "testPhoneNumbers": [:], "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false],
                "recaptchaConfig": ["useAccountDefender": false],
            ]
        ).json
        #expect(tenant["emailPrivacyConfig"] == [:] && tenant["recaptchaConfig"] == [:] && tenant["testPhoneNumbers"] == nil)
        let provider = try await emulator.configure(
            .post, "oauthIdpConfigs", query: ["oauthIdpConfigId": "oidc.team"],
            [
                "clientId": "client", "issuer": "https://issuer.example.com", "clientSecret": "secret",
                "responseType": ["code": true, "idToken": false],
            ])
        #expect(provider.json["responseType"] == ["code": true])
    }

    @Test(arguments: ["+1error", "+", "+1", "+1650555123412341234", "+1650\u{301}5551234"])
    func importReportsAMalformedNumber(_ number: String) async throws {
        let emulator = try TestEmulator()
        let answer = try await emulator.manage(
            "accounts:batchCreate", ["users": [["localId": "user-1", "phoneNumber": .string(number)]]])
        #expect(answer.status == 200 && answer.json["error"]?[0]?["index"] == 0)
    }

    @Test func appLinkIsWrappedInALinkOfItsDomain() async throws {
        let emulator = try TestEmulator { $0.authorizedDomains.append("links.example.com") }
        let answer = try await emulator.manage(
            "accounts:sendOobCode",
            [
                "requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "continueUrl": "http://localhost/done",
                "canHandleCodeInApp": true, "linkDomain": "links.example.com", "returnOobLink": true,
            ])
        let link = answer["oobLink"]
        #expect(link.hasPrefix("https://links.example.com/__/auth/links?link=http"))
        let inner = try #require(Percent.decodeForm(link.dropFirst("https://links.example.com/__/auth/links?".count)))
        #expect(inner.first?.value.contains("oobCode=" + answer["oobCode"]) == true)
    }
}
