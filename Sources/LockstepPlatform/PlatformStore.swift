public import Lockstep
public import LockstepPrimitives
internal import LockstepSystem

#if canImport(Darwin)
internal import Foundation
internal import LockstepKeychainStore
#endif

/// The default store for the session of an app with one user.
///
/// ```swift
/// let store = try PlatformStore.open(app: "my-tool")
/// ```
public enum PlatformStore {
    /// Opens the store of an app.
    ///
    /// On Apple systems the session is in the Keychain. The app can read the session after the first unlock of the
    /// device. The session never leaves the device. The name of the app is the service of the Keychain items. The items
    /// stay when the user deletes the app. To remove the items after a new installation, use a `FreshInstallStore` with
    /// a `KeychainSessionStore`. An unsigned command-line tool on macOS cannot use the Keychain, so give it a
    /// `FileSessionStore`.
    ///
    /// On other systems the session is in a file in ``folder(app:)``.
    ///
    /// - Parameters:
    ///   - app: The name of the app. If you change the name, the app no longer finds its session. Default: the bundle
    ///     identifier on Apple systems, the name of the program elsewhere.
    ///   - clock: The clock of the store.
    ///   - randomness: The source of randomness for revisions.
    /// - Returns: The store.
    /// - Throws: `StoreError` with code `unwritable` if `app` is not a valid name of a folder, or if the store cannot
    ///   be used.
    public static func open(
        app: String? = nil, clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) -> any SessionStore {
        #if canImport(Darwin)
        let service = try checked(app ?? Bundle.main.bundleIdentifier ?? program)
        return try KeychainSessionStore(SystemKeychain(), service: service, clock: clock, randomness: randomness)
        #else
        return try FileSessionStore(directory: folder(app: app), clock: clock, randomness: randomness)
        #endif
    }

    /// Returns the folder for the session of an app on systems without a Keychain.
    ///
    /// The path consists of `XDG_STATE_HOME`, the name of the app, and `lockstep`. If the variable `XDG_STATE_HOME` is
    /// missing, empty or not an absolute path, the path begins with `~/.local/state` (XDG Base Directory
    /// Specification). The call does not create the folder.
    ///
    /// - Parameter app: The name of the app. Default: the name of the program.
    /// - Returns: The absolute path.
    /// - Throws: `StoreError` with code `unwritable` if `app` is not a valid name of a folder, or if the user has no
    ///   home folder.
    public static func folder(app: String? = nil) throws(StoreError) -> String {
        try folder(app: app, variables: { Environment[$0] })
    }

    static func folder(app: String?, variables: (String) -> String?) throws(StoreError) -> String {
        let app = try checked(app ?? program)
        func absolute(_ name: String) -> String? { variables(name).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } }
        guard let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map({ $0 + "/.local/state" }) else {
            throw StoreError(
                .unwritable,
                "The session cannot be stored: neither XDG_STATE_HOME nor HOME is an absolute path. "
                    + "Set one of them, or create the client with a store such as FileSessionStore(directory:).")
        }
        return "\(state)/\(app)/lockstep"
    }

    /// The name of the running program.
    private static var program: String {
        String(decoding: (CommandLine.arguments.first ?? "").utf8.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    }

    private static func checked(_ app: String) throws(StoreError) -> String {
        let bytes = app.utf8
        guard (1...128).contains(bytes.count), app != ".", app != "..", !bytes.contains(UInt8(ascii: "/")),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
        else {
            throw StoreError(
                .unwritable,
                "Invalid value \(String(app.prefix(64)).debugDescription) for the name of the app: "
                    + "expected 1 to 128 bytes without \"/\" and control characters, such as \"com.example.orders\".")
        }
        return app
    }
}
