import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Settings as data: a file, a table, and its rendering.
@Suite(.limitedConcurrency)
struct SettingTests {
    private struct Settings: Sendable, Equatable {
        enum Mode: String, CaseIterable { case plain, strict }

        var title = "none"
        var isOn = true
        var count = 3
        var life: Duration? = .seconds(60)
        var mode = Mode.plain
        var names: [String] = []
        var secret: Secret? = nil
        var parts: [String: Int] = [:]
    }

    private static let table = SettingTable<Settings>(
        [
            .init("Texts") {
                Setting("APP_TITLE", \.title, .text, "The title.")
                Setting("APP_NAMES", \.names, .list())
            },
            .init("Values") {
                Setting("APP_ON", \.isOn, .flag((yes: ["yes"], no: ["no"])))
                Setting("APP_COUNT", \.count, .number(1...5))
                Setting("APP_LIFE", \.life, .optional(.seconds(1...3600), none: "off"))
                Setting("APP_MODE", \.mode, .choice)
                Setting("APP_SECRET", \.secret, .optional(.secret))
            },
        ],
        others: { name in
            guard name.hasPrefix("APP_PART_") else { return nil }
            return Setting(name, \.parts[setting: String(name.dropFirst(9)), or: 0], .number)
        }, spelling: { [$0, "APP_" + $0] })

    private func read(_ pairs: [(String, JSON)], skipsEmpty: Bool = false) -> (Settings, [SettingProblem], GivenNames) {
        var (settings, given) = (Settings(), GivenNames())
        let pairs = pairs.map { (name: $0.0, value: $0.1) }
        let problems = Self.table.apply(pairs, to: &settings, given: &given, skipsEmpty: skipsEmpty)
        return (settings, problems, given)
    }

    @Test func readsEveryKindFromTextsAndFromJSON() {
        let texts: [(String, JSON)] = [
            ("TITLE", "t"), ("APP_NAMES", " a, b,"), ("ON", "no"), ("COUNT", "5"), ("LIFE", "90"), ("MODE", "strict"),
            ("SECRET", "s"), ("PART_x", "7"),
        ]
        let values: [(String, JSON)] = [
            ("APP_TITLE", "t"), ("APP_NAMES", ["a", "b"]), ("APP_ON", false), ("APP_COUNT", 5), ("APP_LIFE", 90),
            ("APP_MODE", "strict"), ("APP_SECRET", "s"), ("APP_PART_x", 7),
        ]
        for pairs in [texts, values] {
            let (settings, problems, given) = read(pairs)
            #expect(problems.isEmpty)
            #expect(settings.title == "t" && settings.names == ["a", "b"] && !settings.isOn && settings.count == 5)
            #expect(settings.life == .seconds(90) && settings.mode == .strict && settings.secret == "s")
            #expect(settings.parts == ["x": 7])
            #expect(given.names == Set(values.map(\.0)))
        }
        #expect(read([("LIFE", "off")]).0.life == nil && read([("LIFE", .null)]).0.life == nil)
    }

    @Test(
        arguments: [
            ("TITLE", ""), ("TITLE", ["a"]), ("APP_NAMES", [1]), ("ON", "maybe"), ("ON", 1), ("COUNT", "6"), ("COUNT", 0),
            ("COUNT", 1.5), ("COUNT", .null), ("LIFE", "0"), ("LIFE", "soon"), ("MODE", "loose"), ("PART_x", "many"),
        ] as [(String, JSON)])
    func namesAWrongValueAsItWasWritten(name: String, value: JSON) {
        let (settings, problems, _) = read([(name, value)])
        guard case .wrongValue(name, value, let wants) = problems.first else {
            Issue.record("\(problems)")
            return
        }
        #expect(problems.count == 1 && !wants.isEmpty && settings == Settings())
    }

