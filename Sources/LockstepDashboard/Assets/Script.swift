extension Assets {
    /// The script for live parts of pages, and for copy buttons.
    ///
    /// The pages also work without it.
    static let script = #"""
        'use strict'
        {
          const page = document.body.dataset
          const status = document.getElementById('live')
          const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))
          const say = (text) => { if (status && status.textContent !== text) status.textContent = text }
          document.documentElement.classList.add('js')

          document.addEventListener('click', async (event) => {
            const button = event.target.closest('[data-copy]')
            const source = button && document.getElementById(button.dataset.copy)
            if (!source) return
            const label = button.firstChild
            try {
              await navigator.clipboard.writeText(source.textContent)
              label.nodeValue = 'Copied'
            } catch {
              getSelection().selectAllChildren(source)
              label.nodeValue = 'Selected'
            }
            setTimeout(() => { label.nodeValue = 'Copy' }, 2000)
          })

          // What a person types is never replaced.
          document.addEventListener('input', (event) => event.target.closest('[data-live]')?.setAttribute('data-typed', ''))

          const sign = (element) => element && (element.id || element.getAttribute('href') || element.getAttribute('aria-label') || element.name
            || element.form?.getAttribute('action') || element.parentElement?.dataset.key)
          const isEdited = (region) => region.hasAttribute('data-typed')
            || (region.contains(document.activeElement) && document.activeElement.matches('input, textarea, select'))

          const replace = (region, fresh) => {
            if (isEdited(region) || region.innerHTML === fresh.innerHTML) return
            // A row may have moved, so its state belongs to its key, not to its position.
            const open = new Set([...region.querySelectorAll('details[open]')].map((element) => element.dataset.key))
            const focus = region.contains(document.activeElement) ? sign(document.activeElement) : ''
            const places = new Map([...region.querySelectorAll('.scroll')].map((element) => [sign(element), element.scrollLeft]))
            region.replaceChildren(...fresh.childNodes)
            region.querySelectorAll('details').forEach((element) => { element.open = open.has(element.dataset.key) })
            region.querySelectorAll('.scroll').forEach((element) => { element.scrollLeft = places.get(sign(element)) ?? 0 })
            if (focus) [...region.querySelectorAll('a, button, summary, [tabindex]')].find((element) => sign(element) === focus)?.focus()
          }

          const load = async () => {
            const answer = await fetch(location.href)
            if (!answer.ok) throw new Error(String(answer.status))
            const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
            for (const region of document.querySelectorAll('[data-live]')) {
              const part = fresh.getElementById(region.id)
              if (part) replace(region, part)
            }
            page.changes = fresh.body.dataset.changes
          }

          // A browser has six connections to a server: hidden pages do not use any.
          let waiting
          document.addEventListener('visibilitychange', () => { if (document.hidden) waiting?.abort() })
          const untilSeen = () => new Promise((resolve) => {
            if (!document.hidden) return resolve()
            document.addEventListener('visibilitychange', () => resolve(untilSeen()), { once: true })
          })

          const follow = async () => {
            const kinds = page.kinds.split(' ')
            // The code of an authenticator app changes by the time alone.
            const isTimed = () => document.querySelector('[data-timed]') !== null
            say('Live')
            for (;;) {
              await untilSeen()
              try {
                waiting = new AbortController()
                const answer = await fetch('/changes?wait=' + (isTimed() ? 5 : 25) + '&after=' + page.changes, { signal: waiting.signal })
                if (answer.status === 401) return say('Access has ended. Run "lockstep open".')
                if (!answer.ok) throw new Error(String(answer.status))
                const news = await answer.json()
                say('Live')
                if (news.kinds.some((kind) => kinds.includes(kind)) || isTimed()) {
                  await load()
                  await pause(100)
                } else {
                  page.changes = news.number
                }
              } catch {
                if (document.hidden) continue
                say('No answer. Retrying.')
                await pause(2000)
              }
            }
          }
          if (page.changes) follow()
        }

        """#
}
