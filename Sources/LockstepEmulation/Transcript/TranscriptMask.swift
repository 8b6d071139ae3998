internal import LockstepPrimitives

/// Masks the parts of requests and responses that a reader could misuse.
///
/// A secret that occurs in one place is masked everywhere. For example, a token with the name `access_token` in a response is
/// also masked in the path, the list or the header of any other exchange, in any encoding. The same applies to the codes and
/// links of emails and text messages.
struct TranscriptMask {
    private var search = EchoSearch(for: [], inParts: false)
    private var known: Set<ExactString> = []

    /// Adds the secrets of more entries and messages.
    ///
    /// - Parameters:
    ///   - sent: Codes and links of messages.
    mutating func learn(_ entries: [TranscriptEntry], sent: [String]) {
        var found = Set<ExactString>()
        for text in sent {
            if text.contains(bytesOf: "://") { Self.collect(address: text, into: &found) } else { found.insert(text.exact) }
        }
        for entry in entries {
            Self.collect(pairs: Parameters(lenient: entry.request.rawQuery).pairs, into: &found)
            for (headers, body) in [
                (entry.request.headers, entry.request.body), (entry.response.headers, entry.response.body),
            ] {
                Self.collect(headers, into: &found)
                switch Content(body, headers) {
                case .form(let pairs): Self.collect(pairs: pairs, into: &found)
                case .json(let json): Self.collect(json, under: "", into: &found)
                case .none, .other: break
                }
            }
        }
        found.subtract(known)
        known.formUnion(found)
        search.insert(found.lazy.map(\.text))
    }

    /// The entry without secrets.
    func json(of entry: TranscriptEntry) -> JSON {
        let (request, response) = (entry.request, entry.response)
        return [
            "number": .int(Int64(entry.number)), "date": .string(entry.date.rfc3339),
            "milliseconds": .double(entry.duration / .milliseconds(1)),
            "user": entry.response.userID.map { .string($0) } ?? .null,
            "method": .string(search.mask(request.method)),
            "path": .string(path(request.rawPath)), "query": form(Parameters(lenient: request.rawQuery).pairs),
            "headers": headers(request.headers), "body": body(request.body, request.headers),
            "status": response.delivery == .silence ? .null : .int(Int64(response.status)),
            "responseHeaders": headers(response.headers), "answer": body(response.body, response.headers),
            "fault": .bool(entry.isFaulty),
        ]
    }

    /// The body of a request without secrets.
    func shownBody(of request: EmulatorRequest) -> JSON { body(request.body, request.headers) }

    /// A document without secrets.
    func shown(_ document: JSON) -> JSON { value(document, under: "") }

    /// An address without secrets.
    func shown(address: String) -> String { text(address, isID: false) }

    // MARK: Showing

    private func path(_ path: String) -> String {
        search.mask(
            path.pieces(at: "/", omittingEmptySubsequences: false).map { part in
                SecretShapes.isSecret(Percent.decode(part) ?? String(part)) ? Secret.mask : String(part)
            }.joined(separator: "/"))
    }

    private func headers(_ headers: Headers) -> JSON {
        .array(
            headers.fields.map { name, value in
                let shown =
                    if SecretShapes.hides(name, value) {
                        Secret.mask
                    } else {
                        text(value, isID: SecretShapes.isIDName(name))
                    }
                return [.string(search.mask(name)), .string(shown)]
            })
    }

    /// The pairs of a query or a form.
    private func form(_ pairs: [(name: String, value: String)]) -> JSON {
        var object = JSONObject()
        for (name, value) in pairs { object[self.name(name)] = .string(member(name, value)) }
        return .object(object)
    }

    private func body(_ bytes: [UInt8], _ headers: Headers) -> JSON {
        switch Content(bytes, headers) {
        case .none: .null
        case .form(let pairs): form(pairs)
        case .json(let json): value(json, under: "")
        case .other(let type): .string("<\(search.mask(type)), \(bytes.count) bytes>")
        }
    }

    private func value(_ json: JSON, under name: String) -> JSON {
        switch json {
        case .array(let elements): return .array(elements.map { value($0, under: name) })
        case .object(let object):
            var shown = JSONObject()
            for (name, member) in object { shown[self.name(name)] = value(member, under: name) }
            return .object(shown)
        case .string(let text): return .string(member(name, text))
        case .int, .double:
            let text = json.text()
            let isCode = text.utf8.count >= 4 && SecretShapes.hides(name, text) && !name.lowercased().contains("expire")
            return isCode || search.mask(text) != text ? .string(Secret.mask) : json
        default: return json
        }
    }

    private func member(_ name: String, _ text: String) -> String {
        if text.isEmpty { return text }
        return SecretShapes.hides(name, text) ? Secret.mask : self.text(text, isID: SecretShapes.isIDName(name))
    }

    /// A name is a word of the API, or a name that a client has chosen.
    private func name(_ name: String) -> String {
        if name.utf8.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7a || $0 == UInt8(ascii: "_") }) { return name }
        return SecretShapes.isSecret(name) && !SecretShapes.isWords(name) ? Secret.mask : search.mask(name)
    }

    private func text(_ text: String, isID: Bool) -> String {
        if let start = text.range(ofBytes: "://")?.upperBound, !text.hasPrefix("otpauth") {
            return address(text, from: start)
        }
        guard text.unicodeScalars.contains(where: Self.endsWord) else {
            if SecretShapes.isSecret(text, isID: isID) { return Secret.mask }
            return search.mask(text.contains(bytesOf: "=") && !isID ? pairs(text) : text)
        }
        if SecretShapes.isSecret(text, isID: true) { return Secret.mask }
        // In a sentence or a list, only the words that look like secrets are masked.
        var shown = ""
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let word = Substring(rest.prefix { !Self.endsWord($0) })
            shown += SecretShapes.isSecret(word, isID: isID) ? Secret.mask[...] : word
            rest = rest[word.endIndex...]
            if let sign = rest.popFirst() { shown.unicodeScalars.append(sign) }
        }
        return search.mask(shown)
    }

    private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == ";" || scalar == "," || scalar == "|"
    }

    private func address(_ text: String, from start: String.Index) -> String {
        let end = text[start...].unicodeScalars.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let authority = Substring(text[start...].unicodeScalars.prefix { !"/?#".unicodeScalars.contains($0) })
        let host = authority.unicodeScalars.lastIndex(of: "@").map { Secret.mask + authority[$0...] } ?? String(authority)
        let rest = text[end...].pieces(atAnyOf: "?#", omittingEmptySubsequences: false).dropFirst()
        let tail = rest.map { "?" + pairs(String($0)) }.joined()
        return search.mask(text[..<start] + host + path(String(text[authority.endIndex..<end])) + tail)
    }

    private func pairs(_ text: String) -> String {
        text.pieces(at: "&", omittingEmptySubsequences: false).map { pair in
            let pieces = pair.pieces(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2 else { return SecretShapes.isSecret(pair) ? Secret.mask : String(pair) }
            let name = Percent.decode(pieces[0], plusIsSpace: true) ?? ""
            let value = Percent.decode(pieces[1], plusIsSpace: true) ?? ""
            let shown = member(name, value)
            return "\(pieces[0])=\(shown == value ? String(pieces[1]) : shown)"
        }.joined(separator: "&")
    }
}
