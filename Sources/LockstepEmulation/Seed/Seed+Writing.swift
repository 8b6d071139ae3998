internal import LockstepPrimitives

// A member without a value is left out, so every provider can read the seeds that it has written.

extension SeedUser {
    var object: JSONObject {
        var members = values.object
        members.add("externalID", externalID)
        members.add("passwordHash", passwordHash?.reveal())
        members.add("emailConfirmedAt", emailConfirmedAt)
        members.add("phoneConfirmedAt", phoneConfirmedAt)
        members.add("anonymous", isAnonymous)
        members.add("identities", identities.map(\.object))
        members.add("factors", factors.map(\.object) + otherFactors.map(\.object))
        members.add("sessions", sessions.map(\.object))
        members.add("createdAt", createdAt)
        members.add("lastSignInAt", lastSignInAt)
        addFurther(to: &members)
        members.add("only", only)
        return members
    }

    /// Adds the values that only some backends have.
    private func addFurther(to members: inout JSONObject) {
        members.add("otherEmails", otherEmails.map(\.object))
        members.add("otherPhones", otherPhones.map(\.object))
        members["emailIdentity"] = hasEmailIdentity.map(JSON.bool)
        members["phoneIdentity"] = hasPhoneIdentity.map(JSON.bool)
        members.add("username", username)
        members.add("firstName", firstName)
        members.add("lastName", lastName)
        members.add("bannedUntil", bannedUntil)
        members.add("locked", isLocked)
        members.add("tenant", tenant)
        members.add("singleSignOn", isSingleSignOn)
        members.add("role", role)
        members.add("audience", audience)
        members.add("missingHash", missingHash)
        members.add("passwordChangedAt", passwordChangedAt)
        members.add("sessionsValidSince", sessionsValidSince)
        members.add("updatedAt", updatedAt)
        members.add("providers", providers)
        members.add("notShown", notShown)
    }
}

extension SeedAddress {
    fileprivate var object: JSONObject {
        var members: JSONObject = ["value": .string(value)]
        members.add("confirmed", isConfirmed)
        members.add("confirmedAt", confirmedAt)
        members.add("secondFactor", isSecondFactor)
        return members
    }
}

extension SeedFactor {
    fileprivate var object: JSONObject {
        var members: JSONObject = ["kind": .string(kind)]
        members.add("type", type)
        members["count"] = count.map { .int(Int64($0)) }
        members.add("codes", codes.map { $0.reveal() })
        members.add("name", name)
        members["verified"] = isVerified ? JSON?.none : .bool(false)
        members.add("createdAt", createdAt)
        return members
    }
}

extension UserValues {
    fileprivate var object: JSONObject {
        var members: JSONObject = [:]
        members.add("id", id)
        members.add("email", email)
        members.add("emailConfirmed", isEmailConfirmed ?? false)
        members.add("phone", phone)
        members.add("phoneConfirmed", isPhoneConfirmed ?? false)
        members.add("password", password?.reveal())
        members.add("displayName", displayName)
        members.add("photoURL", photoURL)
        members.add("disabled", isDisabled ?? false)
        members.add("userMetadata", userMetadata)
        members.add("appMetadata", appMetadata)
        members.add("privateMetadata", privateMetadata)
        return members
    }
}

extension SeedIdentity {
    fileprivate var object: JSONObject {
        var members: JSONObject = ["provider": .string(provider), "subject": .string(subject)]
        members.add("email", email)
        members.add("displayName", displayName)
        members.add("photoURL", photoURL)
        members.add("data", data)
        members.add("createdAt", createdAt)
        members.add("lastSignInAt", lastSignInAt)
        return members
    }
}

extension FactorValues {
    fileprivate var object: JSONObject {
        var members: JSONObject = [:]
        members.add("id", id)
        members["kind"] = .string(method.kind.rawValue)
        members.add("name", name)
        switch method {
        case .totp(let secret): members.add("secret", secret?.reveal())
        case .phone(let number): members.add("phone", number)
        }
        members["verified"] = isVerified ? JSON?.none : .bool(false)
        members.add("createdAt", createdAt)
        return members
    }
}

extension SeedSession {
    fileprivate var object: JSONObject {
        var members: JSONObject = [:]
        members.add("id", id)
        members.add("refreshToken", refreshToken?.reveal())
        members.add("createdAt", createdAt)
        members.add("lastUsedAt", lastUsedAt)
        members.add("userAgent", userAgent)
        members.add("address", address)
        members.add("method", method)
        members.add("secondFactor", hasSecondFactor)
        return members
    }
}

extension SeedOrganization {
    var object: JSONObject {
        var members: JSONObject = [:]
        members.add("id", id)
        members["name"] = .string(name)
        members.add("slug", slug)
        members.add("photoURL", photoURL)
        members.add("appMetadata", appMetadata)
        members.add("privateMetadata", privateMetadata)
        members.add("members", self.members.map { ["user": .string($0.user), "role": .string($0.role)] })
        members.add("createdAt", createdAt)
        members.add("only", only)
        return members
    }
}

extension JSONObject {
    fileprivate mutating func add(_ name: String, _ text: String?) { self[name] = text.map(JSON.string) }

    fileprivate mutating func add(_ name: String, _ flag: Bool) { self[name] = flag ? .bool(true) : JSON?.none }

    fileprivate mutating func add(_ name: String, _ time: Instant?) { add(name, time?.rfc3339) }

    fileprivate mutating func add(_ name: String, _ object: JSONObject?) {
        self[name] = object.flatMap { $0.isEmpty ? JSON?.none : .object($0.sorted()) }
    }

    fileprivate mutating func add(_ name: String, _ objects: [JSONObject]) {
        self[name] = objects.isEmpty ? JSON?.none : .array(objects.map(JSON.object))
    }

    fileprivate mutating func add(_ name: String, _ texts: [String]) {
        self[name] = texts.isEmpty ? JSON?.none : .array(texts.map(JSON.string))
    }
}
