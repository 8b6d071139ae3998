import LockstepCurl
import LockstepHTTP
import LockstepURLSession

/// `lockstep-worker transport [--url-session] ADDRESS [ISSUERS]`: sends one GET request by libcurl, or by URLSession, prints the status, and
/// fails where there is no answer.
struct TransportWorker {
    static func run(_ words: [String]) async throws {
        var arguments = words[...]
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
