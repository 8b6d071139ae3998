import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepClerkEmulator

/// The table of operations, compared with Clerk's documents and the router.
@Suite(.limitedConcurrency)
struct OperationTests {
    /// Routes that no document lists.
    ///
    /// Recorded responses, SDKs, or the emulator itself need them.
    private static let others: Set<String> = [
        "HEAD v1/health", "POST v1/client/magic_links/complete", "POST v1/client/verify", "GET v1/clients/handshake_payload",
        "GET oauth_provider/{}/authorize", "GET images/{}", "GET webhooks",
    ]

    private func key(_ method: String, _ path: String) -> String {
        let pieces = path.split(separator: "/").filter { $0 != "?" }
        return method + " " + pieces.map { $0.hasPrefix("{") && $0.hasSuffix("}") ? "{}" : String($0) }.joined(separator: "/")
    }

    /// The table contains exactly the operations of the documents, under their ids.
    @Test func tableMatchesTheDocuments() {
        let documented = Documents.shared.operations.map { "\($0.api) \($0.method) \($0.path) \($0.id)" }
        let listed = ClerkOperation.all.map { "\($0.api) \($0.method) \($0.path) \($0.id)" }
        #expect(documented.count == 451)
        #expect(Set(documented).subtracting(listed).sorted() == [])
        #expect(Set(listed).subtracting(documented).sorted() == [])
        #expect(listed.count == documented.count)
    }

    /// Every supported operation has a route, no unsupported one has, and every route belongs to a supported operation or to a
    /// few exceptions.
    @Test func everyRouteIsInTheTable() throws {
        let emulator = try TestEmulator()
        let routes = Set(emulator.server.emulator.router.routes.map { key($0.method, $0.pattern) })
        let built = Set(ClerkOperation.all.filter(\.isBuilt).map { key($0.method, $0.path) })
        #expect(built.subtracting(routes).sorted() == [])
        // A POST can contain another method. Paths without a POST of their own have a route for it.
        let more = routes.subtracting(built).subtracting(Self.others).filter { !$0.hasPrefix("POST ") }
        #expect(more.sorted() == [])
    }

    /// A Frontend API access in the Backend API's list would compile, and serve anyone without the secret key.
    @Test func everyBackendRouteRequiresTheSecretKey() {
        let open = RouteTable.backend.filter { $0.access != .server }.map { "\($0.method) \($0.pattern)" }
        #expect(open == [] && RouteTable.backend.count > 100)
        #expect(RouteTable.frontend.allSatisfy { $0.access != .server })
    }

    /// An operation that the table calls unsupported is rejected by its name, and a supported one is not.
    @Test(arguments: ClerkOperation.API.allCases)
    func routerMatchesTheTable(api: ClerkOperation.API) async throws {
        let emulator = try TestEmulator()
        for operation in ClerkOperation.all where operation.api == api {
            let pieces = operation.path.split(separator: "/").map {
                $0.hasPrefix("{") ? "x" + ($0.split(separator: "}", omittingEmptySubsequences: false).last ?? "") : String($0)
            }
            var headers: HTTPHeaders = [:]
            if api == .backend { headers = ["Authorization": "Bearer " + emulator.server.emulator.secretKey.reveal()] }
            let answer = try await emulator.send(
                HTTPRequest(
                    HTTPMethod(rawValue: operation.method), emulator.server.base + "/" + pieces.joined(separator: "/"),
                    headers: headers))
            let isRefused = answer.code == "lockstep_operation_not_built"
            #expect(isRefused == !operation.isBuilt, "\(operation.method) \(operation.path) \(operation.id)")
            guard isRefused else {
                #expect(answer.status < 500 && answer.status != 405, "\(operation.id): \(answer.status)")
                continue
            }
            #expect(answer.status == 501)
            #expect(answer.json["errors"]?[0]?["meta"]?["operation_id"]?.string == operation.id)
        }
    }

