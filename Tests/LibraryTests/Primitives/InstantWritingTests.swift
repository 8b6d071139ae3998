import LockstepPrimitives
import Testing

struct InstantWritingTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
            (-12_219_292_800_001, "1582-10-14T23:59:59.999Z"), (-14_831_769_600_000, "1500-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (951_782_400_999, "2000-02-29T00:00:00.999Z"),
        ] as [(Int64, String)])
    func writesTimestampsInTheGregorianCalendar(_ milliseconds: Int64, _ text: String) {
        #expect(Instant(milliseconds: milliseconds).rfc3339 == text)
        #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(
        arguments: [
            .min, .min + 1, -9_223_372_036_854_775, -62_135_596_800_001, 253_402_300_800_000, 9_223_372_036_854_775, .max,
        ] as [Int64])
    func writesAnyTimeWithoutATrap(_ milliseconds: Int64) {
        let instant = Instant(milliseconds: milliseconds)
        #expect(instant.rfc3339.utf8.count == 24)
        #expect(instant.httpDate.utf8.count == 29)
        #expect(Instant(rfc3339: instant.rfc3339) != nil)
    }
}
