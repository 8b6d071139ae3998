import Foundation
import LockstepCurl
import LockstepDoctor
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// Certificates that do not match the project's address, from a real TLS server.
@Suite("Certificates of a project", .limitedConcurrency)
struct CertificateTests {
    /// A TLS server that answers `/settings` with a certificate for a given name.
    private struct Server {
        let folder: String
        let port: String

        var url: String { "https://127.0.0.1:\(port)" }
        var issuers: String { folder + "/certificate.pem" }

        static func with(_ name: String, _ body: (Server) async throws -> Void) async throws {
            let folder = try Folder.makeTemporary()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let files = ["-keyout", folder + "/key.pem", "-out", folder + "/certificate.pem"]
            let made = try await ChildProcess.run(
                "openssl",
                ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
                    + ["-subj", "/CN=project.example", "-addext", "subjectAltName=\(name)"] + files)
            try #require(made.status == 0, "\(made.text)")
            let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
            try AtomicFile.replace(folder + "/settings", with: Array(answer.utf8))
            let script =
                "cd \"$1\" && exec openssl s_server -accept 127.0.0.1:0 -cert certificate.pem -key key.pem -HTTP 2>/dev/null"
            let process = try ChildProcess("/bin/sh", ["-c", script, "sh", folder])
            defer {
                process.kill()
                _ = try? process.wait()
            }
            let port = try await BlockingThread.run {
                var text = ""
                while text.matches(of: /ACCEPT .*:([0-9]+)\n/).isEmpty {
                    let part = try process.readOutput()
                    try #require(!part.isEmpty, "openssl s_server ended: \(text)")
                    text += String(decoding: part, as: UTF8.self)
                }
                return text.firstMatch(of: /ACCEPT .*:([0-9]+)\n/).map { String($0.1) } ?? ""
            }
            try await body(Server(folder: folder, port: port))
        }

        /// Sends a request to the server, whose issuer is trusted.
        func report() async throws -> DoctorReport {
            let transport = CurlTransport(try CurlConfiguration(issuers: issuers))
            return try await Doctor.goTrue(url: url, key: "sb_publishable_canary", transport: transport, clock: SystemClock())
                .report()
        }
    }

    @Test func certificateOfAnotherHostPrintsOneSentence() async throws {
        try await Server.with("DNS:other.example") { server in
            let error = await #expect(throws: DoctorError.self) { try await server.report() }
            let sentence = error?.description ?? ""
            #expect(sentence.contains("\(server.url)/settings") && sentence.contains("Check the address and its certificate."))
            #expect(error?.isUsage == false && !sentence.contains("canary") && !sentence.contains("\n"), "\(sentence)")
        }
    }

    /// The request to the same server succeeds if its certificate has the address.
    @Test func matchingCertificateIsRead() async throws {
        try await Server.with("IP:127.0.0.1") { server in
            let report = try await server.report()
            #expect(report.requests.first == "GET \(server.url)/settings")
        }
    }

    @Test func unknownIssuerPrintsOneSentence() async throws {
        try await Server.with("IP:127.0.0.1") { server in
            let run = try await Lockstep.run(
                ["doctor", "gotrue", "--url", server.url], variables: ["SUPABASE_PUBLISHABLE_KEY": "sb_publishable_canary"])
            #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("certificate"), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1 && !run.errors.contains("canary"), "\(run.errors)")
        }
    }
}
