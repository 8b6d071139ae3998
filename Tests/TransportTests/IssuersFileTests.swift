import LockstepCurl
import LockstepHTTP
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// Files of issuers without a readable certificate.
///
/// The request is rejected, and never sent with the system's trust.
@Suite(.limitedConcurrency)
struct IssuersFileTests {
    static let contents: [(what: String, bytes: [UInt8])] = [
        ("nothing", []), ("a line end", [0x0a]), ("no PEM", Array("trust everybody".utf8)),
        ("NUL", [UInt8](repeating: 0, count: 4096)),
        ("half of a frame", Array("-----BEGIN CERTIFICATE-----\n".utf8)),
        ("a frame around nothing", Array("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".utf8)),
        ("a frame around garbage", Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)),
        ("a key", Array("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n".utf8)),
    ]

    @Test(arguments: contents.map(\.what))
    func aFileWithoutACertificateIsReported(_ what: String) async throws {
        let content = try #require(Self.contents.first { $0.what == what })
        try await Place.use { place in
            try AtomicFile.replace(place.path, with: content.bytes)
            try await place.expectRefusal()
        }
    }

    @Test(arguments: ["nothing", "a folder", "a pipe"])
    func missingOrSpecialFileIsReportedForEveryRequest(_ what: String) async throws {
        try await Place.use { place in
            switch what {
            case "a folder": try Folder.make(place.path)
            case "a pipe": #expect(try await ChildProcess.run("mkfifo", [place.path]).status == 0)
            default: break
            }
            try await place.expectRefusal()
            // Plain http does not use the file, but the setting is wrong anyway.
            let transport = CurlTransport(try CurlConfiguration(issuers: place.path))
            let failure = await #expect(throws: HTTPFailure.self) {
                try await transport.send(HTTPRequest(.get, place.url("http")))
            }
            #expect(failure?.code == .invalidConfiguration)
        }
    }

    /// With a certificate in the file the request starts, so the server of this test would see the requests of the other tests.
    @Test func fileWithACertificateIsAccepted() async throws {
        try await Place.use { place in
            let outcome = try await ChildProcess.run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
                    "/CN=x",
                ]
                    + ["-keyout", "\(place.path).key", "-out", place.path])
            #expect(outcome.status == 0)
            let (failure, received) = try await place.send()
            // The server closes each connection here, so that no secure connection is established.
            #expect(failure.map { [.connectionLost, .tls, .cannotConnect].contains($0.code) } == true)
            #expect(received.isOneHello)
        }
    }
}

/// A path for a file of issuers, and a server that records its connections.
private struct Place: Sendable {
    let folder: String
    let listener: SocketListener

    var path: String { "\(folder)/issuers.pem" }

    func url(_ scheme: String) -> String { "\(scheme)://127.0.0.1:\(listener.port)/" }

    static func use(_ body: (Place) async throws -> Void) async throws {
        let place = Place(folder: try Folder.makeTemporary(), listener: try SocketListener())
        defer {
            place.listener.close()
            try? Folder.remove(place.folder)
        }
        try await body(place)
    }

    /// Sends over https.
    ///
    /// The server closes each connection after its first bytes.
    func send() async throws -> (failure: HTTPFailure?, received: [UInt8]) {
        let transport = CurlTransport(try CurlConfiguration(issuers: path))
        async let arrived = BlockingThread.run { () -> [UInt8] in
            guard let connection = try? listener.accept() else { return [] }
            defer { connection.close() }
            return (try? connection.read()) ?? []
        }
        var failure: HTTPFailure?
        do throws(HTTPFailure) {
            _ = try await transport.send(HTTPRequest(.get, url("https"), headers: ["Authorization": "Bearer canary"]))
        } catch {
            failure = error
        }
        listener.close()
        return (failure, try await arrived)
    }

    func expectRefusal(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let (failure, received) = try await send()
        #expect(failure?.code == .invalidConfiguration, sourceLocation: sourceLocation)
        #expect(failure?.phase == .neverSent, sourceLocation: sourceLocation)
        #expect(failure?.message.contains("issuers of CurlConfiguration") == true, sourceLocation: sourceLocation)
        // libcurl sends its hello before it reads the file, when the server's first bytes come: a handshake record and nothing
        // else.
        #expect(received.isEmpty || received.isOneHello, "\(received)", sourceLocation: sourceLocation)
    }
}

extension [UInt8] {
    /// Whether this is exactly one TLS record with the beginning of a handshake (RFC 8446, sections 4 and 5.1).
    fileprivate var isOneHello: Bool {
        count > 5 && self[0] == 0x16 && self[5] == 1 && Int(self[3]) << 8 | Int(self[4]) == count - 5
    }
}
