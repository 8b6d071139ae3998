internal import LockstepPrimitives

/// Firebase's `projects.getConfig`.
struct GetProjectConfig: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.need(call.space.tenant == nil, "((Can only get top-level configurations on agent projects.))")
        return call.described(call.space.config, call.rules)
    }
}
