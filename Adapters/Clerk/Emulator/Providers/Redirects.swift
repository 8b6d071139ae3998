import LockstepPrimitives

/// Addresses that a browser is sent to.
struct Redirects {
    let call: FrontendCall

    /// Refuses malformed addresses, and schemes that run code.
    ///
    /// A native app must come back to one of the instance's redirect URLs, where it has any.
    func check(_ url: String, parameter: String = "redirect_url") throws {
        try Self.check(url, parameter: parameter)
        guard call.request.isNative else { return }
        let known = try call.context.db.all(InstanceAddressRecord.self, "kind = 'redirect'").map(\.text)
        guard known.isEmpty || known.contains(where: { url == $0 || url.hasPrefix($0 + "?") }) else {
            throw ClerkError.invalidRedirect
        }
    }

    /// Refuses malformed addresses, and schemes that run code.
    static func check(_ url: String, parameter: String = "redirect_url") throws(ClerkError) {
        let scheme = url.cut(at: ":").head
        guard url.utf8.count <= 4096, scheme.utf8.count < url.utf8.count, let first = scheme.utf8.first, first.isLetterOrDigit,
            scheme.utf8.allSatisfy({ $0.isLetterOrDigit || "+-.".utf8.contains($0) }),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") })
        else { throw .redirect(.invalidRedirect, parameter) }
        if ["javascript", "data", "vbscript", "file", "blob"].contains(scheme.lowercased()) {
            throw .redirect(.prohibitedRedirect, parameter)
        }
    }

    /// Redeems the nonce of a finished redirect, and gives the client its new token.
    func redeemRotation() throws {
        guard let nonce = call.request.query.text("rotating_token_nonce") ?? call.form.text("rotating_token_nonce") else {
            return
        }
        guard let row = try call.context.db.find(NonceRecord.self, "nonce = \(nonce) AND kind = 'rotation'"),
            let id = row.subject,
            row.expireAt > call.context.now, var client = try call.context.clients.find(id: id)
        else { return }
        try call.context.db.run("DELETE FROM nonces WHERE nonce = \(nonce)")
        try call.context.clients.rotate(&client)
        call.client = client
    }

    /// A nonce that gives the client its new token, once.
    func newRotation(for client: ClientRecord) throws -> String {
        let nonce = NonceRecord(
            nonce: call.context.token(), kind: .rotation, subject: client.id, payload: [:],
            expireAt: call.context.now + .seconds(300))
        try call.context.db.save(nonce)
        return nonce.nonce
    }

    /// `url` with more in its query, before its fragment.
    static func adding(_ pairs: [(String, String)], to url: String) -> String {
        let parts = url.pieces(at: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let base = String(parts[0])
        let query = Percent.encodeForm(pairs.map { (name: $0.0, value: $0.1) })
        let mark = base.contains("?") ? (base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&") : "?"
        return base + mark + query + (parts.count == 2 ? "#" + parts[1] : "")
    }
}
