internal import CLockstepSystem

/// The error of a failed call of the operating system.
public struct SystemError: Error, Sendable, Hashable {
    /// The system's error number (`errno`).
    public let code: Int32
    /// The operation that failed, for example "open /var/lib/app/session".
    public let operation: String
    /// The reason why a file or folder was rejected; `nil` if a call of the system failed.
    public let refusal: FileRefusal?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The error number of the system (`errno`).
    ///   - operation: The operation that failed.
    ///   - refusal: The reason why a file or folder was rejected.
    public init(_ code: Int32, _ operation: String, refusal: FileRefusal? = nil) {
        self.code = code
        self.operation = operation
        self.refusal = refusal
    }

    /// Returns the error of the last call on this thread.
    static func last(_ operation: String) -> SystemError {
        SystemError(lockstep_errno(), operation)
    }
}

extension SystemError {
    /// There is no such file or folder.
    public static let noSuchFile = ENOENT
    /// The user has no permission.
    public static let notPermitted = EACCES
    /// The port or the address is already in use.
    public static let addressInUse = EADDRINUSE
    /// A file was expected at the path, but a folder was found.
    public static let isAFolder = EISDIR
    /// A line is longer than the limit.
    public static let lineTooLong = E2BIG
    /// This process may not open any more files.
    public static let tooManyFiles = EMFILE
    /// The time limit has passed.
    public static let timedOut = ETIMEDOUT

    /// Whether the disk or the user's quota is full.
    public var isFull: Bool { code == ENOSPC || code == EDQUOT }
}

extension SystemError: CustomStringConvertible {
    /// The operation that failed, and why.
    public var description: String { "\(operation): \(refusal?.rawValue ?? reason)" }

    /// The system's message for the error number.
    public var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The pointer is valid during the call, and the function writes at most `count` bytes, the last of them 0.
        unsafe buffer.withUnsafeMutableBufferPointer { unsafe lockstep_describe_error(code, $0.baseAddress, $0.count) }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
