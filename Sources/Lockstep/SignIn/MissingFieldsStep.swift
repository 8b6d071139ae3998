/// A flow that waits for further fields of the user.
public struct MissingFieldsStep: Sendable, Hashable, Codable {
    /// A field, by the provider's name of it.
    public struct Field: RawRepresentable, Hashable, Sendable, Codable {
        /// The provider's name of it.
        public let rawValue: String

        /// A field by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user's first name.
        public static let firstName = Field(rawValue: "first_name")
        /// The user's last name.
        public static let lastName = Field(rawValue: "last_name")
        /// A user name.
        public static let username = Field(rawValue: "username")
        /// An e-mail address.
        public static let emailAddress = Field(rawValue: "email_address")
        /// A phone number.
        public static let phone = Field(rawValue: "phone_number")
    }

    /// The flow to continue.
    public var flow: Flow
    /// What is missing.
    public var fields: [Field]

    /// A step.
    public init(flow: Flow, fields: [Field]) {
        self.flow = flow
        self.fields = fields
    }
}
