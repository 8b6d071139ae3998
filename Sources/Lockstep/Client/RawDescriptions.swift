// Descriptions for logs. Without them, Swift prints a nested value with its module and type.

extension SignOutReason: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension SignOutScope: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension SessionRequirement: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension User.Standing: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension Session.Assurance: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension Flow.Kind: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension Challenge.Channel: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension Challenge.Ending: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension ChallengeResponse.Kind: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension FactorChoice.Kind: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension NewPasswordStep.Reason: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension MissingFieldsStep.Field: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension AuthEvent.Name: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}

extension AuthEvent.Field: CustomStringConvertible {
    /// The raw value.
    public var description: String { rawValue }
}
