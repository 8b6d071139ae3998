internal import LockstepPrimitives

extension FuzzGenerator {
    func fill(_ request: inout FuzzRequest, _ route: FuzzRoute, _ care: Int) {
        var members = JSONObject()
        for (name, kind) in route.body where dice.roll(4) > 0 { members[name] = value(name, kind, care) }
        // An address or a number, because most operations reject both together.
        if members["email"] != nil, members["phone"] != nil, dice.roll(8) > 0 { members[dice.pick(["email", "phone"])] = nil }
        if dice.hits(oneIn: care) { members[dice.pick(HostileValues.texts)] = dice.pick(HostileValues.json) }
        let isForm = dice.hits(oneIn: 25) ? !self.isForm : self.isForm
        if isForm {
            request.body = Array(
                Percent.encodeForm(members.map { (name: $0.name, value: $0.value.string ?? $0.value.text()) }).utf8)
        } else {
            request.body = JSON.object(members).bytes()
        }
        if dice.hits(oneIn: care * 2) { damage(&request.body, members) }
        var type = isForm ? "application/x-www-form-urlencoded" : "application/json"
        if dice.hits(oneIn: care * 4) { type = dice.pick(HostileValues.mediaTypes) }
        if !type.isEmpty { request.headers.append((name: "Content-Type", value: type)) }
    }

    /// Generates a body that no client would send.
    private func damage(_ body: inout [UInt8], _ members: JSONObject) {
        let name = members.isEmpty ? "email" : dice.pick(members.names)
        switch dice.roll(14) {
        case 0: body = Array(body.prefix(dice.roll(body.count + 1)))
        case 1: if !body.isEmpty { body[dice.roll(body.count)] = UInt8(dice.roll(256)) }
        case 2: body.insert(contentsOf: [0xff, 0xfe, 0xc0, 0x80], at: dice.roll(body.count + 1))
        case 3: body = Array("{\"\(name)\":1,\"\(name)\":\"a\",\"\(name)\":null}".utf8)
        case 4: body = Array("{\"\(name)\":\(String(repeating: "9", count: 1 + dice.roll(4000)))}".utf8)
        case 5:
            body = Array(
                "{\"\(name)\":\(dice.pick(["1e999", "-1e-999", "0.1e+4000", "01", "+1", ".5", "NaN", "Infinity", "0x10"]))}".utf8)
        case 6: body = Array((String(repeating: "{\"\(name)\":", count: 1 + dice.roll(20_000)) + "1").utf8)
        case 7: body = Array((String(repeating: "[", count: 1 + dice.roll(50_000))).utf8)
        case 8:
            body = Array(
                "{\"\(name)\":\"\(dice.pick(["\\ud800", "\\udc00\\ud800", "\\u0000", "\\x", "\\u12", "\t", "\u{7f}"]))\"}".utf8)
        case 9: body = [0xef, 0xbb, 0xbf] + body
        case 10: body += body
        case 11: body = dice.bytes(1 + dice.roll(400))
        case 12 where dice.hits(oneIn: 8):
            // As long as a body can be, a little less, or a little more.
            let length = 1_048_576 - 40 + dice.roll(80)
            body = Array("{\"\(name)\":\"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: length) + Array("\"}".utf8)
        default:
            body = Array(
                dice.pick(["", "null", "[]", "1", "\"a\"", "{", "}", "{}{}", "{\"\":{}}", "{,}", "[{}]", "true", "{\"a\":1,}"])
                    .utf8)
        }
    }

    /// Generates a request whose end is undefined, or ambiguous.
    func breakFraming(_ request: inout FuzzRequest) {
        request.isFramed = false
        switch dice.roll(6) {
        case 0: request.headers.append((name: "Content-Length", value: "-1"))
        case 1: request.headers += [(name: "Content-Length", value: "1"), (name: "Content-Length", value: "2")]
        case 2: request.headers += [(name: "Content-Length", value: "4"), (name: "Transfer-Encoding", value: "chunked")]
        case 3:
            request.headers.append((name: "Transfer-Encoding", value: "chunked"))
            request.body = Array("zz\r\n\r\n".utf8)
        case 4:
            request.headers.append((name: "X-Long", value: String(repeating: "x", count: 40_000)))
            request.body = []
        default:
            request.target = dice.pick(["/a b", "/\u{1}", "*", "http://elsewhere/", ""])
            request.body = []
        }
    }
}
