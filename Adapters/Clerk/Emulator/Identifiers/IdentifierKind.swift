/// The kind of object that an id names; the raw value is its prefix.
enum IdentifierKind: String {
    case client, session = "sess", user, signIn = "sia", signUp = "sua", identification = "idn", externalAccount = "eac"
    case instance = "ins", signInToken = "sit", invitation = "inv", actorToken = "act", template = "jtmp", image = "img"
    case secondFactor = "totp", backupCodes = "bc", activity = "sess_activity", waitlistEntry = "wle", authConfig = "aconf"
    case displayConfig = "dconf", verification = "ver", flow = "eml"
}
