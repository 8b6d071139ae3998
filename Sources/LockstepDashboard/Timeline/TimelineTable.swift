internal import LockstepEmulation
internal import LockstepPrimitives

/// The timeline on a page: one row an event.
struct TimelineTable {
    let timeline: Timeline
    let empty: Markup

    var markup: Markup {
        .table("Timeline", ["Time", "User", "What happened", "Request", "Provider"], timeline.happenings.map(row), empty: empty)
    }

    private func row(_ happening: Happening) -> Markup {
        let emulator = happening.emulator
        let who: Markup =
            happening.userID.map { id in
                "<a class=\"name\" href=\"\(PageAddress("users", emulator.name, id))\">\(happening.who ?? id, upTo: 60)</a>"
            } ?? "<span>\(happening.who ?? "", upTo: 60)</span>"
        let isBad = happening.isFaulty || (happening.status ?? 500) >= 400
        let address = PageAddress("requests", emulator.name, String(happening.number))
        let messages: [Markup] = happening.messages.map { message in
            let kind = message.mail == nil ? "text message" : "mail"
            return """
                 · <a href="\(message.address)">\(kind)<span class="hidden"> to \(message.to, upTo: 60)</span></a> \
                \(message.code.map { CopyableCode(text: $0).markup } ?? message.opening ?? "")
                """
        }
        let reason: Markup? = happening.unsentReason.map { " <span class=\"quiet\">· no message: \($0)</span>" }
        let last = happening.path.pieces(at: "/").last.map(String.init) ?? "/"
        return """
            <td>\(emulator.time(happening.request["date"]?.string))</td><td>\(who)</td>\
            <td><span\(isBad ? " class=\"bad\"" : "" as Markup)>\(happening.words, upTo: 160)</span>\(messages)\(reason)</td>\
            <td><a href="\(address)">\(.status(happening.status)) <span class="quiet">\(happening.method, upTo: 20) \(last, upTo: 40)</span></a></td>\
            <td>\(emulator.mark)</td>
            """
    }
}
