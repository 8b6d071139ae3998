/// The status of a sign-up (reference, section 4.1).
enum SignUpStatus: String {
    case missingRequirements = "missing_requirements"
    case complete
    case abandoned
}
