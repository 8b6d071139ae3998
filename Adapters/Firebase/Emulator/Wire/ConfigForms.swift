internal import LockstepPrimitives

/// Parts of settings that differ between production and Firebase's emulator.

/// The regions whose numbers get SMS: a one-of of two lists (`sms_region_policy`).
enum SMSRegions {
    private static let name = "smsRegionConfig"
    private static let sides = ["allowByDefault", "allowlistOnly"]

    /// Rejects a change that contains both sides.
    static func check(_ change: JSONObject) throws(APIError) {
        guard sides.allSatisfy({ change[name]?[$0]?.isNull == false }) else { return }
        throw .badPayload(
            "Invalid value at '\(name)' (oneof), oneof field 'sms_region_policy' is already set. Cannot set '\(sides[1])'")
    }

    /// Returns the settings without the other side, if a change has set only one side.
    static func settled(_ config: JSONObject, after change: JSONObject) -> JSONObject {
        var (settled, regions) = (config, config[name]?.object ?? [:])
        guard let set = sides.first(where: { change[name]?[$0]?.isNull == false && regions[$0] != nil }) else { return config }
        for side in sides where side != set { regions[side] = nil }
        settled[name] = .object(regions)
        return settled
    }
}

extension FieldMask {
    /// Returns the settings with the changes of a request.
    ///
    /// In strict mode, a member in the mask without a value is cleared, and a one-of keeps one side.
    func applied(to config: JSONObject, _ context: RequestContext) throws(APIError) -> JSONObject {
        let change = context.body.members
        guard context.isStrict else { return applied(change, to: config) }
        try SMSRegions.check(change)
        return SMSRegions.settled(applied(change, to: config, clears: true), after: change)
    }
}

extension JSONObject {
    /// The settings without the defaults that production omits (protobuf's mapping of JSON).
    ///
    /// An empty message is kept, but an empty map is not.
    var withoutWrittenDefaults: JSONObject {
        var shown = self
        for name in ["emailPrivacyConfig", "recaptchaConfig", "smsRegionConfig"] {
            if let config = shown[name] { shown[name] = config.withoutDefaults }
        }
        if shown["testPhoneNumbers"] == [:] { shown["testPhoneNumbers"] = nil }
        if var signIn = shown["signIn"]?.object, var phone = signIn["phoneNumber"]?.object, phone["testPhoneNumbers"] == [:] {
            phone["testPhoneNumbers"] = nil
            signIn["phoneNumber"] = .object(phone)
            shown["signIn"] = .object(signIn)
        }
        return shown
    }
}

extension JSON {
    /// Returns the message without members that are `false`, zero or empty, at every depth.
    var withoutDefaults: JSON {
        switch self {
        case .array(let elements): return .array(elements.map(\.withoutDefaults))
        case .object(let object):
            var kept = JSONObject()
            for (name, member) in object where member != false && member != 0 && member != "" && member != [] && !member.isNull {
                kept[name] = member.withoutDefaults
            }
            return .object(kept)
        default: return self
        }
    }
}
