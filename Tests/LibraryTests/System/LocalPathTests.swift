import LockstepSystem
import Testing

@Suite struct LocalPathTests {
    @Test(arguments: [
        ("~", "/home/ada"), ("~/x", "/home/ada/x"), ("file:///x/y", "/x/y"), ("FILE:///x", "/x"), ("file:/x", "/x"),
        ("file://localhost/x", "/x"), ("file:///a%20%C3%BC", "/a ü"), ("/x", "/x"), ("x", "x"), ("./~", "./~"), ("a:b", "a:b"),
        ("C:/x", "C:/x"), ("x/~/y", "x/~/y"), ("/a%20b", "/a%20b"), ("./file:x", "./file:x"), ("-", "-"),
    ])
    func resolvesToTheMeantFolder(_ text: String, _ path: String) throws {
        #expect(try LocalPath.resolve(text, home: "/home/ada") == path)
    }

    @Test(arguments: [
        "", "a\0", "~ada", "~ada/x", "~\u{301}/x", "http://example.com/x", "s3://x", "file:", "file:x", "file://host/x",
        "file:///%",
        "file:///%zz", "file:///%00", "file:///%ff", "file:///x?y", "file:///x#y",
    ])
    func rejectsTextThatIsNotAPath(_ text: String) {
        #expect(throws: SystemError.self) { try LocalPath.resolve(text, home: "/home/ada") }
    }

    @Test(arguments: [nil, "", "ada", "/a\0"])
    func rejectsAnUnknownHome(_ home: String?) {
        #expect(throws: SystemError.self) { try LocalPath.resolve("~/x", home: home) }
    }

    @Test func readersAndWritersAcceptFileURL() throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep path")
        defer { try? Folder.remove(folder) }
        let url = "file://\(folder.split(separator: " ").joined(separator: "%20"))/a"
        let file = try FileReplacement(url)
        try file.write([1, 2])
        try file.commit()
        #expect(try FileReader(url).read(upTo: 2) == [1, 2])
        try AtomicFile.remove(folder + "/a")
        #expect(throws: SystemError.self) { try FileReader("https://example.com/a") }
        #expect(throws: SystemError.self) { try FileReplacement("https://example.com/a") }
    }
}
