import LockstepPrimitives

/// URLs to which a browser is redirected.
struct Redirects {
    let context: RequestContext

    /// Rejects malformed URLs, and schemes that run code.
    ///
    /// A native app must use one of the instance's redirect URLs, if there are any.
    func check(_ url: String, parameter: String = "redirect_url") throws {
        try Self.check(url, parameter: parameter)
        guard context.sender.isNative else { return }
        let known = try context.db.all(InstanceAddressRecord.self, "kind = 'redirect'").map(\.text)
        guard known.isEmpty || known.contains(where: { url == $0 || url.hasPrefix($0 + "?") }) else {
            throw ClerkError.invalidRedirect
        }
    }

    /// Rejects malformed URLs, and schemes that run code.
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

    /// Accepts the nonce of a finished redirect, and returns the client's new token.
    func redeemRotation() throws {
        guard let nonce = context.query.text("rotating_token_nonce") ?? context.form.text("rotating_token_nonce") else {
            return
        }
        guard let row = try context.db.find(NonceRecord.self, "nonce = \(nonce) AND kind = 'rotation'"),
            let id = row.subject,
            row.expireAt > context.now, var client = try context.clients.find(id: id)
        else { return }
        try context.db.run("DELETE FROM nonces WHERE nonce = \(nonce)")
        try context.clients.rotate(&client)
        context.client = client
    }

    /// Returns a nonce with which the client gets its new token, once.
    func newRotation(for client: ClientRecord) throws -> String {
        let nonce = NonceRecord(
            nonce: context.token(), kind: .rotation, subject: client.id, payload: [:],
            expireAt: context.now + .seconds(300))
        try context.db.save(nonce)
        return nonce.nonce
    }

    /// Returns `url` with more values in its query, before its fragment.
    static func adding(_ pairs: [(String, String)], to url: String) -> String {
        let parts = url.pieces(at: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let base = String(parts[0])
        let query = Percent.encodeForm(pairs.map { (name: $0.0, value: $0.1) })
        let mark = base.contains("?") ? (base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&") : "?"
        return base + mark + query + (parts.count == 2 ? "#" + parts[1] : "")
    }
}
