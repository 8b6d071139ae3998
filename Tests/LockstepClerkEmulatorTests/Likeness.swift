import LockstepPrimitives

/// The differences between a response and a recorded one: a key that is missing or was not recorded, a value of another type or
/// instead of `null`, another word of a closed set.
struct Likeness {
    private(set) var differences: [String] = []

    /// Words that must match the recording.
    ///
    /// All other texts are placeholders, or specific to the recording.
    private static let words: Set<String> = [
        "object", "status", "strategy", "next_action", "channel", "missing_fields", "unverified_fields", "required_fields",
        "optional_fields", "supported_strategies",
    ]
    /// Boolean values that must match the recording.
    private static let truths: Set<String> = [
        "primary", "deleted", "reserved", "password_enabled", "reserved_for_second_factor", "two_factor_enabled", "banned",
    ]
    /// Values of the recorded application and not of Clerk, values that were masked by mistake, and unsupported features:
    /// passkeys.
    private static let passedOver: Set<String> = [
        "google_one_tap_client_id", "privacy_policy_url", "terms_url", "logo_url", "logo_image", "USER_ID", "passkey",
    ]

    /// Members that the front-end document of 2026-05-12 has and the older recordings lack.
    ///
    /// clerk-js reads `has_password`.
    private static let newer: Set<String> = [
        "has_password", "deprovisioned", "oauth_consent_url", "user_api_keys_enabled", "allow_numeric_usernames",
        "disable_password_reverification", "organization_memberships", "organization_settings", "enterprise_sso", "saml",
        "second_factor.enabled", "stripe_publishable_key", "create_organizations_limit",
    ]
    /// Members that are `null` in the older recordings and have a value in the newer ones.
    private static let toldLater: Set<String> = ["last_authentication_strategy"]

    private static func isNewer(_ path: String) -> Bool {
        passedOver.union(newer).contains { path.hasSuffix(".\($0)") }
    }

    mutating func compare(_ recorded: JSON, _ response: JSON?, at path: String = "", name: String = "") {
        guard let response else { return differences.append("\(path) is missing") }
        switch recorded {
        case .null:
            if response != .null, !Self.toldLater.contains(name) {
                differences.append("\(path) is \(response.text()), recorded null")
            }
        case .bool(let truth):
            guard let own = response.bool else { return differences.append("\(path) is no truth value: \(response.text())") }
            if Self.truths.contains(name), own != truth { differences.append("\(path) is \(own)") }
        case .int, .double: if response.double == nil { differences.append("\(path) is no number: \(response.text())") }
        case .string(let text): compare(text, response, at: path, name: name)
        case .array(let elements): compare(elements, response, at: path, name: name)
        case .object(let object):
            guard response.object != nil else { return differences.append("\(path) is no object: \(response.text())") }
            for (name, value) in object where !Self.passedOver.contains(name) {
                compare(value, response[name], at: "\(path).\(name)", name: name)
            }
            for name in response.object?.map(\.name) ?? [] where object[name] == nil && !Self.isNewer("\(path).\(name)") {
                differences.append("\(path).\(name) is not recorded")
            }
        }
    }

    private mutating func compare(_ text: String, _ response: JSON, at path: String, name: String) {
        if text.hasPrefix("%%DATETIME") {
            if response.int == nil { differences.append("\(path) is no time: \(response.text())") }
        } else if response.string == nil {
            differences.append("\(path) is no text: \(response.text())")
        } else if Self.words.contains(name), response.string != text {
            differences.append("\(path) is \(response.text()), recorded \(text)")
        }
    }

    private mutating func compare(_ elements: [JSON], _ response: JSON, at path: String, name: String) {
        guard let own = response.array else { return differences.append("\(path) is no list: \(response.text())") }
        if Self.words.contains(name), own != elements {
            return differences.append("\(path) is \(response.text()), recorded \(JSON.array(elements).text())")
        }
        guard elements.allSatisfy({ $0.object != nil }) else { return }
        if own.count != elements.count { differences.append("\(path) has \(own.count) elements, recorded \(elements.count)") }
        for (index, (recorded, response)) in zip(elements, own).enumerated() {
            compare(recorded, response, at: "\(path)[\(index)]")
        }
    }
}
