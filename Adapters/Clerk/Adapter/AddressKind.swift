internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// The kinds of destinations of codes and links, by their names in the API.
enum AddressKind: String, CaseIterable {
    case email = "email_address"
    case phone = "phone_number"

    /// The kind that a strategy, such as `reset_password_phone_code`, is sent to.
    init(strategy: String) { self = strategy.contains("phone") ? .phone : .email }

    /// The strategy of its code.
    var codeStrategy: String { self == .email ? "email_code" : "phone_code" }
    /// The JSON member that holds one.
    var idMember: String { rawValue + "_id" }
    var channel: Challenge.Channel { self == .email ? .email : .sms }

    /// The masked form.
    func masked(_ text: String) -> String {
        self == .email ? EmailAddress.masked(text) : "+•••" + text.suffix(4)
    }

    /// The id of the address in a factor.
    func id(in factor: JSONObject?) -> String? { factor?[idMember]?.filled }
}
