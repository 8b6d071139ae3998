internal import LockstepPrimitives

extension MoveReport {
    /// Returns the report as an HTML page, which can be read without scripts and on a phone.
    ///
    /// The level filters need no script. A script keeps the checkboxes of the plan in the browser, and copies the plan.
    ///
    /// - Parameter origin: The command, the release and the time of the report; `nil` to omit this
    ///   information.
    package func html(from origin: ReportOrigin? = nil) -> String {
        let filters = legend.map { weight, count, meaning in
            "<label title=\"\(meaning.escapedForHTML)\"><input type=\"checkbox\" class=\"show-\(weight)\" checked> \(weight) "
                + "<b>\(count)</b></label>"
        }
        let introduction = """
            <p class="verdict">\(verdict.joined(separator: "<br>\n", with: \.escapedForHTML))</p>
            <div class="bar">\(filters.joined(separator: "\n")) <button id="copy" hidden>Copy the plan as Markdown</button></div>
            """
        var anchors: [String] = []
        var sections = Cost.weights.compactMap { weight -> Page.Section? in
            let changes = differences.filter { $0.weight == weight.name }
            guard !changes.isEmpty else { return nil }
            return Page.Section(
                "\(weight.name.capitalizedFirst): \(weight.meaning)",
                changes.map { finding($0, &anchors) }.joined(separator: "\n"))
        }
        if !settings.isEmpty {
            let tables = settings.map { variant, settings in
                let rows = settings.map {
                    "<tr><th>\($0.subject.escapedForHTML)</th><td>\(PlainValue($0.words).html)</td></tr>"
                }
                return
                    "<h3>\(variant.escapedForHTML)</h3><div class=\"table\"><table>\(rows.joined(separator: "\n"))</table></div>"
            }
            sections.append(Page.Section(Self.settingsTitle, tables.joined(separator: "\n")))
        }
        if !wayBack.isEmpty {
            sections.append(Page.Section(Self.wayBackTitle, wayBack.map { finding($0, &anchors) }.joined(separator: "\n")))
        }
        let variants = variants.map { "<li>\($0.escapedForHTML)</li>" }.joined()
        sections.append(Page.Section("Evidence", "<p>\(Self.evidence.escapedForHTML)</p><ul>\(variants)</ul>"))
        return Page.html(
            title: headline, origin: origin, introduction: introduction, sections: sections, script: Self.script)
    }

    /// Returns a finding, which is folded below the weight flow.
    private func finding(_ change: Change, _ anchors: inout [String]) -> String {
        let name = change.subject.asAnchor
        let anchor = anchors.contains(name) ? "\(name)-\(anchors.count)" : name
        anchors.append(anchor)
        func column(_ end: End, _ value: String) -> String {
            "<div class=\"\(end.name.asAnchor)\"><b>\(end.title.escapedForHTML)</b> \(PlainValue(value).html)</div>"
        }
        let effort = change.effect.effort.label.map { " <em>\($0)</em>" } ?? ""
        let plan =
            change.effect.action.isEmpty
            ? ""
            : "<p><label><input type=\"checkbox\" data-plan=\"\(anchor)\"> \(change.effect.action.capitalizedFirst.withCodeInHTML)."
                + "</label>\(effort)\(change.effect.call.map(\.asCallInHTML) ?? "")</p>"
        let weight = change.isDifference ? change.weight : "none"
        return """
            <details class="\(weight)" id="\(anchor)"\(change.isGrave ? " open" : "")><summary>\(change.title.withCodeInHTML) \
            <a href="#\(anchor)" aria-label="link to this finding">#</a></summary>
            <p class="subject">\(change.subject.escapedForHTML)</p>
            <div class="two">\(column(source, change.before))\(column(target, change.after))</div>
            \(plan)</details>
            """
    }

    /// What works only in a browser with scripts: the kept checkboxes, an open finding for a link, and the copied plan.
    ///
    /// The policy of the page names its digest, and a test computes it again.
    static let script = Page.Script(
        text: """
            const boxes = [...document.querySelectorAll('[data-plan]')], key = (box) => document.title + ' ' + box.dataset.plan
            for (const box of boxes) {
              try { box.checked = localStorage.getItem(key(box)) === 'done' } catch {}
              box.onchange = () => { try { localStorage.setItem(key(box), box.checked ? 'done' : '') } catch {} }
            }
            const open = () => { const found = document.getElementById(location.hash.slice(1)); if (found) found.open = true }
            addEventListener('hashchange', open); open()
            const copy = document.getElementById('copy'), text = (element) => element.innerText.replace(/\\s+/g, ' ').replace(/ #$/, '').trim()
            copy.hidden = false
            copy.onclick = async () => {
              const lines = ['# ' + document.title, '', text(document.querySelector('.verdict')), '']
              for (const box of boxes) {
                const finding = box.closest('details')
                lines.push(`- [${box.checked ? 'x' : ' '}] **${finding.className}** ${text(finding.querySelector('summary'))} ${text(box.parentElement)}`)
              }
              const area = document.createElement('textarea'); area.value = lines.join('\\n') + '\\n'
              try { await navigator.clipboard.writeText(area.value) } catch {
                document.body.append(area); area.select(); document.execCommand('copy'); area.remove()
              }
              copy.textContent = 'Copied'
            }
            """, digest: "ZjMZthN3sRqmKQqGW2Rxwe0cwuhNJhuKh8gr/jkXi7w=")
}

extension [String] {
    fileprivate func joined(separator: String, with escaping: (String) -> String) -> String {
        map(escaping).joined(separator: separator)
    }
}

extension String {
    /// The text as a name in an address and as a class: lowercase letters and digits, with hyphens between the words.
    var asAnchor: String {
        lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    }
}
