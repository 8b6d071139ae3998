import LockstepCurl
import LockstepHTTP

/// `transport-worker ADDRESS ISSUERS`: sends one GET request by libcurl, tells the status, and fails where there is no answer.
@main
struct TransportWorker {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let transport = CurlTransport(try CurlConfiguration(issuers: arguments.last))
        print(try await transport.send(HTTPRequest(.get, arguments.first ?? "")).status)
    }
}
