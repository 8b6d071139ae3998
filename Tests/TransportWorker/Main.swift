import LockstepCurl
import LockstepHTTP
import LockstepURLSession

/// `transport-worker [--url-session] ADDRESS [ISSUERS]`: sends one GET request by libcurl, or by URLSession, prints the status, and
/// fails where there is no answer.
@main
struct TransportWorker {
    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        let transport: any HTTPTransport
        if arguments.first == "--url-session" {
            arguments.removeFirst()
            transport = URLSessionTransport()
        } else {
            transport = CurlTransport(try CurlConfiguration(issuers: arguments.dropFirst().first))
        }
        print(try await transport.send(HTTPRequest(.get, arguments.first ?? "")).status)
    }
}
