import Foundation
import LockstepCases

/// `make cases`: prints every attack case with what tries it; status 1 if one is missing or something is wrongly named.
enum CasesCommand {
    static func run() throws {
        let register = try CaseRegister.read(project: FileManager.default.currentDirectoryPath)
        print(register.text)
        if !register.faults.isEmpty { exit(1) }
    }
}
