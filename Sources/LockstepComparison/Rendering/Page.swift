/// A page for a browser: its style is in it, and nothing is loaded from elsewhere.
enum Page {
    static func html(title: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title.escapedForHTML)</title><style>\(style)</style></head>
        <body><h1>\(title.escapedForHTML)</h1>
        \(body)
        </body></html>

        """
    }

    /// Below 40 rem a table scrolls in a box of its own, and a list of terms has each term above its text.
    private static let style = """
        body { font: 15px/1.45 system-ui, sans-serif; margin: 1rem auto; max-width: 62rem; padding: 0 1rem; color: #1c1c1e; background: #fff }
        h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 1.4rem 0 .4rem } h1, h2, th, td, dd, li, p { overflow-wrap: anywhere }
        .table { overflow-x: auto } table { border-collapse: collapse; width: 100%; min-width: 30rem }
        th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #ddd }
        tr.differs td { background: #fff7e0 } tr.wire td { color: #667 } li.broken { color: #b00020 }
        section { border-left: .3rem solid #ccc; padding-left: .8rem } section.safety { border-color: #b00020 } section.flow { border-color: #c77700 }
        h2 span { font-size: .8rem; text-transform: uppercase; letter-spacing: .04em }
        section.safety h2 span { color: #b00020 } section.flow h2 span { color: #8a5300 }
        dl { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .2rem .8rem; margin: 0 } dt { color: #556 } dd { margin: 0 }
        code { font: 13px/1.4 ui-monospace, monospace; background: #f4f4f6; padding: 0 .2rem; overflow-wrap: anywhere }
        code.call { display: block; padding: .3rem .5rem; margin-top: .2rem; white-space: pre-wrap }
        @media (max-width: 40rem) { dl { grid-template-columns: minmax(0, 1fr) } dt { margin-top: .3rem; font-size: .85rem } body { padding: 0 .7rem } }
        """
}
