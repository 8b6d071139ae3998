internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A page of a list.
struct Page {
    var number: UInt64 = 1
    var size: Int64 = 50

    init(_ request: EmulatorRequest) throws {
        number = try Self.number(request.query["page"]) ?? 1
        size = Int64(clamping: try Self.number(request.query["per_page"]) ?? 50)
        if size == 0 { size = 50 }
    }

    var offset: Int64 {
        let (product, isTooMuch) = Int64(clamping: max(1, number) - 1).multipliedReportingOverflow(by: size)
        return isTooMuch ? .max : product
    }

    func headed(_ response: EmulatorResponse, count: Int, _ request: EmulatorRequest) -> EmulatorResponse {
        let pages = count == 0 ? 0 : UInt64((Int64(count) - 1) / size) + 1
        var form = GoForm(request.query.pairs)
        var links: [String] = []
        if pages > number {
            form.set("page", String(number + 1))
            links.append("<\(request.path)?\(form.text)>; rel=\"next\"")
        }
        form.set("page", String(pages))
        links.append("<\(request.path)?\(form.text)>; rel=\"last\"")
        return response.with("Link", links.joined(separator: ", ")).with("X-Total-Count", String(count))
    }

    private static func number(_ text: String?) throws -> UInt64? {
        guard let text, !text.isEmpty else { return nil }
        if let number = UInt64(text), text.first != "+" { return number }
        let isNumber = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        throw GoTrueError.invalid(
            "Bad Pagination Parameters: strconv.ParseUint: parsing \(GoText.quoted(text)): "
                + (isNumber ? "value out of range" : "invalid syntax"))
    }
}
