extension Assets {
    /// The script for live parts of pages, for copying, and for keys.
    ///
    /// The pages also work without it.
    static let script = #"""
        'use strict'
        {
          const page = document.body.dataset
          const find = (text, root = document) => root.querySelector(text)
          const all = (text, root = document) => [...root.querySelectorAll(text)]
          const status = find('#live')
          const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))
          const say = (text, isOn) => {
            if (!status) return
            if (status.textContent !== text) status.textContent = text
            status.toggleAttribute('data-on', Boolean(isOn))
          }
          document.documentElement.classList.add('js')

          // A button copies the element that it names, or its own text.
          document.addEventListener('click', async (event) => {
            const button = event.target.closest('[data-copy]')
            const row = event.target.closest('tr')
            // A message whose code was copied or whose link was opened is no longer new.
            if (row && find('.dot', row) && event.target.closest('button, .button')) fetch(find('a.name', row).href).then(load)
            if (!button) return
            const source = button.dataset.copy ? document.getElementById(button.dataset.copy) : button
            const label = button.firstChild, text = label.nodeValue
            if (text === 'Copied') return
            try {
              await navigator.clipboard.writeText(source.value || source.textContent)
              label.nodeValue = 'Copied'
            } catch {
              getSelection().selectAllChildren(source)
            }
            setTimeout(() => { label.nodeValue = text }, 1500)
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
            const open = new Set(all('details[open]', region).map((element) => element.dataset.key))
            const focus = region.contains(document.activeElement) ? sign(document.activeElement) : ''
            const places = new Map(all('.scroll', region).map((element) => [sign(element), element.scrollLeft]))
            region.replaceChildren(...fresh.childNodes)
            all('details', region).forEach((element) => { element.open = open.has(element.dataset.key) })
            all('.scroll', region).forEach((element) => { element.scrollLeft = places.get(sign(element)) ?? 0 })
            if (focus) all('a, button, summary, [tabindex]', region).find((element) => sign(element) === focus)?.focus()
          }

          // An element that is replaced between press and release gets no click.
          let isHeld = false
          document.addEventListener('pointerdown', () => { isHeld = true }, true)
          for (const end of ['pointerup', 'pointercancel', 'dragend']) document.addEventListener(end, () => { isHeld = false }, true)

          const load = async () => {
            const answer = await fetch(location.href)
            if (!answer.ok) throw new Error(String(answer.status))
            const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
            while (isHeld) await pause(50)
            for (const region of all('[data-live]')) {
              const part = fresh.getElementById(region.id)
              if (part) replace(region, part)
            }
            document.title = fresh.title
            page.changes = fresh.body.dataset.changes
          }

          // The list follows the search while a person types.
          let typed = 0
          const search = find('.search input[type=search]')
          const searchNow = async () => {
            const turn = ++typed
            await pause(200)
            if (turn !== typed) return
            const address = new URL(location.href)
            for (const name of ['after', 'page', 'done', 'query']) address.searchParams.delete(name)
            if (search.value) address.searchParams.set('query', search.value)
            history.replaceState(null, '', address)
            await load().catch(() => {})
          }
          search?.addEventListener('input', searchNow)
          if (location.pathname === '/find') search?.focus()
          all('.search select, .search input[type=checkbox]').forEach((field) => field.addEventListener('change', () => field.form.requestSubmit()))

          document.addEventListener('keydown', (event) => {
            const isField = event.target.matches('input, textarea, select')
            if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
              event.preventDefault()
              location.assign('/find')
            }
            if (event.key === 'Escape' && event.target === search) {
              search.value = ''
              searchNow()
            }
            if (isField || event.ctrlKey || event.metaKey || event.altKey) return
            if (event.key === '/' && search) {
              event.preventDefault()
              search.select()
            }
            const step = { j: 1, k: -1 }[event.key]
            if (!step) return
            const link = find(step > 0 ? 'a[rel=next]' : 'a[rel=prev]')
            if (link) return link.click()
            const names = all('main a.name')
            names[Math.max(0, names.indexOf(document.activeElement) + step)]?.focus()
          })

          // The ages of a table grow without a request.
          const seen = new WeakMap()
          setInterval(() => {
            for (const element of all('time[data-age]')) {
              if (!seen.has(element)) seen.set(element, performance.now())
              const age = Number(element.dataset.age) + Math.floor((performance.now() - seen.get(element)) / 1000)
              const text = (age < 120 ? age + ' s' : age < 7200 ? Math.floor(age / 60) + ' min' : age < 172800 ? Math.floor(age / 3600) + ' h'
                : Math.floor(age / 86400) + ' d') + ' ago'
              if (element.textContent !== text) element.textContent = text
            }
          }, 1000)

          // A mail's frame is as high as the mail.
          for (const frame of all('iframe')) {
            const fit = () => {
              if (!frame.contentDocument?.body) return
              // A document is never lower than its frame.
              frame.style.height = 0
              frame.style.height = frame.contentDocument.documentElement.scrollHeight + 2 + 'px'
            }
            frame.addEventListener('load', fit)
            fit()
          }

          // A browser has six connections to a server: a hidden page asks now and then, and keeps none.
          let waiting
          document.addEventListener('visibilitychange', () => waiting?.abort())
          const untilSeen = () => new Promise((resolve) => {
            if (!document.hidden) return resolve()
            document.addEventListener('visibilitychange', () => resolve(untilSeen()), { once: true })
          })

          const follow = async () => {
            const kinds = page.kinds.split(' ')
            // The code of an authenticator app changes by the time alone.
            const isTimed = () => find('[data-timed]') !== null
            let start = page.start, isLost = false, news
            say('Live', true)
            for (;;) {
              try {
                if (document.hidden) await Promise.race([pause(5000), untilSeen()])
                waiting = new AbortController()
                const answer = await fetch('/changes?wait=' + (document.hidden || isLost ? 0 : isTimed() ? 5 : 25) + '&after=' + page.changes, { signal: waiting.signal })
                if (answer.status === 401) return say('Access has ended. Run "lockstep open".')
                if (!answer.ok) throw new Error(String(answer.status))
                news = await answer.json()
                isLost = false
                const isRestarted = start !== news.start
                start = news.start
                if (isRestarted || news.kinds.some((kind) => kinds.includes(kind)) || isTimed()) {
                  await load()
                  await pause(100)
                } else {
                  page.changes = news.number
                }
                say(isRestarted ? 'The server was restarted.' : 'Live', true)
                if (isRestarted) await pause(3000)
              } catch (error) {
                if (error.name === 'AbortError') continue
                say('No answer. Retrying.')
                isLost = true
                await pause(1000)
              }
            }
          }
          if (page.changes) follow()
        }

        """#
}
