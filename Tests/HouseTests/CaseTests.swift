import Foundation
import LockstepCases
import Testing

@Suite("The attack cases")
struct CaseTests {
    /// Every line names known cases and stands above a test, and every case is tested or a declared gap.
    @Test func everyCaseIsTestedOrADeclaredGap() throws {
        for fault in try CaseRegister.read(project: House.root.path).faults { Issue.record("\(fault)") }
    }

    @Test func idsAreInOrderAndGapsHaveReasons() {
        let ids = AttackCase.all.map(\.id)
        #expect(ids.count == 216)
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        for gap in DeclaredGap.all { #expect(gap.reason.count > 20, "\(gap.id)") }
    }

    private static let two = [AttackCase("A01", "One."), AttackCase("A02", "Another.")]

    private func faults(_ text: String, in file: String = "Tests/OneTests/One.swift", gaps: [DeclaredGap] = []) -> [String] {
        CaseRegister(cases: Self.two, gaps: gaps, sources: [(file, text)]).faults
    }

    @Test func lineNamesTheTestBelowIt() {
        let text = """
            /// What it is about.
            /// Cases: A01, A02.
            @Test(arguments: [1, 2])
            func holds(_ number: Int) {}
            """
        #expect(faults(text).isEmpty)
        let marks = CaseMarks(file: "One.swift", text: text).marks
        #expect(marks.map(\.trial) == ["holds"] && marks.map(\.line) == [2])
    }

    @Test func lineAboveALongArgumentTableNamesItsTest() {
        let rows = String(repeating: "    \"row\",\n", count: 40)
        let text = "/// Cases: A01.\n@Test(arguments: [\n\(rows)])\nfunc holds(_ row: String) {}"
        #expect(CaseMarks(file: "One.swift", text: text).marks.map(\.trial) == ["holds"])
    }

    @Test(arguments: [
        ("@Suite(\"One\")\nstruct OneTests {", "OneTests"), ("struct OneTests {", "OneTests"),
        ("struct OneBenchmark {", "OneBenchmark"),
        ("Contract(\n    \"one.two\", \"It holds.\"", "one.two"),
        ("StoreContract(\"store.one\", \"It holds.\") { w in", "store.one"),
        ("static let one = TransportContract(\n \"transport.one\"", "transport.one"), ("Scenario(\n\"one.two\",", "one.two"),
        ("ending(\"session.end.one\", .revoked),", "session.end.one"),
        ("private static func one(_ id: String) -> Contract<World> {", "one"),
    ])
    func aLineNamesWhateverStandsBelowIt(_ code: String, _ name: String) {
        #expect(CaseMarks(file: "One.swift", text: "/// Cases: A01.\n\(code)").marks.map(\.trial) == [name])
    }

    @Test func lineNamesADriveOrItsFile() {
        #expect(
            CaseMarks(file: "a.py", text: "# Cases: A01.\n@journey\ndef signs_in(environment):").marks.map(\.trial) == [
                "signs_in"
            ])
        #expect(CaseMarks(file: "drive", text: "#!/bin/sh\n# Cases: A01.\nset -e").marks.map(\.trial) == ["drive"])
        #expect(CaseMarks(file: "drive", text: "set -e\n# Cases: A01.\necho").marks.map(\.trial) == [nil])
    }

    @Test(arguments: ["/// Cases: A01", "/// Cases: A1.", "/// Cases: A01 A02.", "/// Cases: .", "/// Cases: A01, A01."])
    func malformedLineIsAFault(_ line: String) {
        #expect(faults("\(line)\n@Test func one() {}").contains { $0.contains("One.swift:1") })
    }

    @Test func anUnknownIdIsAFault() {
        #expect(
            faults("/// Cases: A01, A02, Z09.\n@Test func one() {}") == ["Tests/OneTests/One.swift:1 names Z09, which is no case"]
        )
    }

    @Test(arguments: ["let number = 1", "func one() {}", "", "\n@Test func one() {}", "/// more\nprivate struct Thing {"])
    func lineAboveNoTestIsAFault(_ code: String) {
        #expect(faults("/// Cases: A01, A02.\n\(code)").contains { $0.contains("One.swift:1 stands above no") })
    }

    @Test func untestedCaseIsAFaultUnlessItIsDeclared() {
        let text = "/// Cases: A01.\n@Test func one() {}"
        #expect(faults(text) == ["A02 is tried by nothing, and is no declared gap: Another."])
        #expect(faults(text, gaps: [.untried("A02", "later")]).isEmpty)
        #expect(faults(text, gaps: [.partly("A02", "half")]) == ["A02 is declared as tried in part, and nothing tries it"])
    }

    @Test func testedGapIsAFault() {
        let text = "/// Cases: A01, A02.\n@Test func one() {}"
        #expect(faults(text, gaps: [.untried("A02", "later")]).count == 1)
        #expect(faults(text, gaps: [.partly("A02", "half of it")]).isEmpty)
        #expect(faults(text, gaps: [.partly("A02", "half"), .partly("A02", "half")]) == ["the gap A02 is declared twice"])
        #expect(faults(text, gaps: [.untried("Z09", "later")]) == ["the gap Z09 is no case"])
    }

    /// Quoted lines in a test are ignored.
    @Test func quotedLinesAreIgnored() {
        let text = "let text = \"\"\"\n/// Cases: Z09.\n\"\"\"\n/// Cases: A01, A02.\n@Test func one() {}"
        #expect(faults(text).isEmpty)
    }
}
