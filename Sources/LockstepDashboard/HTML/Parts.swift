internal import LockstepEmulation
internal import LockstepPrimitives

extension Visit {
    /// Returns a form that changes something.
    func form(_ action: PageAddress, _ content: Markup) -> Markup {
        """
        <form method="post" action="\(action)"><input type="hidden" name="token" value="\(session.formToken.reveal())">\(content)</form>
        """
    }

    /// Returns a form with one button.
    ///
    /// - Parameters:
    ///   - title: The text on the button.
    ///   - action: The route.
    ///   - subject: The object of the change, for screen readers.
    ///   - fields: Hidden values.
    func button(_ title: String, _ action: PageAddress, of subject: String = "", _ fields: KeyValuePairs<String, String> = [:])
        -> Markup
    {
        let hidden: [Markup] = fields.map { "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">" }
        let name: Markup = subject.isEmpty ? "" : "<span class=\"hidden\"> \(subject, upTo: 60)</span>"
        return form(action, "\(hidden)<button>\(title)\(name)</button>")
    }

    /// Returns a form with one button that must be opened first, for actions that cannot be undone.
    func guarded(_ title: String, _ action: PageAddress, of subject: String = "", _ question: String) -> Markup {
        """
        <details class="guard" data-key="\(action)"><summary>\(title)…<span class="hidden"> \(subject, upTo: 60)</span></summary><p>\(question)</p>\
        \(button(title, action, of: subject))</details>
        """
    }
}

extension Markup {
    /// Returns a field of a form.
    ///
    /// - Parameters:
    ///   - hint: The hint below the field.
    ///   - keeps: Whether the form detects a change of the field.
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

    /// Returns a field with several lines.
    static func area(_ label: String, _ name: String, _ value: String, rows: Int = 5, keeps: Bool = false) -> Markup {
        // A browser removes a line break at the beginning.
        let was: Markup =
            keeps
            ? "<textarea hidden name=\"was-\(name)\" aria-label=\"before\">\n\(value, upTo: 20_000, lines: true)</textarea>" : ""
        return """
            <label class="field"><span>\(label)</span><textarea name="\(name)" rows="\(rows)" autocomplete="off" spellcheck="false">
            \(value, upTo: 20_000, lines: true)</textarea></label>\(was)
            """
    }

    /// Returns a checkbox.
    static func box(_ label: String, _ name: String, _ isOn: Bool = false, keeps: Bool = false) -> Markup {
        let was: Markup = keeps ? "<input type=\"hidden\" name=\"was-\(name)\" value=\"\(isOn ? "on" : "")\">" : ""
        let checked: Markup = isOn ? " checked" : ""
        return "<label class=\"box\"><input type=\"checkbox\" name=\"\(name)\"\(checked)> <span>\(label)</span></label>\(was)"
    }

    /// Returns a selection of one value.
    static func choice(_ label: String, _ name: String, _ options: [(value: String, title: String)], chosen: String = "")
        -> Markup
    {
        let list: [Markup] = options.map { option in
            let selected: Markup = option.value == chosen ? " selected" : ""
            return "<option value=\"\(option.value)\"\(selected)>\(option.title)</option>"
        }
        return "<label class=\"field\"><span>\(label)</span><select name=\"\(name)\">\(list)</select></label>"
    }

    /// Returns a table that scrolls sideways on a narrow screen.
    ///
    /// - Parameters:
    ///   - name: The name of the table, for screen readers.
    ///   - columns: The column titles.
    ///   - rows: The cells of the rows, as `td` elements.
    ///   - empty: The text for an empty table.
    static func table(_ name: String, _ columns: [String], _ rows: [Markup], empty: String) -> Markup {
        if rows.isEmpty { return "<p class=\"empty\">\(empty)</p>" }
        let head: [Markup] = columns.map { "<th scope=\"col\">\($0)</th>" }
        let body: [Markup] = rows.map { "<tr>\($0)</tr>\n" }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(name)"><table><thead><tr>\(head)</tr></thead>
            <tbody>\(body)</tbody></table></div>
            """
    }

    /// Returns names with their values.
    static func values(_ pairs: [(name: String, value: Markup)]) -> Markup {
        let list: [Markup] = pairs.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>" }
        return "<dl>\(list)</dl>"
    }

    /// Returns a text to copy, with a button, or by selecting it if scripts are off.
    ///
    /// - Parameters:
    ///   - id: The unique id of the element.
    ///   - label: What it is.
    ///   - isBlock: Whether the text is a block.
    static func copyable(_ text: String, id: String, _ label: String, isBlock: Bool = false) -> Markup {
        let button: Markup =
            "<button type=\"button\" class=\"scripted\" data-copy=\"\(id)\">Copy<span class=\"hidden\"> \(label)</span></button>"
        if isBlock {
            return
                "<pre class=\"copy\" id=\"\(id)\" tabindex=\"0\" aria-label=\"\(label)\" role=\"region\">\(text, upTo: 20_000, lines: true)</pre>\(button)"
        }
        return "<code class=\"copy\" id=\"\(id)\">\(text, upTo: 8_000)</code> \(button)"
    }

    /// Returns a JSON document with one member per line.
    static func document(_ document: JSON, _ label: String) -> Markup {
        """
        <pre tabindex="0" role="region" aria-label="\(label)">\(document.text(.indented), upTo: 20_000, lines: true)</pre>
        """
    }

    /// Returns a time from the control routes.
    static func time(_ text: String?) -> Markup {
        guard let text, !text.isEmpty else { return "–" }
        let plain = text.utf8.count == 24 ? text.prefix(10) + " " + text.dropFirst(11).prefix(8) : text[...]
        return "<time datetime=\"\(text)\">\(plain)</time>"
    }

    /// Returns a part of a page that follows changes.
    static func live(_ id: String, _ content: Markup) -> Markup { "<div id=\"\(id)\" data-live>\(content)</div>" }
}
