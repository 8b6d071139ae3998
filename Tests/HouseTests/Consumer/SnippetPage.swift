import Foundation
import Testing

/// A page with snippets: the products that it names, and the code around its snippets in a user's project.
///
/// The snippets of a page are one text: a later one can use declarations of an earlier one.
struct SnippetPage: Sendable, CustomTestStringConvertible {
    let path: String
    let products: [String]
    /// Declarations of the user's own code, and imports that the page's text names.
    var given = ""
    /// Values of the user's own code: the parameters of a function whose body is the snippets.
    var values = ""
    /// Whether the snippets run on the main actor, like a screen.
    var isOnMainActor = false
    /// Whether each snippet has its own scope, so that two can declare the same name.
    var isScoped = false
    /// Whether the snippets are declarations of a file, such as tests.
    var isFile = false
    /// Other files of the project that replace packages named on the page.
    var files: [String] = []
    /// Compile settings that the page's text names, as in a manifest.
    var settings: [String] = []

    var testDescription: String { path }

    /// The name of its target.
    var target: String {
        "Page_" + path.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).joined(separator: "_")
    }

    /// Pages whose snippets show another adapter in place of the first one.
    private static func adapter(_ provider: String, _ values: String) -> SnippetPage {
        SnippetPage(
            path: "Adapters/\(provider)/Adapter/Lockstep\(provider).docc/Lockstep\(provider).md",
            products: ["Lockstep", "LockstepCurl", "Lockstep\(provider)"], values: "folder: String, \(values)")
    }

    private static func article(_ name: String, _ products: [String] = ["Lockstep"], values: String, given: String = "")
        -> SnippetPage
    {
        SnippetPage(path: "Sources/Lockstep/Lockstep.docc/\(name).md", products: products, given: given, values: values)
    }

    private static func model(_ file: String, values: String, given: String = "") -> SnippetPage {
        SnippetPage(
            path: "Sources/LockstepModels/\(file)", products: ["LockstepModels"], given: "import LockstepModels\n" + given,
            values: values, isOnMainActor: true)
    }

    /// A page about the system's sheets, with the interface of `AppleSheets`, which another test compiles and runs with
    /// stand-ins.
    private static func sheets(_ path: String, products: [String] = [], values: String = "", isScoped: Bool = false)
        -> SnippetPage
    {
        SnippetPage(
            path: path, products: ["LockstepModels", "LockstepAppleSheets"] + products,
            given: """
                import LockstepAppleSheets
                import LockstepModels
                @MainActor final class AppleSheets: SystemSheets {
                    init(anchor: @escaping @MainActor () -> Int) {}
                    func signInWithApple(hashedNonce: String) async throws(AuthError) -> AppleIdentity? { nil }
                    func makePasskey(_ request: NewPasskeyRequest) async throws(AuthError) -> NewPasskey? { nil }
                    func sign(_ request: PasskeySignatureRequest) async throws(AuthError) -> PasskeySignature? { nil }
                    func openPage(_ page: String, callback: String) async throws(AuthError) -> String? { nil }
                }
                """,
            values: """
                sheets: AppleSheets, window: Int, signIn: SignInModel, verification: VerificationModel, browser: BrowserModel, \
                auth: AuthModel\(values)
                """,
            isOnMainActor: true, isScoped: isScoped)
    }

    private static let bridges = "Tests/LockstepTests/Bridges"

    /// The products of a provider's adapter, verifier and directory.
    private static func connected(_ provider: String) -> [String] {
        ["LockstepCurl", "Lockstep\(provider)", "Lockstep\(provider)Directory", "LockstepVerifier"]
    }

    static let all = pages + comments

    private static let pages: [SnippetPage] = [
        // ReadmeApp builds it as an app for each backend and runs it.
        SnippetPage(path: "README.md", products: ["LockstepPlatform", "LockstepModels", "LockstepGoTrue"]),
        SnippetPage(
            path: "docs/calls.md", products: ["LockstepPlatform", "LockstepGoTrue", "LockstepURLSession"],
            given: """
                import Foundation
                import LockstepGoTrue
                import LockstepPlatform
                import LockstepURLSession
                #if canImport(FoundationNetworking)
                import FoundationNetworking
                #endif
                struct OwnClient { func send(_ request: AppRequest) async throws -> (Int, Int) { (200, 1) } }
                struct OwnScreen {
                    func greet(_ user: User) {}
                    func say(_ sentence: String) {}
                    func ask(for kinds: Set<ChallengeResponse.Kind>, from recipient: String) {}
                    func ask(for fields: [MissingFieldsStep.Field]) {}
                    func askForNewPassword() {}
                    func choose(from factors: [FactorChoice]) {}
                    func open(_ url: String) {}
                    func explain(_ step: some Sendable) {}
                    func showQRCode(_ uri: String) {}
                    func passkey(_ options: JSON) async throws -> JSON { options }
                }
                """,
            values: """
                auth: AuthClient, screen: OwnScreen, myClient: OwnClient, url: String, email: String, newEmail: String, \
                password: String, newPassword: String, typed: String, token: Secret, nonce: IDTokenNonce, anonKey: String, \
                urlRequest: URLRequest
                """),
        SnippetPage(
            path: "docs/stores.md", products: ["Lockstep", "LockstepSQLiteStore", "LockstepPostgresStore"],
            values: """
                adapter: some AuthAdapter, folder: String, userID: String, sessionSecret: Secret, nextSecret: Secret, \
                connectionString: Secret
                """),
        SnippetPage(
            path: "docs/coming-from.md",
            products: ["LockstepPlatform", "LockstepVendorSessions", "LockstepGoTrue", "LockstepFirebase", "LockstepClerk"],
            given: """
                import Foundation
                import LockstepClerk
                import LockstepFirebase
                import LockstepGoTrue
                import LockstepPlatform
                import LockstepVendorSessions
                struct Storage: Sendable {
                    func retrieve(key: String) throws -> Data? { nil }
                    func remove(key: String) throws {}
                }
                """,
            values: """
                anonKey: String, apiKey: String, publishableKey: String, googleAppID: String, bundleIdentifier: String, \
                options: AuthClient.Options, storage: Storage, keychain: any Keychain
                """),
        SnippetPage(
            path: "docs/gotrue.md",
            products: ["LockstepCurl", "LockstepGoTrue", "LockstepVerifier", "LockstepGoTrueDirectory"],
            values: "publishableKey: String, secretKey: Secret"),
        SnippetPage(path: "docs/firebase.md", products: ["LockstepCurl", "LockstepFirebase"], values: "apiKey: String"),
        SnippetPage(path: "docs/clerk.md", products: ["LockstepCurl", "LockstepClerk"], values: "publishableKey: String"),
        SnippetPage(
            path: "docs/testing.md",
            products: [
                "LockstepInMemory", "LockstepTestSupport", "LockstepCurl", "LockstepGoTrue", "LockstepGoTrueEmulator",
                "LockstepVerifier", "LockstepEmulatorTestSupport",
            ], values: "userID: String"),
        SnippetPage(
            path: "docs/emulators.md", products: ["LockstepGoTrueEmulator"], values: "settings: GoTrueSettings"),
        SnippetPage(
            path: "docs/events.md", products: ["Lockstep"], given: "import Synchronization",
            values: "adapter: some AuthAdapter, store: some SessionStore, header: String",
            files: ["\(bridges)/LoggingStandIn.swift", "\(bridges)/MetricsStandIn.swift", "\(bridges)/TracingStandIn.swift"]),
        SnippetPage(
            path: "docs/models.md", products: ["Lockstep", "LockstepModels"],
            given: """
                import Lockstep
                import LockstepModels
                // What the page uses of UIKit and AppKit, as their documentation has it.
                @MainActor class UIViewController {
                    init() {}
                    func updateProperties() {}
                    func viewDidDisappear(_ animated: Bool) {}
                }
                @MainActor class UITextField { var text: String? }
                @MainActor class UILabel { var text: String? }
                @MainActor class UIButton { var isEnabled = true }
                @MainActor class NSViewController {
                    init() {}
                    func updateProperties() {}
                    func viewWillAppear() {}
                    func viewDidDisappear() {}
                }
                @MainActor class NSTextField { var stringValue = "" }
                @MainActor class NSButton { var title = ""; var isEnabled = true }
                /// The reader's own pages.
                struct Page {
                    init(redirect: String) {}
                    init(_ text: String...) {}
                }
                """, isFile: true),
        model("Words/AuthStrings.swift", values: "catalog: [String: String]"),
        model(
            "SignIn/PlatformRequests.swift", values: "model: SignInModel, identityToken: String, fullName: String",
            given: "class AppleRequest { var nonce: String? }\n@MainActor let appleRequest = AppleRequest()"),
        model("Screens/AuthModel.swift", values: "client: AuthClient", given: "@MainActor func show(_ something: Any) {}"),
        model(
            "Screens/FeatureGate.swift", values: "auth: AuthModel, draft: String",
            given: "@MainActor func post(_ draft: String, as user: User) async {}"),
        model("Names/DisplayNames.swift", values: "auth: AuthModel"),
        sheets(
            "docs/apple.md", products: ["LockstepPlatform", "LockstepGoTrue"],
            values: ", projectURL: String, anonKey: String, folder: String", isScoped: true),
        sheets("Sources/LockstepAppleSheets/AppleSheets.swift"),
        sheets("Sources/LockstepAppleSheets/SystemSheets+Models.swift"),
        SnippetPage(
            path: "Sources/LockstepPasswordStrength/ZxcvbnMeter.swift", products: ["LockstepModels", "LockstepPasswordStrength"],
            given: "import LockstepModels\nimport LockstepPasswordStrength", values: "client: AuthClient", isOnMainActor: true),
        SnippetPage(
            path: "Sources/LockstepModelPreviews/ModelPreview.swift", products: ["LockstepModelPreviews"],
            given: "import LockstepModelPreviews\n@MainActor func show(_ something: Any) {}", isOnMainActor: true),
        SnippetPage(
            path: "docs/directories.md",
            products: [
                "LockstepFirebaseDirectory", "LockstepGoTrueDirectory", "LockstepGoTrueDatabase", "LockstepClerkDirectory",
                "LockstepCurl",
            ],
            values: """
                serviceAccountFile: Secret, serviceRoleKey: Secret, clerkSecretKey: Secret, connectionString: Secret, bcryptHash: Secret,
                read: DirectoryUser
                """),
        SnippetPage(
            path: "Adapters/GoTrue/Database/GoTrueLostCommit.swift", products: ["LockstepGoTrueDatabase"],
            given: "import LockstepGoTrueDatabase", values: "rows: GoTrueDatabase, users: [NewDirectoryUser]"),
        SnippetPage(
            path: "docs/verifying-tokens.md", products: ["LockstepVerifier", "LockstepCurl", "LockstepVerifierTestSupport"],
            given: """
                import LockstepVerifier
                // What the page uses of Hummingbird and Vapor, as their documentation has it.
                struct Fields {
                    enum Name { case authorization }
                    subscript(name: Name) -> String? { nil }
                    func first(name: String) -> String? { nil }
                }
                enum Status { case unauthorized, serviceUnavailable }
                enum Hummingbird {
                    struct Request { var headers = Fields() }
                    struct Response {}
                    struct HTTPError: Error { init(_ status: Status) {} }
                    protocol RouterMiddleware<Context>: Sendable {
                        associatedtype Context
                        func handle(
                            _ request: Request, context: Context, next: (Request, Context) async throws -> Response
                        ) async throws -> Response
                    }
                }
                enum Vapor {
                    protocol StorageKey { associatedtype Value: Sendable }
                    struct Storage {
                        subscript<Key: StorageKey>(key: Key.Type) -> Key.Value? {
                            get { nil }
                            set {}
                        }
                    }
                    final class Request: @unchecked Sendable {
                        let headers = Fields()
                        var storage = Storage()
                    }
                    struct Response: Sendable {}
                    struct Abort: Error { init(_ status: Status) {} }
                    protocol AsyncResponder: Sendable { func respond(to request: Request) async throws -> Response }
                    protocol AsyncMiddleware: Sendable {
                        func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
                    }
                }
                /// The reader's own.
                struct OrdersContext { var session: VerifiedSession? }
                """, values: "header: String?, publishableKey: Secret"),
        SnippetPage(
            path: "Sources/LockstepVerifier/SessionVerifier.swift", products: ["LockstepVerifier", "LockstepCurl"],
            given: """
                import LockstepCurl
                import LockstepVerifier
                struct OwnRequest { var headers: [String: String] = [:] }
                """,
            values: """
                request: OwnRequest, old: SessionVerifier, new: SessionVerifier, token: Secret, firebase: SessionVerifier, \
                goTrue: SessionVerifier, clerk: SessionVerifier
                """,
            isScoped: true),
        SnippetPage(
            path: "Sources/LockstepVerifierTestSupport/TestBackend.swift", products: ["LockstepVerifierTestSupport"],
            given: "import LockstepVerifierTestSupport"),
        // ConnectedApp runs them as programs, too.
        SnippetPage(path: "docs/gotrue-emulator.md", products: connected("GoTrue")),
        SnippetPage(
            path: "docs/firebase-emulator.md", products: connected("Firebase") + ["LockstepFirebaseEmulator"],
            given: "import LockstepFirebaseEmulator", values: "sharedKey: SigningKey"),
        SnippetPage(
            path: "docs/clerk-emulator.md", products: connected("Clerk") + ["LockstepClerkEmulator"],
            given: "import LockstepClerkEmulator", values: "sharedKey: SigningKey"),
        // The comparison writes this file: every call that a report of a move advises.
        SnippetPage(
            path: "Tests/Fixtures/MoveCalls.md", products: ["Lockstep", "LockstepVerifier"],
            given: """
                import Lockstep
                import LockstepVerifier
                struct OwnClient { func send(_ request: AppRequest) async throws -> AppResponse<Int> { AppResponse(status: 200, content: 1) } }
                struct OwnScreen {
                    func show(_ what: Any) {}
                    func greet(_ user: User) {}
                    func showField() {}
                    func hideField() {}
                    func showButton() {}
                    func startPolling() {}
                    func offerSignUp() {}
                }
                """,
            values: """
                auth: AuthClient, screen: OwnScreen, myClient: OwnClient, request: AppRequest, step: AuthStep, challenge: Challenge, \
                error: AuthError, email: String, password: Secret, typed: Secret, new: Secret, name: String, url: String, token: Secret, \
                nonce: IDTokenNonce, verifier: SessionVerifier, header: String, newVerifier: SessionVerifier
                """),
        SnippetPage(
            path: "docs/writing-an-adapter.md",
            products: [
                "Lockstep", "LockstepWire", "LockstepContracts", "LockstepContractsTesting", "LockstepEmulatorTestSupport",
                "LockstepCurl",
            ],
            // Built like a user's code, with the products only. ProviderContractTests run it.
            isFile: true, files: ["AcmeServer", "AcmeRecords", "AcmeAdministrator"].map { "Examples/Acme/\($0).swift" },
            settings: [#".enableUpcomingFeature("NonisolatedNonsendingByDefault")"#]),
        adapter("Clerk", "key: String"), adapter("Firebase", "key: String"), adapter("GoTrue", "anonKey: String"),
        // FirstApp runs its first block as a program, too.
        article("GettingStarted", ["LockstepPlatform", "LockstepGoTrue"], values: ""),
        article("Steps", values: "auth: AuthClient"),
        article(
            "Sessions", values: "auth: AuthClient, myClient: OwnClient",
            given:
                "struct OwnClient { func send(_ request: AppRequest) async throws -> AppResponse<Int> { AppResponse(status: 200, content: 1) } }"
        ),
        article("Errors", values: "auth: AuthClient, email: String, password: String"),
        article("Stores", ["LockstepSQLiteStore"], values: "adapter: some AuthAdapter, folder: String, userID: String"),
        article("TestingAnApp", ["LockstepInMemory", "LockstepCurl", "LockstepGoTrue", "LockstepGoTrueEmulator"], values: ""),
        SnippetPage(
            path: "Sources/Lockstep/Client/AuthClient.swift",
            products: ["Lockstep", "LockstepCurl", "LockstepGoTrue", "LockstepPostgresStore"],
            given: "import LockstepCurl\nimport LockstepGoTrue\nimport LockstepPostgresStore",
            values: "url: String, key: String, folder: String, store: PostgresSessionStore"),
        SnippetPage(
            path: "Sources/Lockstep/Client/AuthClient+Session.swift", products: ["Lockstep"],
            given:
                "import Lockstep\nstruct OwnClient { func send(_ request: AppRequest) async throws -> AppResponse<Int> { AppResponse(status: 200, content: 1) } }",
            values: "client: AuthClient, adapter: some AuthAdapter, store: some SessionStore, myClient: OwnClient"),
        SnippetPage(
            path: "Sources/Lockstep/Flows/FlowNote.swift", products: ["LockstepWire"], given: "import LockstepWire", isFile: true),
        SnippetPage(
            path: "Sources/Lockstep/SignIn/PhoneNumber.swift", products: ["Lockstep"], given: "import Lockstep"),
        SnippetPage(
            path: "Sources/LockstepPrimitives/Observation/TraceContext.swift", products: ["Lockstep"], given: "import Lockstep",
            values: "client: AuthClient, header: String"),
        SnippetPage(
            path: "Sources/LockstepTokens/Verifying/TokenRules.swift", products: ["LockstepVerifier"],
            given: "import LockstepTokens"),
        SnippetPage(
            path: "Sources/LockstepWire/BackendAddress.swift", products: ["LockstepWire"],
            given: """
                import LockstepWire
                enum Method { case post }
                struct API { func call(_ method: Method, _ path: BackendPath) async throws {} }
                """, values: "api: API, session: (id: String, user: String)"),
        SnippetPage(
            path: "Sources/LockstepWire/ErrorTable.swift", products: ["LockstepWire"], given: "import LockstepWire", isFile: true),
        SnippetPage(
            path: "Sources/Stores/PostgresStore/PostgresSessionStore.swift", products: ["LockstepPostgresStore"],
            given: "import LockstepPostgresStore", values: "store: PostgresSessionStore, auth: AuthClient"),
        SnippetPage(
            path: "Adapters/InMemory/Adapter/InMemoryAdapter.swift", products: ["LockstepInMemory"],
            given: "import LockstepInMemory"),
        SnippetPage(
            path: "Contracts/EmulatorTestSupport/Gateway.swift", products: ["LockstepEmulatorTestSupport", "LockstepEmulation"],
            given: "import LockstepEmulation\nimport LockstepEmulatorTestSupport"),
        SnippetPage(
            path: "Contracts/ContractsTesting/ContractCase.swift", products: ["LockstepContractsTesting"],
            given: """
                import LockstepContractsTesting
                import Testing
                struct AcmeHarness: Harness {
                    let name = "acme"
                    var variants: [Variant] { [] }
                    func withEnvironment(_ variant: Variant, _ body: nonisolated(nonsending) @Sendable (TestEnvironment) async throws -> Void) async throws {}
                }
                """, isFile: true),
        SnippetPage(
            path: "Contracts/ContractsTesting/TransportContractCase.swift", products: ["LockstepContractsTesting"],
            given: """
                import LockstepContractsTesting
                import Testing
                struct AcmeTransport: HTTPTransport {
                    init(_ issuers: String?) {}
                    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse { throw HTTPFailure(.other, .neverSent, "") }
                }
                """, isFile: true),
    ]

    /// The page's snippets as a Swift file.
    ///
    /// The compiler reports errors at the lines of the page.
    func source() throws -> String {
        let snippets = try Snippet.all().filter { $0.page == path }
        let lines = given.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var imports: [String] = []
        for line in lines.filter({ $0.hasPrefix("import ") }) + snippets.flatMap(\.imports) where !imports.contains(line) {
            imports.append(line)
        }
        var text = imports + ["import Foundation", ""] + lines.filter { !$0.hasPrefix("import ") }
        if !isFile, isOnMainActor { text.append("@MainActor") }
        if !isFile { text.append("func snippets(\(values)) async throws {") }
        for snippet in snippets {
            if isScoped { text.append("do {") }
            text.append(#"#sourceLocation(file: "\#(House.root.path)/\#(path)", line: \#(snippet.line))"#)
            text += snippet.code
            text.append("#sourceLocation()")
            if isScoped { text.append("}") }
        }
        if !isFile { text.append("}") }
        return text.joined(separator: "\n") + "\n"
    }
}
