internal import Lockstep
internal import LockstepDirectory
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension ClerkDirectory {
    /// Returns the id of the instance, which stays the same if a key or an address changes.
    ///
    /// - Returns: The id, `ins_…`.
    /// - Throws: An `AuthError` of the backend.
    public func instance() async throws(AuthError) -> String {
        guard let id = try await call(.get, "/instance").object["id"]?.filled else {
            throw DirectoryErrors.incomplete("the id of the instance")
        }
        return id
    }

    /// Returns the instance's requirements for new users.
    ///
    /// The directory first asks the Backend API, which also returns the URL of the Frontend API. Then it reads the
    /// environment of the Frontend API.
    ///
    /// - Returns: The requirements.
    /// - Throws: An `AuthError` of the backend.
    public func demands() async throws(AuthError) -> DirectoryDemands {
        let instance = try await call(.get, "/instance").object
        let domains = try await call(.get, "/domains").object["data"]?.array ?? []
        let own = domains.first { $0["is_satellite"]?.bool != true }
        guard let address = own?["frontend_api_url"]?.filled else {
            throw DirectoryErrors.incomplete("the address of the front-end API")
        }
        var demands = DirectoryDemands()
        demands.read(environment: try await environment(of: BackendAddress(address, called: "address of the front-end API").url))
        // https://clerk.com/docs/guides/how-clerk-works/system-limits
        if instance["environment_type"]?.string == "development" { demands.userQuota = 100 }
        return demands
    }
}

extension DirectoryDemands {
    fileprivate mutating func read(environment: JSONObject) {
        let settings = environment["user_settings"]
        let attributes = settings?["attributes"]
        func demand(_ name: String) -> Demand? {
            guard let isOn = attributes?[name]?["enabled"]?.bool else { return nil }
            return !isOn ? .off : attributes?[name]?["required"]?.bool == true ? .required : .optional
        }
        email = demand("email_address")
        phone = demand("phone_number")
        username = demand("username")
        password = demand("password")
        firstName = demand("first_name")
        lastName = demand("last_name")
        // Clerk has no anonymous users.
        allowsAnonymousUsers = false
        allowsSharedEmails = false
        providers = (settings?["social"]?.object).map { social in
            Set(
                social.filter { $0.value["enabled"]?.bool == true }.map { name, _ in
                    IdentityProvider(rawValue: name.hasPrefix("oauth_") ? String(name.dropFirst("oauth_".count)) : name)
                })
        }
        isSignUpOpen = settings?["sign_up"]?["mode"]?.string.map { $0 == "public" }
        if attributes != nil {
            let kinds: [(String, SecondFactor)] = [
                ("authenticator_app", .authenticatorApp), ("phone_number", .phone), ("backup_code", .backupCodes),
            ]
            secondFactors = Set(kinds.filter { attributes?[$0.0]?["used_for_second_factor"]?.bool == true }.map(\.1))
        }
    }
}
