import Foundation

/// `make cases`: prints every requirement of moves with its tests and declared gaps.
///
/// The status is 1 if one is missing or a mark is wrong.
enum CasesCommand {
    static func run() throws {
        let register = try RequirementRegister.read(project: FileManager.default.currentDirectoryPath)
        print(register.text)
        if !register.faults.isEmpty { exit(1) }
    }
}
