internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// A mail with a link, and the kind of flow that asked for it, as they are noted on the device before the request.
struct SentLink: Equatable {
    let message: Message
    let kind: Flow.Kind

    var text: String { "\(message.rawValue)/\(kind.rawValue)" }

    init(message: Message, kind: Flow.Kind) {
        self.message = message
        self.kind = kind
    }

    init?(_ text: String) {
        let parts = text.pieces(at: "/").map(String.init)
        guard parts.count == 2, let message = Message(rawValue: parts[0]), let kind = Flow.Kind(rawValue: parts[1]) else {
            return nil
        }
        self.init(message: message, kind: kind)
    }
}

/// Links of mails whose request ended before its answer came.
///
/// A link is used with the address that its mail was asked for on this device, never with one from the link.
struct OpenedLinks: UnrequestedLinks {
    let api: FirebaseAPI

    func kind(of callback: Callback, on device: FlowMemory) -> Flow.Kind? {
        guard let link = ActionLink(callback) else { return nil }
        return unanswered(link.message, on: device).first?.kind
    }

    func open(_ callback: Callback, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let link = ActionLink(callback) else { throw ActionLink.unreadable }
        let sent = unanswered(link.message, on: flow).filter { $0.kind == flow.flow.kind }
        for (place, mail) in sent.enumerated() {
            flow[.message] = link.message.rawValue
            flow[.email] = mail.address
            do {
                return try await LinkVerification(api: api).use(link, for: mail.address, in: flow)
            } catch {
                // The link of a mail to another address stays valid.
                guard error.code == .linkInvalid, place + 1 < sent.count else { throw error }
            }
        }
        throw AuthError(.flowStartedElsewhere, "This device did not begin the flow of this link.", remedies: [.startAgain])
    }

    private func unanswered(_ message: Message, on device: FlowMemory) -> [(kind: Flow.Kind, address: String)] {
        api.sentLinks(in: device).entries.compactMap { entry in
            guard !entry.isAnswered, let link = SentLink(entry.message), link.message == message else { return nil }
            return (link.kind, entry.verifier.reveal())
        }
    }
}
