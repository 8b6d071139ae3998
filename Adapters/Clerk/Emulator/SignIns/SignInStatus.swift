/// The status of a sign-in (reference, section 4.2).
enum SignInStatus: String {
    case needsIdentifier = "needs_identifier"
    case needsFirstFactor = "needs_first_factor"
    case needsSecondFactor = "needs_second_factor"
    case needsClientTrust = "needs_client_trust"
    case needsNewPassword = "needs_new_password"
    case complete
    case abandoned
}
