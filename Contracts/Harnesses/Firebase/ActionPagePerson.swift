internal import LockstepContracts
internal import LockstepHTTP
internal import LockstepPrimitives

/// A person who presses the button on the page of an action link.
enum ActionPagePerson {
    /// Sends the form of the page, which contains the parameters of the link.
    static func confirm(_ link: String, _ page: HTTPResponse, _ transport: any HTTPTransport) async throws {
        guard page.isSuccess else { throw HarnessFailure("The page of the link returned \(page.status).") }
        let parts = link.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, let pairs = Percent.decodeForm(parts[1]) else { throw HarnessFailure("The link has no query.") }
        let response = try await transport.send(HTTPRequest(.post, String(parts[0]), body: .form(HTTPForm(pairs))))
        // If the backend refuses, the page says so to the person.
        guard response.isSuccess || (400..<500).contains(response.status) else {
            throw HarnessFailure("The page's button returned \(response.status).")
        }
    }
}
