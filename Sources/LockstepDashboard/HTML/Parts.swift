internal import LockstepEmulation
internal import LockstepPrimitives

extension Visit {
    /// A form that changes something.
    func form(_ action: PageAddress, _ content: Markup) -> Markup {
        """
        <form method="post" action="\(action)"><input type="hidden" name="token" value="\(session.formToken.reveal())">\(content)</form>
        """
    }

    /// A form of one button.
    ///
    /// - Parameters:
    ///   - title: The text on the button.
    ///   - action: The route.
    ///   - subject: What is changed, for a screen reader that lists buttons.
    ///   - fields: Hidden values.
    func button(_ title: String, _ action: PageAddress, of subject: String = "", _ fields: KeyValuePairs<String, String> = [:])
        -> Markup
    {
        let hidden: [Markup] = fields.map { "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">" }
        let name: Markup = subject.isEmpty ? "" : "<span class=\"hidden\"> \(subject, upTo: 60)</span>"
        return form(action, "\(hidden)<button>\(title)\(name)</button>")
    }

    /// A form of one button, which a person opens first: for what cannot be undone.
    func guarded(_ title: String, _ action: PageAddress, of subject: String = "", _ question: String) -> Markup {
        """
        <details class="guard"><summary>\(title)…<span class="hidden"> \(subject, upTo: 60)</span></summary><p>\(question)</p>\
        \(button(title, action, of: subject))</details>
        """
    }
}

extension Markup {
    /// A field of a form.
    ///
    /// - Parameters:
    ///   - label: Its name for a person.
    ///   - name: Its name in the form.
    ///   - value: What it shows.
    ///   - keeps: Whether the form tells a changed field from an unchanged one.
    static func field(
        _ label: String, _ name: String, _ value: String = "", type: String = "text", hint: String = "", keeps: Bool = false
    )
        -> Markup
    {
        let was: Markup = keeps ? "<input type=\"hidden\" name=\"was-\(name)\" value=\"\(value, upTo: 1000)\">" : ""
        let help: Markup = hint.isEmpty ? "" : " <small>\(hint)</small>"
        return """
            <label class="field"><span>\(label)\(help)</span><input type="\(type)" name="\(name)" value="\(value, upTo: 1000)" \
            autocomplete="off" spellcheck="false"></label>\(was)
            """
    }

    /// A field of many lines.
    static func area(_ label: String, _ name: String, _ value: String, rows: Int = 5, keeps: Bool = false) -> Markup {
        // A browser leaves out a line end that stands at the beginning.
        let was: Markup =
            keeps
            ? "<textarea hidden name=\"was-\(name)\" aria-label=\"before\">\n\(value, upTo: 20_000, lines: true)</textarea>" : ""
        return """
            <label class="field"><span>\(label)</span><textarea name="\(name)" rows="\(rows)" autocomplete="off" spellcheck="false">
            \(value, upTo: 20_000, lines: true)</textarea></label>\(was)
            """
    }

    /// A box to tick.
    static func box(_ label: String, _ name: String, _ isOn: Bool = false, keeps: Bool = false) -> Markup {
        let was: Markup = keeps ? "<input type=\"hidden\" name=\"was-\(name)\" value=\"\(isOn ? "on" : "")\">" : ""
        let checked: Markup = isOn ? " checked" : ""
        return "<label class=\"box\"><input type=\"checkbox\" name=\"\(name)\"\(checked)> <span>\(label)</span></label>\(was)"
    }

    /// A choice of one value.
    static func choice(_ label: String, _ name: String, _ options: [(value: String, title: String)], chosen: String = "")
        -> Markup
    {
        let list: [Markup] = options.map { option in
            let selected: Markup = option.value == chosen ? " selected" : ""
            return "<option value=\"\(option.value)\"\(selected)>\(option.title)</option>"
        }
        return "<label class=\"field\"><span>\(label)</span><select name=\"\(name)\">\(list)</select></label>"
    }

    /// A table that a narrow screen moves to the side.
    ///
    /// - Parameters:
    ///   - name: What it lists, for a screen reader.
    ///   - columns: The heads of its columns.
    ///   - rows: The cells of its rows, as `td` elements.
    static func table(_ name: String, _ columns: [String], _ rows: [Markup], empty: String) -> Markup {
        if rows.isEmpty { return "<p class=\"empty\">\(empty)</p>" }
        let head: [Markup] = columns.map { "<th scope=\"col\">\($0)</th>" }
        let body: [Markup] = rows.map { "<tr>\($0)</tr>\n" }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(name)"><table><thead><tr>\(head)</tr></thead>
            <tbody>\(body)</tbody></table></div>
            """
    }

    /// Names with their values.
    static func values(_ pairs: [(name: String, value: Markup)]) -> Markup {
        let list: [Markup] = pairs.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>" }
        return "<dl>\(list)</dl>"
    }

    /// A text to copy: by a button with scripts, by selecting it without.
    ///
    /// - Parameters:
    ///   - id: Its id, which no other element of the page has.
    ///   - label: What it is.
    static func copyable(_ text: String, id: String, _ label: String, isBlock: Bool = false) -> Markup {
        let button: Markup =
            "<button type=\"button\" class=\"scripted\" data-copy=\"\(id)\">Copy<span class=\"hidden\"> \(label)</span></button>"
        if isBlock {
            return
                "<pre class=\"copy\" id=\"\(id)\" tabindex=\"0\" aria-label=\"\(label)\" role=\"region\">\(text, upTo: 20_000, lines: true)</pre>\(button)"
        }
        return "<code class=\"copy\" id=\"\(id)\">\(text, upTo: 8_000)</code> \(button)"
    }

    /// A JSON document with one member a line.
    static func document(_ document: JSON, _ label: String) -> Markup {
        """
        <pre tabindex="0" role="region" aria-label="\(label)">\(document.text(.indented), upTo: 20_000, lines: true)</pre>
        """
    }

    /// A time as the control routes write it.
    static func time(_ text: String?) -> Markup {
        guard let text, !text.isEmpty else { return "–" }
        let plain = text.utf8.count == 24 ? text.prefix(10) + " " + text.dropFirst(11).prefix(8) : text[...]
        return "<time datetime=\"\(text)\">\(plain)</time>"
    }

    /// A part of a page that follows changes.
    static func live(_ id: String, _ content: Markup) -> Markup { "<div id=\"\(id)\" data-live>\(content)</div>" }
}
