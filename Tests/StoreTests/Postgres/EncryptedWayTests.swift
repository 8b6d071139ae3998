import Lockstep
import LockstepPostgresStore
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

/// Connections to a server that is not on this machine: a name and an address, as for a tunnel.
@Suite("Encrypted connections to PostgreSQL", .limitedConcurrency)
struct EncryptedWayTests {
    private static let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)

    private func with(_ body: (PostgresServer, String, Int) async throws -> Void) async throws {
        let server = try await PostgresServer(tls: true)
        do {
            let place = try await PostgresPlace(server: server)
            try await place.database().prepare()
            let name = try #require(place.address.split(separator: " ").last)
            try await body(server, "hostaddr=127.0.0.1 user=lockstep \(name)", try #require(server.port))
        } catch {
            try? await server.stop()
            throw error
        }
        try await server.stop()
    }

    private func store(_ address: String, verifies: Bool = true, limit: Duration = .seconds(30)) throws -> PostgresSessionStore {
        var settings = PostgresSessionSettings()
        settings.limit = limit
        settings.verifiesServers = verifies
        return try PostgresSessionDatabase(Secret(address), keys: PostgresPlace.ring(), settings: settings).store(for: "ada")
    }

    /// Tries for four seconds.
    ///
    /// The result cannot change, and the store repeats the attempt until its time limit.
    private func expectRefused(_ address: String, _ line: SourceLocation = #_sourceLocation) async throws {
        let store = try store(address, limit: .seconds(4))
        do throws(StoreError) {
            _ = try await store.load(Self.key)
            Issue.record("it was asked", sourceLocation: line)
        } catch {
            #expect(error.code == .unreadable, "\(error)", sourceLocation: line)
            #expect(error.message.contains("sslmode=verify-full"), "\(error)", sourceLocation: line)
        }
    }

    @Test func connectionCannotBeDowngraded() async throws {
        try await with { server, address, port in
            let proxy = try StrippingProxy(to: port)
            defer { proxy.close() }
            let way = "host=db.example port=\(proxy.port) \(address) sslrootcert=\(server.issuer)"
            try await expectRefused(way)
            #expect(!proxy.isBelieved.value, "a client went on without encryption")
            // The default of libpq, for a caller that asks for it explicitly.
            try await store(way, verifies: false).replace(Self.key, with: [1], unlessChangedSince: nil)
            #expect(proxy.isBelieved.value)
        }
    }

    @Test func onlyTheNamedServerIsAccepted() async throws {
        try await with { server, address, port in
            let trust = "sslrootcert=\(server.issuer)"
            let store = try store("host=db.example port=\(port) \(address) \(trust)")
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            let encrypted = try await server.sql("SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl")
            #expect(encrypted != "0")
            try await expectRefused("host=other.example port=\(port) \(address) \(trust)")
            try await expectRefused("host=db.example port=\(port) \(address) sslrootcert=/nowhere")
        }
    }

    @Test(arguments: ["disable", "allow", "prefer", "require", "verify-ca"])
    func weakerTLSModesAreRejected(_ mode: String) throws {
        let ring = try PostgresPlace.ring()
        for address in ["host=db.example sslmode=\(mode)", "postgresql://db.example/app?sslmode=\(mode)"] {
            do throws(StoreError) {
                _ = try PostgresSessionDatabase(Secret(address), keys: ring)
                Issue.record("it was taken")
            } catch { #expect(error.message.contains("sslmode=verify-full"), "\(error)") }
        }
        // On this machine no attacker is on the connection.
        _ = try PostgresSessionDatabase(Secret("host=/run/postgresql sslmode=\(mode)"), keys: ring)
    }
}
