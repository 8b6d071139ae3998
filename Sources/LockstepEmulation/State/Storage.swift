/// Where emulators keep their state.
public enum Storage: Sendable, Hashable {
    /// In memory; gone with the process.
    case memory
    /// A file a provider in this folder, which must exist.
    case folder(String)
}
