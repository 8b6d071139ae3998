internal import LockstepPrimitives

extension JSONObject {
    /// These members and then the others; of members with the same name the other's value counts.
    func adding(_ others: JSONObject) -> JSONObject {
        var sum = self
        for (name, value) in others { sum[name] = value }
        return sum
    }
}
