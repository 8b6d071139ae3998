internal import LockstepContracts
internal import LockstepEmulation
internal import LockstepPrimitives

extension FaultForms {
    /// Returns the response of a server that repeats the request.
    func quoting(_ request: EmulatorRequest, _ quotation: Quotation) -> EmulatorResponse {
        let all = request.quotedTexts
        let text = all.joined(separator: " | ")
        switch quotation {
        case .sentence: return sentence("unheard_of", text, 400)
        case .code: return refusal(text, 400)
        case .members:
            var object = JSONObject()
            for (place, value) in all.enumerated() { object["\(place) \(value)"] = .array([.string(value)]) }
            for value in all { if let number = Int64(value) { object["n\(number)"] = .int(number) } }
            return sentence("unheard_of", "Refused.", 400).adding(object)
        case .page: return .html("<!doctype html><title>\(text)</title><p>\(text)", status: 502)
        case .headers:
            let line = String(decoding: text.utf8.filter { $0 >= 0x20 && $0 < 0x7f }.prefix(6000), as: UTF8.self)
            return refusal("unheard_of", 400).with("X-Quotation", line).with("x-error", line)
        case .success: return .json(["quotation": .string(text), "error": .string(text), "status": .string(text)])
        }
    }
}

extension EmulatorResponse {
    fileprivate func adding(_ members: JSONObject) -> EmulatorResponse {
        guard var object = (try? JSON.parse(body))?.object else { return self }
        for (name, value) in members { object[name] = value }
        var copy = self
        copy.body = JSON.object(object).bytes()
        return copy
    }
}

extension EmulatorRequest {
    /// All values in the request, in every encoding.
    fileprivate var quotedTexts: [String] {
        var values = [String(decoding: body, as: UTF8.self), rawQuery, rawPath] + headers.fields.map(\.value)
        values += (Percent.decodeForm(rawQuery) ?? []).map(\.value)
        if let json = try? JSON.parse(body) {
            values += json.texts
        } else {
            values += (Percent.decodeForm(String(decoding: body, as: UTF8.self)) ?? []).map(\.value)
        }
        return Array(Set(values)).sorted().filter { !$0.isEmpty }.flatMap { value -> [String] in
            let escaped = value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                .replacing("\"", with: "&quot;")
            return [
                value, value.uppercased(), value.lowercased(), Percent.encode(value),
                Percent.encode(value).replacing("%20", with: "+"),
                JSON.string(value).text(), escaped, Base64.encode(Array(value.utf8)), Base64.encode(Array("x\(value)".utf8)),
                Base64.encode(Array("xy\(value)".utf8), .url), Hex.encode(Array(value.utf8)),
            ]
        }
    }
}

extension JSON {
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .object(let object): object.flatMap { $0.value.texts }
        case .int(let number): [String(number)]
        default: []
        }
    }
}
