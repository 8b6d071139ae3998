import Foundation
import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepURLSession
import Testing

@testable import LockstepTransportContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests of URLSession with the user's token, over real connections.
@Suite("Requests of URLSession with the user's token", .limitedConcurrency)
struct AuthorizedRequestTests {
    /// A client with a signed-in user, which may send the token to these servers.
    private func client(for servers: RawServer...) async throws -> AuthClient {
        let client = AuthClient(
            adapter: InMemoryAdapter(backend: InMemoryBackend()), store: MemorySessionStore(),
            options: .init(apiOrigins: Set(try servers.map { try WebOrigin($0.url("")) })))
        _ = try await client.signIn(with: .anonymous)
        return client
    }

    private func request(_ url: String) throws -> URLRequest { URLRequest(url: try #require(URL(string: url))) }

    @Test func sendsTheTokenAndTheWholeRequest() async throws {
        let server = try RawServer { try $0.answerAll() }
        defer { server.close() }
        let client = try await client(for: server)
        var request = try request(server.url("/orders?page=2"))
        request.httpMethod = "POST"
        request.httpBody = Data("{}".utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer old", forHTTPHeaderField: "Authorization")
        let (body, response) = try await URLSession.shared.data(for: request, authorizedBy: client)
        #expect(response.statusCode == 200 && String(decoding: body, as: UTF8.self) == "/orders?page=2")
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST" && sent.body == Array("{}".utf8) && sent.headers["Content-Type"] == "application/json")
        #expect(try await sent.headers["Authorization"] == client.accessToken().bearer)
        _ = try await client.authorized(try self.request(server.url()))
        #expect(server.requests.count == 2)
    }

    @Test func renewsTheTokenOnceAfterARejection() async throws {
        let server = try RawServer { connection in
            while try connection.readRequest() != nil { try connection.answer(401) }
        }
        defer { server.close() }
        let client = try await client(for: server)
        let (_, response) = try await client.authorized(try request(server.url()))
        let tokens = server.requests.compactMap { $0.headers["Authorization"] }
        #expect(response.statusCode == 401)
        #expect(tokens.count == 2 && Set(tokens).count == 2, "\(tokens.count) requests")
    }

    /// A server of the app may redirect to any other server, which must not get the token.
    @Test func redirectToAnotherOriginCarriesNoToken() async throws {
        let other = try RawServer { try $0.answerAll() }
        let target = other.url("/elsewhere")
        let server = try RawServer { connection in
            while let request = try connection.readRequest() {
                switch request.target {
                case "/there": try connection.answer(302, ["Location: \(target)"])
                case "/here": try connection.answer(302, ["Location: /end"])
                default: try connection.answer(200, [], request.target)
                }
            }
        }
        defer {
            server.close()
            other.close()
        }
        let client = try await client(for: server)
        let (away, _) = try await client.authorized(try request(server.url("/there")))
        #expect(String(decoding: away, as: UTF8.self) == "/elsewhere")
        #expect(other.requests.count == 1 && other.requests.allSatisfy { $0.headers["Authorization"] == nil })
        let (home, _) = try await client.authorized(try request(server.url("/here")))
        #expect(String(decoding: home, as: UTF8.self) == "/end")
        #expect(server.requests.last?.headers["Authorization"] == (try await client.accessToken().bearer))
    }

    @Test func unlistedServersAndStreamsGetNoRequest() async throws {
        let (listed, other) = (try RawServer { try $0.answerAll() }, try RawServer { try $0.answerAll() })
        defer {
            listed.close()
            other.close()
        }
        let client = try await client(for: listed)
        let error = await #expect(throws: AuthError.self) { try await client.authorized(try request(other.url())) }
        #expect(error?.code == .invalidConfiguration)
        var stream = try request(listed.url())
        stream.httpBodyStream = InputStream(data: Data("a".utf8))
        let sent = stream
        let refusal = await #expect(throws: URLError.self) { try await client.authorized(sent) }
        #expect(refusal?.code == .requestBodyStreamExhausted)
        #expect(listed.requests.isEmpty && other.requests.isEmpty)
    }

    @Test func cancelledTaskEndsItsRequest() async throws {
        let (arrived, told) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            told.yield()
            _ = try connection.readRequest()
        }
        defer { server.close() }
        let client = try await client(for: server)
        let request = try request(server.url())
        let task = Task { try await client.authorized(request) }
        for await _ in arrived { break }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }
}
