public import Lockstep
public import LockstepPrimitives
internal import LockstepSystem

#if canImport(Darwin)
internal import Foundation
internal import LockstepKeychainStore
#endif

/// The place where an app of one user keeps its session by default.
public enum PlatformStore {
    /// Opens the store of an app.
    ///
    /// On Apple systems the session is in the Keychain, readable after the first unlock, on this device only. The app name is the
    /// service of the items. Items outlive the app: put a `FreshInstallStore` in front of a `KeychainSessionStore` to remove them
    /// after a new installation. A command-line tool on macOS that is not signed cannot use the Keychain: give it a
    /// `FileSessionStore`.
    ///
    /// Elsewhere it is a file in ``folder(app:)``.
    ///
    /// - Parameters:
    ///   - app: The name of the app. Change it, and no session is found again. Default: the bundle identifier on Apple systems, the
    ///     name of the program elsewhere.
    ///   - clock: The clock of the store.
    ///   - randomness: The source of revisions.
    /// - Returns: The store.
    /// - Throws: `StoreError` with code `unwritable` if `app` cannot name a folder, or if the place cannot be used.
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
    /// It is `lockstep` in the app's folder below `XDG_STATE_HOME`, or below `~/.local/state` if that variable is unset, empty or not an
    /// absolute path (XDG Base Directory Specification). Nothing is created.
    ///
    /// - Parameter app: The name of the app. Default: the name of the program.
    /// - Returns: The absolute path.
    /// - Throws: `StoreError` with code `unwritable` if `app` cannot name a folder, or if there is no home folder.
    public static func folder(app: String? = nil) throws(StoreError) -> String {
        try folder(app: app, variables: { Environment[$0] })
    }

    static func folder(app: String?, variables: (String) -> String?) throws(StoreError) -> String {
        let app = try checked(app ?? program)
        func absolute(_ name: String) -> String? { variables(name).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } }
        guard let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map({ $0 + "/.local/state" }) else {
            throw StoreError(
                .unwritable,
                "There is no place for the session: neither XDG_STATE_HOME nor HOME is an absolute path. "
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
