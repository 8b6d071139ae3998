internal import CLockstepSystem

/// The environment variables of this process.
public enum Environment {
    /// The value of an environment variable; `nil` if the variable is not set.
    public static subscript(name: String) -> String? {
        // getenv() is safe as long as the environment does not change, and this project never changes it. The value is copied
        // immediately.
        guard let value = unsafe name.withCString({ unsafe getenv($0) }) else { return nil }
        return unsafe String(cString: value)
    }
}
