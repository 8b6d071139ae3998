/// Whether salt or password comes first in what is digested.
enum SaltOrder: String, Sendable {
    /// Salt, then password.
    case saltFirst = "sp"
    /// Password, then salt.
    case passwordFirst = "ps"

    func join(_ password: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        switch self {
        case .saltFirst: salt + password
        case .passwordFirst: password + salt
        }
    }
}
