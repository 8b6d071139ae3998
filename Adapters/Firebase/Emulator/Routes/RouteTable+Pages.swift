internal import LockstepEmulation

extension RouteTable {
    /// The routes that Firebase's own emulator has for tests.
    static let emulator: [Endpoint] = [
        .delete("/emulator/v1/projects/{project}[/tenants/{tenant}]/accounts", .open) {
            try EmulatorRoutes(context: $0).deleteAccounts()
        },
        .get("/emulator/v1/projects/{project}[/tenants/{tenant}]/oobCodes", .open) {
            try EmulatorRoutes(context: $0).actionCodes()
        },
        .get("/emulator/v1/projects/{project}[/tenants/{tenant}]/verificationCodes", .open) {
            try EmulatorRoutes(context: $0).textCodes()
        },
        .get("/emulator/v1/projects/{project}/config", .open) { EmulatorRoutes(context: $0).config() },
        .patch("/emulator/v1/projects/{project}/config", .open, body: EmulatorRoutes.configBody) {
            try EmulatorRoutes(context: $0).updateConfig()
        },
        .get("/", .server) { ServerRoutes(context: $0).root() },
        .head("/", .server) { ServerRoutes(context: $0).root() },
        .get("/emulators", .server) { ServerRoutes(context: $0).emulators() },
        .put(ServerRoutes.triggers + "enableBackgroundTriggers", .server, .reads) { ServerRoutes(context: $0).setTriggers(true) },
        .put(ServerRoutes.triggers + "disableBackgroundTriggers", .server, .reads) {
            ServerRoutes(context: $0).setTriggers(false)
        },
    ]

    /// The pages that open from links in emails, and those for the SDKs' sign-in by pop-up and redirect.
    static let pages: [Endpoint] = [
        .get(EmulatorActionRoutes.path, .page, .repeats) { try EmulatorActionRoutes(context: $0).run() },
        .head(EmulatorActionRoutes.path, .page, .repeats) { try EmulatorActionRoutes(context: $0).run() },
        .get(ActionPageRoutes.path, .page) { try ActionPageRoutes(context: $0).show() },
        .head(ActionPageRoutes.path, .page) { try ActionPageRoutes(context: $0).show() },
        .post(ActionPageRoutes.path, .page, .repeats) { try ActionPageRoutes(context: $0).run() },
        .get(ProviderChooser.path, .page) { try SignInPageRoutes(context: $0).chooser() },
        .get(ProviderChooser.scriptPath, .server) { _ in SignInPageRoutes.script(ProviderChooser.script) },
        .get(RelayFrame.path, .server) { _ in RelayFrame.page },
        .get(RelayFrame.scriptPath, .server) { _ in SignInPageRoutes.script(RelayFrame.script) },
    ]

    /// The public part of the signing key.
    static let documents: [Endpoint] = [
        .get("/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", .server, .repeatsReading) {
            try ServerRoutes(context: $0).keys()
        },
        .get("/v1/sessionCookiePublicKeys", .server, .repeatsReading) { try ServerRoutes(context: $0).keys() },
        .get("/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com", .server, .repeatsReading) {
            try ServerRoutes(context: $0).certificates()
        },
    ]

    /// The certificates of session cookies, at the path that the Admin SDKs request; Firebase's emulator has no such
    /// path.
    static let strictDocuments: [Endpoint] = [
        .get(legacy + "/publicKeys", .server, .repeatsReading) { try ServerRoutes(context: $0).certificates() }
    ]
}

extension Endpoint {
    /// Declares a `HEAD` route.
    fileprivate static func head(
        _ pattern: String, _ access: Access, _ run: EndpointRun = .reads, _ handler: @escaping Handler
    ) -> Endpoint {
        Endpoint("HEAD", pattern, access, run, handler)
    }
}
