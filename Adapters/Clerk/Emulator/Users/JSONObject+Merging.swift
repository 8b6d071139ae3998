import LockstepPrimitives

extension JSONObject {
    /// The same with `change` merged in, object into object at every depth; `null` removes a member.
    func merged(with change: JSONObject) -> JSONObject {
        var result = self
        for (name, value) in change {
            switch (result[name], value) {
            case (_, .null): result[name] = nil
            case (.object(let old)?, .object(let new)): result[name] = .object(old.merged(with: new))
            case (_, .object(let new)): result[name] = .object(JSONObject().merged(with: new))
            default: result[name] = value
            }
        }
        return result
    }
}
