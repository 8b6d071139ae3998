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
    func button(
        _ title: String, _ action: PageAddress, of subject: String = "", _ fields: [(name: String, value: String)] = [],
        isMain: Bool = false
    ) -> Markup {
        let hidden: [Markup] = fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value, upTo: .max)\">" }
        let name: Markup = subject.isEmpty ? "" : "<span class=\"hidden\"> \(subject, upTo: 60)</span>"
        let main: Markup = isMain ? " class=\"main\"" : ""
        return form(action, "\(hidden)<button\(main)>\(title)\(name)</button>")
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
    ///   - keeps: The stored value, so that the form detects a change of the field; `nil` if it does not matter.
    ///   - problem: Why the form was rejected; the field that it names shows it.
    static func field(
        _ label: String, _ name: String, _ value: String = "", type: String = "text", hint: String = "", keeps: String? = nil,
        problem: ErrorPage? = nil
    ) -> Markup {
        let was: Markup? = keeps.map { "<input type=\"hidden\" name=\"was-\(name)\" value=\"\($0, upTo: 1000)\">" }
        let help: Markup = hint.isEmpty ? "" : " <small>\(hint)</small>"
        let refusal: Markup? = problem.flatMap { problem in
            guard problem.sentence.contains(bytesOf: "\"\(name)\"") else { return nil }
            return
                "<span class=\"fault\">\(name == "email" ? "This is not an accepted e-mail address." : problem.sentence, upTo: 200)</span>"
        }
        return """
            <label class="field"><span>\(label)\(help)</span><input type="\(type)" name="\(name)" value="\(value, upTo: 1000)" \
            autocomplete="off" spellcheck="false"\(refusal == nil ? "" : " aria-invalid=\"true\"" as Markup)></label>\(refusal)\(was)
            """
    }

    /// Returns a field with several lines.
    static func area(_ label: String, _ name: String, _ value: String, rows: Int = 5, keeps: String? = nil) -> Markup {
        // A browser removes a line break at the beginning.
        let was: Markup? = keeps.map {
            "<textarea hidden name=\"was-\(name)\" aria-label=\"before\">\n\($0, upTo: 20_000, lines: true)</textarea>"
        }
        return """
            <label class="field"><span>\(label)</span><textarea name="\(name)" rows="\(rows)" autocomplete="off" spellcheck="false">
            \(value, upTo: 20_000, lines: true)</textarea></label>\(was)
            """
    }

    /// Returns a checkbox.
    static func box(_ label: String, _ name: String, _ isOn: Bool = false, keeps: Bool? = nil) -> Markup {
        let was: Markup? = keeps.map { "<input type=\"hidden\" name=\"was-\(name)\" value=\"\($0 ? "on" : "")\">" }
        let checked: Markup = isOn ? " checked" : ""
        return "<label class=\"box\"><input type=\"checkbox\" name=\"\(name)\"\(checked)> <span>\(label)</span></label>\(was)"
    }

    /// Returns a selection of one value; a plain one is in a toolbar, without a visible label.
    static func choice(
        _ label: String, _ name: String, _ options: [(value: String, title: String)], chosen: String = "", isPlain: Bool = false
    ) -> Markup {
        let list: [Markup] = options.map { option in
            let selected: Markup = option.value == chosen ? " selected" : ""
            return "<option value=\"\(option.value)\"\(selected)>\(option.title)</option>"
        }
        if isPlain { return "<select name=\"\(name)\" aria-label=\"\(label)\">\(list)</select>" }
        return "<label class=\"field\"><span>\(label)</span><select name=\"\(name)\">\(list)</select></label>"
    }

    /// Returns a table that scrolls sideways on a narrow screen.
    ///
    /// - Parameters:
    ///   - name: The name of the table, for screen readers.
    ///   - columns: The column titles, or whole cells of the head.
    ///   - rows: The cells of the rows, as `td` elements, or whole rows.
    ///   - empty: The text for an empty table.
    static func table(_ name: String, _ columns: [Markup], _ rows: [Markup], empty: Markup) -> Markup {
        if rows.isEmpty { return "<p class=\"empty\">\(empty)</p>" }
        let head: [Markup] = columns.map { $0.html.utf8.starts(with: "<th".utf8) ? $0 : "<th scope=\"col\">\($0)</th>" }
        let body: [Markup] = rows.map { $0.html.utf8.starts(with: "<tr".utf8) ? "\($0)\n" : "<tr>\($0)</tr>\n" }
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

    /// Returns a button that copies a part of the page as Markdown, without secrets.
    static func copyable(markdown: String, id: String) -> Markup {
        """
        <button type="button" class="scripted" data-copy="\(id)">Copy as Markdown</button><textarea hidden id="\(id)" aria-label="Markdown">
        \(markdown, upTo: 40_000, lines: true)</textarea>
        """
    }

    /// Returns a JSON document with one member per line.
    static func document(_ document: JSON, _ label: String) -> Markup {
        """
        <pre tabindex="0" role="region" aria-label="\(label)">\(document.text(.indented), upTo: 20_000, lines: true)</pre>
        """
    }

    /// Returns a time from the control routes, in full.
    static func time(_ text: String?) -> Markup {
        guard let text, !text.isEmpty else { return "–" }
        return "<time datetime=\"\(text)\">\(Instant(rfc3339: text)?.plain ?? text)</time>"
    }

    /// Returns a status as a chip.
    static func status(_ status: Int64?) -> Markup {
        guard let status else { return "<span class=\"chip bad\">no answer</span>" }
        return "<span class=\"chip \(status >= 500 ? "bad" : status >= 400 ? "warn" : "good")\">\(status)</span>"
    }

    /// Returns a form that searches the page's list, and keeps what else the address selects.
    ///
    /// - Parameters:
    ///   - path: The page.
    ///   - hint: What can be found, as the placeholder.
    ///   - more: Further fields of the form.
    static func search(_ visit: Visit, _ path: String, _ hint: String, _ more: Markup = "") -> Markup {
        let provider: Markup? = visit.chosen.map { "<input type=\"hidden\" name=\"provider\" value=\"\($0.name)\">" }
        let query = visit.query("query") ?? ""
        return """
            <form method="get" action="\(PageAddress(path))" class="search" role="search">\(provider)<input type="search" name="query" \
            value="\(query, upTo: 1000)" aria-label="Search" placeholder="\(hint)" autocomplete="off" spellcheck="false">\(more)\
            <button class="unscripted">Search</button></form>
            """
    }

    /// Returns a part of a page that follows changes.
    static func live(_ id: String, _ content: Markup, _ element: String = "div") -> Markup {
        "<\(element) id=\"\(id)\" data-live>\(content)</\(element)>"
    }
}
