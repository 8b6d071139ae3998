internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the address of an identity provider's page.
    static let pages: [Contract<World>] = [
        Contract(
            "privacy.page-keeps-no-secret",
            "The address of an identity provider's page contains nothing that the device keeps for the exchange after it (PKCE), except "
                + "what comes back in the callback: for a sign-in and for linking.",
            appliesTo: .claiming(.oauth), needs: [.identityPage], buildsOn: ["sign-in.oauth.round-trip", "sign-in.step.kept"]
        ) { w in
            let provider = try w.identityPage().provider
            for isLink in [false, true] where !isLink || w.can(.linking) && w.can(.password) {
                let device = w.device()
                let client = device.launch()
                if isLink { try await w.enter(client, w.member()) }
                let begun = await result(of: { () async throws(AuthError) in
                    isLink ? try await client.link(.oauth(provider)) : try await client.signIn(with: .oauth(provider))
                })
                if isLink, begun.failure?.code == .unsupported { continue }
                guard case .redirect(let redirect) = try begun.get() else { throw NotApplicable("no page opens") }
                let notes = try await device.flowNotes(of: redirect.flow) ?? []
                let url = try await w.consent(to: redirect.url, as: w.subject())
                let (page, callback) = (Percent.decode(redirect.url) ?? redirect.url, Percent.decode(url) ?? url)
                for note in notes where note.isSecretLike && !callback.contains(note) {
                    w.expect(!page.contains(note), "the address of the page contains a value that only the exchange may send")
                }
                let end = try await w.follow(client, url)
                w.expect(end.session != nil, "the callback returned \(end.kind)")
            }
        }
    ]
}

extension String {
    /// Whether a stored text can be a verifier or another secret: long, and without the signs of a URL or a sentence.
    fileprivate var isSecretLike: Bool {
        utf8.count >= 16
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "-._~".utf8.contains(byte)
            }
    }
}
