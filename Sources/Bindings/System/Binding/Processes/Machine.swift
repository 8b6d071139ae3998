internal import CLockstepSystem

/// Facts about the machine on which this process runs.
public enum Machine {
    /// The id that the kernel gave to the current boot of the machine; `nil` if the kernel has no such id.
    ///
    /// The source is `/proc/sys/kernel/random/boot_id` on Linux, and `kern.bootsessionuuid` on Apple systems. The id changes
    /// only when the machine restarts. A change of the clock does not affect it.
    public static var bootSession: String? {
        #if canImport(Darwin)
        var name = [CChar](repeating: 0, count: 64)
        // The call writes at most `count` bytes into the buffer, the last of them 0, and does not keep a pointer.
        let code = unsafe name.withUnsafeMutableBufferPointer { unsafe lockstep_boot_session($0.baseAddress, $0.count) }
        return code == 0 ? bootSession(read: name.map(UInt8.init(bitPattern:))) : nil
        #else
        guard let bytes = try? AtomicFile.read("/proc/sys/kernel/random/boot_id", limit: 4096) else { return nil }
        return bootSession(read: bytes)
        #endif
    }

    /// Reads the id of the machine's current boot from the bytes of the kernel.
    ///
    /// - Returns: The letters, digits and hyphens at the beginning; `nil` if there are none.
    package static func bootSession(read bytes: [UInt8]) -> String? {
        let name = bytes.prefix { byte in
            let character = Character(Unicode.Scalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || character == "-")
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}
