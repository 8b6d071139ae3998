internal import LockstepPrimitives

/// A body, by its content type.
enum Content {
    case none
    case form([(name: String, value: String)])
    case json(JSON)
    case other(String)

    init(_ bytes: [UInt8], _ headers: Headers) {
        let type = (headers["content-type"] ?? "").cut(at: ";").head.lowercased()
        if bytes.isEmpty {
            self = .none
        } else if type == "application/x-www-form-urlencoded", bytes.first != UInt8(ascii: "{") {
            self = .form(Parameters(lenient: String(decoding: bytes, as: UTF8.self)).pairs)
        } else if let json = try? JSON.parse(bytes) {
            // JSON that is sent with the content type of a form, as with curl's -d, is read as JSON.
            self = .json(json)
        } else {
            self = .other(type.isEmpty ? "untyped" : type)
        }
    }
}

/// Finds the values that have the name of a secret anywhere, so that they are masked everywhere.
extension TranscriptMask {
    static func collect(_ headers: Headers, into found: inout Set<ExactString>) {
        for (name, value) in headers.fields {
            if SecretShapes.hides(name, value) {
                // The values of a cookie, and a token without its scheme.
                for part in value.pieces(atAnyOf: " ;,") {
                    add(String(part), into: &found)
                    if let sign = part.unicodeScalars.firstIndex(of: "=") {
                        add(String(part[part.unicodeScalars.index(after: sign)...]), into: &found)
                    }
                }
            } else if value.contains(bytesOf: "://") {
                collect(address: value, into: &found)
            }
        }
    }

    static func collect(pairs: [(name: String, value: String)], into found: inout Set<ExactString>) {
        for (name, value) in pairs { collect(.string(value), under: name, into: &found) }
    }

    static func collect(_ json: JSON, under name: String, into found: inout Set<ExactString>) {
        switch json {
        case .array(let elements): for element in elements { collect(element, under: name, into: &found) }
        case .object(let object): for (name, member) in object { collect(member, under: name, into: &found) }
        case .string(let text):
            if SecretShapes.hides(name, text) { add(text, into: &found) }
            if text.contains(bytesOf: "://") { collect(address: text, into: &found) }
        case .int where SecretShapes.hides(name, json.text()): add(json.text(), into: &found)
        default: break
        }
    }

    /// Collects the values in a URL that have the names of secrets.
    static func collect(address: String, into found: inout Set<ExactString>) {
        for part in address.pieces(atAnyOf: "?#").dropFirst() {
            collect(pairs: Parameters(lenient: String(part)).pairs, into: &found)
        }
    }

    /// Very short texts are common words, which also occur for other reasons.
    private static func add(_ text: String, into found: inout Set<ExactString>) {
        let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard text.utf8.count >= (isNumber ? 4 : 6) else { return }
        found.insert(text.exact)
    }
}
