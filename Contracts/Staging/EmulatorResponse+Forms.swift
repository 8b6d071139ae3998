internal import LockstepEmulation
internal import LockstepPrimitives

extension EmulatorResponse {
    /// The same answer with U+FEFF before its body, as some gateways and editors put it there.
    func withByteOrderMark() -> EmulatorResponse {
        var copy = self
        copy.body = [0xEF, 0xBB, 0xBF] + body
        return copy
    }

    /// The same answer with every member of its object twice, first with another value: two readers may then read two answers.
    func withRepeatedNames() -> EmulatorResponse {
        guard let object = (try? JSON.parse(body))?.object, !object.isEmpty else { return self }
        var copy = self
        let others = JSONObject(object.map { ($0.name, JSON.string("other")) })
        copy.body = Array(JSON.object(others).bytes().dropLast()) + Array(",".utf8) + JSON.object(object).bytes().dropFirst()
        return copy
    }
}
