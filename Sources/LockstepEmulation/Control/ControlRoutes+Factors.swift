internal import LockstepPrimitives
internal import LockstepUserFields

extension ControlRoutes {
    /// The routes of second factors.
    var factors: [ControlRoute] {
        guard let accounts else { return [] }
        return [
            ControlRoute("GET", "/users/{id}/factors", "Lists the second factors of a user with their secrets.") { request in
                let factors = try accounts.factors(of: accounts.user(of: request).id)
                return .json(["factors": .array(factors.map(\.json))])
            },
            ControlRoute("POST", "/users/{id}/factors", "Enrolls an authenticator app or a phone, without a challenge.") {
                request in
                let values = try DirectoryFactor(request.values(DirectoryFactor.body))
                let id = try accounts.user(of: request).id
                return .json(try accounts.addFactor(values, to: id).json, status: 201)
            },
            ControlRoute("GET", "/users/{id}/factors/{factor}/code", "Shows the current code of a second factor.") {
                request in
                let user = try accounts.user(of: request)
                let factor = try accounts.factor(of: request, user)
                guard let code = try accounts.code(of: factor, of: user.id) else {
                    throw UserValueError.conflict(
                        "No code is pending for \"\(factor.factor.phone ?? factor.factor.id)\". Start a sign-in that asks for this factor."
                    )
                }
                return .json(code.json)
            },
            ControlRoute("DELETE", "/users/{id}/factors/{factor}", "Removes a second factor.") { request in
                let user = try accounts.user(of: request)
                _ = try accounts.removeFactor(accounts.factor(of: request, user).factor.id, of: user.id)
                return .empty()
            },
        ]
    }
}

extension AccountAdministrator {
    /// Returns the second factor in the path.
    fileprivate func factor(of request: EmulatorRequest, _ user: ControlledUser) throws -> ControlledFactor {
        let id = request[placeholder: "factor"]
        guard let factor = try factors(of: user.id).first(where: { $0.factor.id.exact == id.exact }) else {
            throw ControlError(
                404,
                "This user has no second factor \"\(id.prefix(100))\". GET \(ControlRoutes.prefix)/users/{id}/factors lists them."
            )
        }
        return factor
    }
}
