internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrue
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension GoTrueDirectory {
    /// Returns the requirements that the server has for new users.
    ///
    /// The result contains neither the second factors nor the number of emails per hour, because the server does not
    /// return them.
    ///
    /// - Returns: The requirements.
    /// - Throws: An `AuthError` of the backend.
    public func demands() async throws(AuthError) -> DirectoryDemands {
        let settings = try await call(.get, "/settings").object
        guard let external = settings["external"]?.object else { throw GoTrueWire.incomplete("the project's settings") }
        var demands = DirectoryDemands()
        func demand(_ name: String) -> DirectoryDemands.Demand? { external[name]?.bool.map { $0 ? .optional : .off } }
        demands.email = demand("email")
        demands.phone = demand("phone")
        // A password belongs to an address or a number.
        demands.password = [demands.email, demands.phone].contains(.optional) ? .optional : demands.email
        // The server cannot store these values.
        (demands.username, demands.firstName, demands.lastName) = (.off, .off, .off)
        demands.allowsAnonymousUsers = external["anonymous_users"]?.bool
        let methods = ["email", "phone", "anonymous_users"]
        demands.providers = Set(
            external.filter { !methods.contains($0.name) && $0.value.bool == true }.map { Self.provider(named: $0.name) })
        demands.isSignUpOpen = settings["disable_signup"]?.bool.map { !$0 }
        demands.requiresVerifiedEmail = settings["mailer_autoconfirm"]?.bool.map { !$0 }
        demands.requiresVerifiedPhone = settings["phone_autoconfirm"]?.bool.map { !$0 }
        demands.allowsSharedEmails = false
        return demands
    }
}
