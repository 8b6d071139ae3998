internal import Lockstep
internal import LockstepPrimitives

/// What codes and links are sent to, by the names of the wire.
enum AddressKind: String, CaseIterable {
    case email = "email_address"
    case phone = "phone_number"

    /// What a strategy, such as `reset_password_phone_code`, is sent to.
    init(strategy: String) { self = strategy.contains("phone") ? .phone : .email }

    /// The strategy of its code.
    var codeStrategy: String { self == .email ? "email_code" : "phone_code" }
    /// The member that names one.
    var idMember: String { rawValue + "_id" }
    var channel: Challenge.Channel { self == .email ? .email : .sms }

    /// As it may be shown.
    func masked(_ text: String) -> String {
        self == .email ? EmailAddress.masked(text) : "+•••" + text.suffix(4)
    }

    /// The id of the address in a factor.
    func id(in factor: JSONObject?) -> String? { factor?[idMember]?.filled }
}
