import LockstepPrimitives

/// Refusals of a form's values.
extension ClerkError {
    static func missing(_ parameter: String) -> ClerkError {
        ClerkError(422, "form_param_missing", "is missing", "\(parameter) must be included.", parameter: parameter)
    }

    static func empty(_ parameter: String) -> ClerkError {
        ClerkError(422, "form_param_nil", "cannot be blank", "Enter \(words(parameter)).", parameter: parameter)
    }

    static func unknown(_ parameter: String) -> ClerkError {
        ClerkError(
            422, "form_param_unknown", "is unknown", "\(parameter) is not a valid parameter for this request.",
            parameter: parameter)
    }

    static func duplicate(_ parameter: String) -> ClerkError {
        ClerkError(
            422, "form_param_duplicate", "is duplicate", "\(parameter) included multiple times. There should only be one.",
            parameter: parameter)
    }

    static func malformed(_ parameter: String, _ sentence: String) -> ClerkError {
        ClerkError(422, "form_param_format_invalid", "is invalid", sentence, parameter: parameter)
    }

    static func wrongType(_ parameter: String, _ type: String) -> ClerkError {
        ClerkError(422, "form_param_type_invalid", "is invalid", "`\(parameter)` must be a `\(type)`.", parameter: parameter)
    }

    static func invalidValue(_ parameter: String, _ value: String) -> ClerkError {
        ClerkError(
            422, "form_param_value_invalid", "is invalid",
            "\(value) does not match one of the allowed values for parameter \(parameter)", parameter: parameter)
    }

    static func disabledStrategy(_ strategy: String) -> ClerkError {
        ClerkError(
            400, "form_param_value_disabled", "is disabled",
            "\(strategy) is disabled. Please verify you're using the correct instance, or see our docs to learn how to enable this value.",
            parameter: "strategy")
    }

    static func tooLong(_ parameter: String, _ limit: Int) -> ClerkError {
        ClerkError(
            422, "form_param_max_length_exceeded", "exceeds maximum length",
            "\(parameter) should not exceed \(limit) characters.", parameter: parameter)
    }

    static func tooBig(_ parameter: String, bytes: Int) -> ClerkError {
        ClerkError(
            422, "form_param_exceeds_allowed_size", "exceeds allowed size",
            "\(parameter) must not be larger than \(bytes) bytes.", parameter: parameter)
    }

    /// A hasher of Clerk's that the emulator does not have; the code is the emulator's own.
    static func hasherNotBuilt(_ hasher: String) -> ClerkError {
        ClerkError(
            501, "lockstep_hasher_not_built", "Not built here",
            "The password hasher \"\(hasher)\" needs another service and is not built here. See docs/clerk-emulator.md.",
            parameter: "password_hasher")
    }

    static func conditionallyMissing(_ parameter: String, when condition: String, is value: String) -> ClerkError {
        ClerkError(
            422, "form_conditional_param_missing", "is missing", "`\(parameter)` is required when `\(condition)` is `\(value)`.",
            parameter: parameter)
    }

    static func disallowed(_ parameter: String, when condition: String, is value: String) -> ClerkError {
        ClerkError(
            422, "form_conditional_param_disallowed", "is not allowed",
            "`\(parameter)` isn't allowed when `\(condition)` is \(value).", parameter: parameter)
    }

    static func missingData(_ parameters: [String]) -> ClerkError {
        ClerkError(
            422, "form_data_missing", "missing data",
            "\(parameters) data doesn't match user requirements set for this instance",
            meta: ["param_names": .array(parameters.map { .string($0) })])
    }

    static func taken(_ parameter: String) -> ClerkError {
        let sentence = "That \(words(parameter)) is taken. Please try another."
        return ClerkError(422, "form_identifier_exists", sentence, parameter: parameter)
    }

    static let unknownIdentifier = ClerkError(
        422, "form_identifier_not_found", "Couldn't find your account.", parameter: "identifier")

    static let invalidRedirect = ClerkError(
        422, "invalid_redirect_url", "Redirect url invalid", "The provided redirect url is not in a valid format",
        parameter: "redirect_url")

    static let prohibitedRedirect = ClerkError(
        422, "prohibited_redirect_url", "Invalid URL scheme", "The provided redirect url has a prohibited URL scheme",
        parameter: "redirect_url")

    /// Copies a redirect error for another parameter name.
    static func redirect(_ refusal: ClerkError, _ parameter: String) -> ClerkError {
        var refusal = refusal
        refusal.entries[0].meta["param_name"] = .string(parameter)
        return refusal
    }

    private static func words(_ parameter: String) -> String {
        parameter.pieces(at: "_").joined(separator: " ")
    }
}