    /// An unsupported operation is recognized by its path and method like any other: with a slash at the end, an encoded
    /// character, a method in a form.
    @Test(arguments: [
        (HTTPMethod.get, "/v1/billing/plans/", String?.none), (.get, "/v1/billing/%70lans", nil),
        (.post, "/v1/billing/plans?_method=GET", nil),
        (.post, "/v1/billing/plans", "get"),
    ])
    func unsupportedOperationIsRecognizedByItsPath(method: HTTPMethod, target: String, named: String?) async throws {
        let emulator = try TestEmulator()
        let answer = try await emulator.send(
            HTTPRequest(method, emulator.server.base + target, body: named.map { .form(["_method": $0]) } ?? .none))
        #expect(answer.code == "lockstep_operation_not_built")
        #expect(answer.json["errors"]?[0]?["meta"]?["operation_id"]?.string == "GetBillingPlanList")
    }

    /// Another method of an unsupported path is rejected with the path's methods, and a neighboring path as unknown.
    ///
    /// A Backend API operation is named only in a request with the right secret key.
    @Test func neighborsOfAnUnsupportedOperationAreUnaffected() async throws {
        let emulator = try TestEmulator()
        func answer(_ method: HTTPMethod, _ target: String, key: String? = nil) async throws -> TestResponse {
            var headers: HTTPHeaders = [:]
            if let key { headers = ["Authorization": "Bearer " + key] }
            return try await emulator.send(HTTPRequest(method, emulator.server.base + target, headers: headers))
        }
        let key = emulator.server.emulator.secretKey.reveal()
        let other = try await answer(.delete, "/v1/billing/prices", key: key)
        #expect(other.status == 405)
        #expect(other.headers["Allow"] == "GET, POST")
        for path in ["/v1/billing", "/v1/billing/plans/one/two", "/billing/prices", "/v1/v1/billing/prices"] {
            #expect(try await answer(.get, path, key: key).status == 404, "\(path)")
        }
        #expect(try await answer(.get, "/v1/billing/prices").code == "authorization_header_format_invalid")
        #expect(try await answer(.get, "/v1/billing/prices", key: "sk_test_other").code == "clerk_key_invalid")
        #expect(try await answer(.get, "/v1/billing/prices", key: key).code == "lockstep_operation_not_built")
    }

    /// A path of both APIs belongs to the Backend API if the request has a secret key, and otherwise to the Frontend API.
    @Test func secretKeySelectsTheBackendAPI() async throws {
        let emulator = try TestEmulator { $0.organizations.isEnabled = true }
        let url = emulator.server.base + "/v1/organizations/org_none"
        let key = emulator.server.emulator.secretKey.reveal()
        #expect(try await emulator.send(HTTPRequest(.get, url)).code == "authentication_invalid")
        let backend = try await emulator.send(HTTPRequest(.get, url, headers: ["Authorization": "Bearer " + key]))
        #expect(backend.code == "resource_not_found")
        let wrong = try await emulator.send(HTTPRequest(.get, url, headers: ["Authorization": "Bearer sk_test_other"]))
        #expect(wrong.code == "clerk_key_invalid")
    }

    /// A user's route is only for that user.
    ///
    /// A device without a session is rejected before anything else of the request is read.
    @Test func everyUserOperationRejectsASignedOutDevice() async throws {
        let emulator = try TestEmulator { $0.organizations.isEnabled = true }
        let operations = ClerkOperation.all.filter {
            $0.api == .frontend && $0.isBuilt && ($0.path.hasPrefix("/v1/me") || $0.path.hasPrefix("/v1/organizations"))
        }
        #expect(operations.count > 60)
        for operation in operations {
            let path = operation.path.replacing(/\{[^}]*\}/, with: "x")
            let request = HTTPRequest(
                HTTPMethod(rawValue: operation.method), emulator.server.base + path,
                body: operation.method == "GET" ? .none : .form(["unknown": "1"]))
            let answer = try await emulator.send(request)
            #expect(answer.status == 401, "\(operation.method) \(operation.path): \(answer.status) \(answer.code ?? "")")
        }
    }

    @Test func tableListsEveryOperation() {
        let lines = ClerkOperation.table.split(separator: "\n")
        #expect(lines.count == ClerkOperation.all.count + 2)
        #expect(lines.first?.hasPrefix("frontend: ") == true)
        #expect(lines.contains { $0.contains("refused  GET    /v1/billing/plans  GetBillingPlanList") })
    }
}
