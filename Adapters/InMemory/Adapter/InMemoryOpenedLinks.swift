internal import Lockstep
internal import LockstepPrimitives

/// A request for an email, by the name that the device stores before it sends the request.
///
/// A flow recognizes its email's link by the response. If the process ends before the response, only this name remains.
enum MailRequest {
    /// The name of the running request.
    @TaskLocal static var current: Secret?
}

extension InMemoryLink {
    /// Sends a request for an email.
    ///
    /// The device recognizes the email's link as its own, even if the process ends before the response.
    func asking<Response: Sendable>(
        in flow: FlowMemory, _ request: @Sendable () async throws(AuthError) -> Response
    ) async throws(AuthError) -> Response {
        let name = Secret(backend.randomness.text(20))
        flow.unanswered = [name] + flow.unanswered.prefix(5)
        await flow.storeDeviceNotes()
        let result = await MailRequest.$current.withValue(name) {
            do throws(AuthError) {
                return Result<Response, AuthError>.success(try await request())
            } catch {
                return .failure(error)
            }
        }
        flow.unanswered.removeAll { $0 == name }
        return try result.get()
    }
}

extension FlowMemory {
    /// The device's requests for emails that got no response, newest first.
    fileprivate(set) var unanswered: [Secret] {
        get { self[device: "unanswered"]?.reveal().pieces(at: " ").map { Secret(String($0)) } ?? [] }
        set { self[device: "unanswered"] = newValue.isEmpty ? nil : Secret(newValue.map { $0.reveal() }.joined(separator: " ")) }
    }
}

/// The part that opens invitations, and links in emails if the response to their request was lost.
struct InMemoryOpenedLinks: UnrequestedLinks {
    let link: InMemoryLink

    func kind(of callback: Callback, on device: FlowMemory) -> Flow.Kind? {
        if callback.parameters["ticket"] != nil { return link.settings.capabilities.contains(.ticket) ? .signIn : nil }
        guard callback.parameters["token"] != nil, !device.unanswered.isEmpty else { return nil }
        return callback.parameters["kind"].flatMap(Flow.Kind.init)
    }

    func open(_ callback: Callback, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        if let ticket = callback.parameters["ticket"] {
            return link.step(try await link.backend.signIn(ticket: Secret(ticket)), flow)
        }
        let token = Secret(callback.parameters["token"] ?? "")
        let requests = flow.unanswered
        return link.step(try await link.backend.prove(linkToken: token, ofUnanswered: requests), flow)
    }
}
