import LockstepClerkEmulator
import LockstepSystem

/// `make operations`: prints every operation of Clerk's documents, and whether the emulator has it.
enum OperationsCommand {
    static func run() throws {
        try StandardStream.output.write(ClerkOperation.table)
    }
}
