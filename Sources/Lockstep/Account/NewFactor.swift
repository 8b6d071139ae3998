/// A second factor that a user wants to have.
public struct NewFactor: Sendable, Hashable {
    /// Which kind it is.
    public var kind: FactorChoice.Kind
    /// The number in E.164 form, of a phone.
    public var phone: String?
    /// The name to show in the list of the user's factors; the adapter makes one up where there is none.
    public var label: String?

    /// A factor.
    public init(_ kind: FactorChoice.Kind, phone: String? = nil, label: String? = nil) {
        self.kind = kind
        self.phone = phone
        self.label = label
    }

    /// An authenticator app.
    public static func authenticatorApp(label: String? = nil) -> NewFactor { NewFactor(.authenticatorApp, label: label) }
    /// A phone that gets codes by SMS.
    public static func phone(_ phone: String, label: String? = nil) -> NewFactor { NewFactor(.phone, phone: phone, label: label) }
    /// A passkey.
    public static func passkey(label: String? = nil) -> NewFactor { NewFactor(.passkey, label: label) }
}
