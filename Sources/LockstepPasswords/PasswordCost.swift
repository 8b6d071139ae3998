/// How much work a new hash takes.
public enum PasswordCost: String, Sendable, Hashable {
    /// What the provider itself spends: about 50 ms.
    case real
    /// The least that the algorithm can do: for tests, never for passwords of people.
    case least
}
