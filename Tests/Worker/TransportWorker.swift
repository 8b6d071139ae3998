import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepURLSession

/// `lockstep-worker transport [--url-session] ADDRESS [ISSUERS]`: sends one GET request with libcurl or URLSession, prints the
/// status, and fails without a response.
///
/// `lockstep-worker transport --full ADDRESS…`: sends to each address while this process has no free file descriptor, with an
/// existing transport and with a new one, then again with the first one and free descriptors, and prints each result.
struct TransportWorker {
    static func run(_ words: [String]) async throws {
        if words.first == "--full" { return await sendWithoutDescriptors(Array(words.dropFirst())) }
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

    private static func sendWithoutDescriptors(_ addresses: [String]) async {
        let transport = CurlTransport()
        // Swift's runtime opens its descriptors for waiting once, and ends the process if it cannot.
        try? await SystemClock().sleep(for: .milliseconds(1))
        var held: [SocketListener] = []
        while let listener = try? SocketListener() { held.append(listener) }
        for address in addresses { await report("full", transport, address) }
        for address in addresses { await report("made while full", CurlTransport(), address) }
        // The last descriptors are for the runtime.
        for _ in 0..<4 { held.removeLast().close() }
        for address in addresses { await report("nearly full", transport, address) }
        for listener in held { listener.close() }
        for address in addresses { await report("free", transport, address) }
    }

    private static func report(_ when: String, _ transport: CurlTransport, _ address: String) async {
        do throws(HTTPFailure) {
            print("\(when): \(try await transport.send(HTTPRequest(.get, address)).status)")
        } catch {
            let names = error.message.contains("file descriptor")
            print("\(when): \(error.code.rawValue) \(error.phase) \(names ? "names the cause" : error.message)")
        }
    }
}
