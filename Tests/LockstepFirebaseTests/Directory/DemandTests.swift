import LockstepCurl
import LockstepDirectory
import LockstepEmulatorTestSupport
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// A directory's report of the project's settings.
@Suite(.limitedConcurrency)
struct DemandTests {
    private let project: DirectoryProject

    init() async throws { project = try await DirectoryProject() }

    private func send(_ method: HTTPMethod, _ path: String, query: HTTPForm = [:], _ body: JSONObject) async throws {
        let id = FirebaseSettings(mode: .strict).project
        let response = try await DirectoryProject.transport.send(
            HTTPRequest(
                method, "\(project.server.base)/identitytoolkit.googleapis.com/v2/projects/\(id)\(path)", query: query,
                headers: ["Authorization": "Bearer owner"], body: .json(.object(body))))
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
    }

    @Test func readsTheConfigurationOfTheProject() async throws {
        let before = try await project.directory.demands()
        #expect(before.email == .optional && before.password == .optional && before.username == .off)
        #expect(before.providers == [] && before.allowsSharedEmails == false)
        #expect(before.userQuota == nil && before.mailsPerHour == nil)
        try await send(
            .patch, "/config", query: ["updateMask": "signIn.anonymous,signIn.phoneNumber,client,mfa"],
            [
                "signIn": ["anonymous": ["enabled": false], "phoneNumber": ["enabled": true]],
                "client": ["permissions": ["disabledUserSignup": true]],
                "mfa": ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]],
            ])
        try await send(
            .post, "/defaultSupportedIdpConfigs", query: ["idpId": "google.com"],
            ["enabled": true, "clientId": "a", "clientSecret": "b"])
        try await send(
            .post, "/defaultSupportedIdpConfigs", query: ["idpId": "facebook.com"], ["clientId": "a", "clientSecret": "b"])
        let demands = try await project.directory.demands()
        #expect(demands.allowsAnonymousUsers == false && demands.phone == .optional && demands.isSignUpOpen == false)
        #expect(demands.secondFactors == [.phone])
        #expect(demands.providers == [.google])
    }

    @Test func readsTheConfigurationOfATenant() async throws {
        try project.server.emulator.admin.createTenant(id: "tenant-1")
        let tenant = try FirebaseDirectory(
            account: FirebaseServiceAccount(contents: project.grants.emulator.file), tenant: "tenant-1",
            url: project.server.base, transport: DirectoryProject.transport,
            clock: project.clock)
        try await send(.patch, "/tenants/tenant-1", query: ["updateMask": "allowPasswordSignup"], ["allowPasswordSignup": false])
        #expect(try await tenant.demands().password == .off)
        try await send(.patch, "/tenants/tenant-1", query: ["updateMask": "allowPasswordSignup"], ["allowPasswordSignup": true])
        #expect(try await tenant.demands().password == .optional)
    }
}
