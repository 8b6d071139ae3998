extension Assets {
    /// The style sheet: light and dark, from a width of 320 pixels, without motion.
    static let style = """
        :root { color-scheme: light dark; --back: #fff; --area: #f3f5f8; --text: #1b1f24; --quiet: #4d5661; --line: #c3cad3;
          --accent: #0b57d0; --on: #fff; --good: #e2f3e5; --bad: #fde7e4; --badtext: #8c1d18 }
        @media (prefers-color-scheme: dark) { :root { --back: #14171a; --area: #1f2429; --text: #e8eaed; --quiet: #b3bac2;
          --line: #4a525b; --accent: #9cc2ff; --on: #0d1b33; --good: #17331d; --bad: #47201c; --badtext: #ffb4ab } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
        a { color: var(--accent) }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
        header { background: var(--area); border-bottom: 1px solid var(--line); padding: .5rem 1rem; display: flex; flex-wrap: wrap;
          gap: .25rem 1.5rem; align-items: center }
        .brand { margin: 0; font-weight: 700 }
        nav ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem .25rem }
        nav a { display: inline-block; padding: .25rem .6rem; border-radius: .4rem; text-decoration: none; color: var(--text) }
        nav a:hover { text-decoration: underline }
        nav a[aria-current] { background: var(--accent); color: var(--on) }
        .filter { margin: .5rem 0 }
        .filter a { border: 1px solid var(--line) }
        main { padding: 1rem; max-width: 80rem; margin: 0 auto }
        .head { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between }
        h1 { margin: .25rem 0; font-size: 1.6rem } h2 { margin: 1.5rem 0 .5rem; font-size: 1.25rem } h3 { margin: 1rem 0 .25rem; font-size: 1.05rem }
        p { margin: .5rem 0 }
        .skip { position: absolute; left: -99rem } .skip:focus { left: .5rem; top: .5rem; background: var(--back); padding: .5rem; z-index: 1 }
        .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
        .scripted { display: none } .js .scripted { display: inline-block }
        .notice, .problem { padding: .5rem .75rem; border-radius: .4rem; background: var(--good) }
        .problem { background: var(--bad); color: var(--badtext) }
        .empty, small, .quiet { color: var(--quiet) }
        button, .button { font: inherit; padding: .3rem .75rem; border: 1px solid var(--accent); border-radius: .4rem; background: var(--back);
          color: var(--accent); cursor: pointer; text-decoration: none; display: inline-block }
        button.main { background: var(--accent); color: var(--on) }
        form { display: inline-block; margin: .15rem 0; max-width: 100% }
        form.fields { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .5rem 0 }
        form.stack { display: block; max-width: 40rem }
        .field { display: block; margin: .35rem 0; max-width: 100% } .field > span { display: block }
        input, textarea, select { font: inherit; padding: .3rem .5rem; border: 1px solid var(--quiet); border-radius: .4rem; background: var(--back);
          color: var(--text); max-width: 100% }
        .stack input:not([type=checkbox]), .stack textarea, .stack select { width: 100% }
        textarea, pre, code { font-family: ui-monospace, monospace; font-size: .9rem }
        .box { display: block; margin: .35rem 0 }
        .scroll { overflow-x: auto; margin: .5rem 0; position: relative }
        table { border-collapse: collapse; min-width: 100% }
        th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line) }
        th { white-space: nowrap } td { overflow-wrap: break-word; max-width: 24rem; min-width: 5rem }
        td .code { font-size: 1.4rem; letter-spacing: .05em }
        td, dd, code, pre, h1 { unicode-bidi: isolate }
        time { white-space: nowrap }
        pre { background: var(--area); border: 1px solid var(--line); border-radius: .4rem; padding: .5rem; margin: .35rem 0; overflow-x: auto;
          white-space: pre-wrap; max-height: 32rem; overflow-y: auto }
        code.copy { background: var(--area); padding: .1rem .3rem; border-radius: .3rem; user-select: all }
        pre.copy { user-select: all }
        dl { margin: .5rem 0 } dl > div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .15rem 0 }
        dt { color: var(--quiet); min-width: 11rem } dd { margin: 0; min-width: 0 }
        .code { font: 700 2rem ui-monospace, monospace; letter-spacing: .1em; white-space: nowrap; user-select: all }
        .cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)) }
        .card { border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem; min-width: 0 }
        .card h2 { margin-top: 0 }
        .mark { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem; font-size: .85rem }
        .bad { color: var(--badtext); font-weight: 600 }
        details { margin: .35rem 0 } summary { cursor: pointer; color: var(--accent) }
        .guard { display: inline-block; vertical-align: top }
        iframe { width: 100%; height: 30rem; border: 1px solid var(--line); border-radius: .4rem; background: #fff }
        .qr { background: #fff; padding: .5rem; width: 14rem; max-width: 100%; height: auto; display: block }
        @media (max-width: 30rem) { main { padding: .75rem } dt { min-width: 100% } }

        """
}
