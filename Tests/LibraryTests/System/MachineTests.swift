import LockstepSystem
import Testing

@Suite struct MachineTests {
    @Test func kernelNamesItsBoot() throws {
        let name = try #require(Machine.bootSession)
        #expect(name.utf8.count == 36)
        #expect(Machine.bootSession == name)
    }

    @Test(
        arguments: [
            ("0f3e-9A\n", "0f3e-9A"), ("0f3e-9A", "0f3e-9A"), ("0f3e\0\0\0", "0f3e"), ("", nil), ("\n", nil), ("\0", nil),
        ] as [(String, String?)]) func bootIDEndsAtLineEndOrNUL(written: String, name: String?)
    {
        #expect(Machine.bootSession(read: Array(written.utf8)) == name)
    }
}
