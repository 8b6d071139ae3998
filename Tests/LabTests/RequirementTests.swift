import Foundation
import LockstepTestConcurrency
import Testing

@testable import lockstep_lab

@Suite("The requirements of moves", .limitedConcurrency)
struct RequirementTests {
    private static let project = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized.path

    @Test func everyRequirementIsTestedOrADeclaredGap() throws {
        for fault in try RequirementRegister.read(project: Self.project).faults { Issue.record("\(fault)") }
    }

    @Test func faultsAreFound() {
        let text = #"@Test("a name", .covers("M01", "Z09"), arguments: [1])\n    func one(_ number: Int) {}"#
        let requirements = Array(Requirement.all.prefix(2))
        let faults = {
            RequirementRegister(requirements, gaps: $0, sources: [("One.swift", text)]).faults.map { String($0.prefix(14)) }
        }
        #expect(faults([]) == ["One.swift: one", "M02 has no tes"])
        #expect(faults([.untried("M01", "later"), .untried("M02", "later")]) == ["One.swift: one", "M01 is a decla"])
    }
}