    @Test func namesUnknownSettings() {
        let (settings, problems, _) = read([("COLOUR", "blue"), ("COUNT", 4), ("APP_SHADE", 1)])
        #expect(problems == [.unknownName("COLOUR"), .unknownName("APP_SHADE")])
        #expect(settings.count == 4)
    }

    @Test func laterValueWinsUnlessTheEarlierHasTheFullName() {
        #expect(read([("COUNT", 1), ("COUNT", 2)]).0.count == 2)
        #expect(read([("COUNT", 1), ("APP_COUNT", 2)]).0.count == 2)
        #expect(read([("APP_COUNT", 1), ("COUNT", 2)]).0.count == 1)
    }

    @Test func emptyTextIsSkippedIfTheProviderAsks() {
        let (settings, problems, given) = read([("TITLE", ""), ("COUNT", "")], skipsEmpty: true)
        #expect(settings == Settings() && problems.isEmpty && given.names.isEmpty)
    }

    @Test func showsEachValueWithItsOrigin() throws {
        var (initial, given) = (Settings(), GivenNames())
        // The same value as the default, but from the environment.
        #expect(Self.table.apply([(name: "COUNT", value: 3), (name: "PART_x", value: 7)], to: &initial, given: &given).isEmpty)
        initial.title = "by hand"
        var current = initial
        current.isOn = false
        current.secret = "hidden"
        let shown = Self.table.shown(current, initial: initial, standard: Settings(), given: given)
        #expect(shown.map(\.name) == Self.table.names + ["APP_PART_x"] && shown.last?.value == 7)
        func one(_ name: String) throws -> ShownSetting { try #require(shown.first { $0.name == name }) }
        #expect(try one("APP_TITLE").origin == .program && one("APP_TITLE").value == "by hand")
        #expect(try one("APP_TITLE").standard == "none" && one("APP_TITLE").about == "The title.")
        #expect(try one("APP_COUNT").origin == .environment && one("APP_COUNT").section == "Values")
        #expect(try one("APP_ON").origin == .changed && one("APP_ON").value == false)
        #expect(try one("APP_MODE").origin == .standard && one("APP_MODE").value == "plain")
        #expect(try one("APP_LIFE").value == 60)
        #expect(try one("APP_SECRET").origin == .changed)
        #expect(!shown.contains { $0.value.text().contains("hidden") })
    }

    /// A shown setting can be used as input unchanged.
    @Test func shownSettingsAreReadUnchanged() {
        let (settings, _, _) = read([("LIFE", "off"), ("NAMES", "a,b"), ("MODE", "strict"), ("ON", "no"), ("TITLE", "x")])
        let shown = Self.table.shown(settings, initial: settings, standard: Settings(), given: GivenNames())
        let (again, problems, _) = read(shown.map { ($0.name, $0.value) })
        #expect(problems.isEmpty && again == settings)
    }

    @Test func readsAFileOfSettings() throws {
        let pairs = try EnvironmentFile.parse(
            """
            # a comment
            A=1

            export B="two words" # why
            C='x=y'\r
            group.name = true
            EMPTY=
            """)
        #expect(pairs.map(\.name) == ["A", "B", "C", "group.name", "EMPTY"])
        #expect(pairs.map(\.value) == ["1", "two words", "x=y", "true", ""])
    }

    @Test(arguments: [
        ("A=1\nno pair", ["line 2 is not NAME=value."]), ("=1", ["line 1 is not NAME=value."]),
        ("1A=1", ["line 1 is not NAME=value."]), ("A B=1", ["line 1 is not NAME=value."]),
        ("A=\"open", ["line 1 has an opening quotation mark without a closing one."]),
        (
            "a\nb\nc\nd\ne",
            ["line 1 is not NAME=value.", "line 2 is not NAME=value.", "line 3 is not NAME=value."]
                + ["2 more lines are invalid."]
        ),
    ])
    func namesTheLinesThatCannotBeRead(text: String, problems: [String]) {
        #expect(throws: EnvironmentFileError(problems: problems)) { try EnvironmentFile.parse(text) }
    }
}
