extension Assets {
    /// The style sheet: light and dark, dense rows, from a width of 320 pixels, without motion.
    static let style = """
        :root { color-scheme: light dark; --back: #fff; --area: #f7f8fa; --text: #16191d; --quiet: #5b6470; --line: #e3e7ec; --strong: #848d98;
          --accent: #0b57d0; --soft: #eaf1fd; --on: #fff; --good: #e2f3e5; --goodtext: #12632c; --warn: #fff3d6; --warntext: #6f4a00;
          --bad: #fde7e4; --badtext: #8c1d18; --firebase: #f5820d; --gotrue: #3ecf8e; --clerk: #6c47ff }
        @media (prefers-color-scheme: dark) { :root { --back: #0f1215; --area: #171b20; --text: #e8eaed; --quiet: #a3adb8; --line: #252b32;
          --strong: #69737f; --accent: #8ab4f8; --soft: #1a2738; --on: #0d1b33; --good: #14301b; --goodtext: #8bd6a0; --warn: #33290f;
          --warntext: #f2cf7f; --bad: #3d1c19; --badtext: #ffb4ab; --clerk: #9b83ff } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--back); color: var(--text); font: 14px/1.45 Inter, "Segoe UI", system-ui, sans-serif;
          font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
        a { color: var(--accent) }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
        header { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 1rem; height: 44px; padding: 0 1.25rem;
          background: var(--back); border-bottom: 1px solid var(--line) }
        .brand { flex: none; display: flex; align-items: center; gap: .5rem; margin: 0; font-size: 15px; font-weight: 700 }
        .brand::before { content: ""; width: 14px; height: 14px; border-radius: 4px;
          background: conic-gradient(from 200deg, var(--firebase) 0 33%, var(--gotrue) 0 66%, var(--clerk) 0) }
        nav ul { list-style: none; margin: 0; padding: 0; display: flex }
        nav a { display: block; text-decoration: none; white-space: nowrap }
        .find { flex: none; margin-left: auto } kbd { font-family: inherit; margin-left: .35rem }
        header nav { min-width: 0; overflow-x: auto }
        header nav a { display: flex; align-items: center; height: 43px; padding: 0 .55rem; color: var(--quiet); border-bottom: 2px solid transparent }
        header nav a:focus-visible { outline-offset: -3px }
        header nav a:hover { color: var(--text) }
        header nav a[aria-current] { color: var(--text); border-color: var(--accent); font-weight: 600 }
        .count { font-size: 11px; font-weight: 600; background: var(--area); border: 1px solid var(--line); color: var(--quiet); border-radius: 9px;
          padding: 0 .4rem; margin-left: .35rem; white-space: nowrap }
        #bar > div { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; margin: 0; padding: .3rem 1.25rem; background: var(--warn);
          color: var(--warntext); border-bottom: 1px solid var(--line); font-size: 13px }
        #bar form { margin-left: auto }
        main { padding: .75rem 1.25rem 3rem }
        .head, .tools { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; margin: .25rem 0 .5rem }
        .head { justify-content: flex-end } .tools > :last-child:not(:first-child, .search) { margin-left: auto }
        h1 { margin: 0 auto 0 0; font-size: 18px } h2 { margin: 1.25rem 0 .4rem; font-size: 15px } h3 { margin: .75rem 0 .25rem; font-size: 13px }
        p, ul { margin: .4rem 0 } ul.plain { list-style: none; padding: 0 } ul.plain li { margin: .2rem 0 }
        .skip { position: absolute; left: -99rem } .skip:focus { left: .5rem; top: .5rem; background: var(--back); padding: .5rem; z-index: 3 }
        .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
        .scripted, .js .unscripted { display: none } .js .scripted { display: inline-block }
        .live[data-on] { color: var(--goodtext) }
        .live[data-on]::before, .p::before, .dot::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%;
          margin-right: .4rem; background: var(--gotrue) }
        .p { white-space: nowrap; color: var(--quiet) } .p.firebase::before { background: var(--firebase) } .p.clerk::before { background: var(--clerk) }
        .dot::before { background: var(--accent) }
        .filter a { border: 1px solid var(--strong); border-right-width: 0; padding: .25rem .7rem; color: var(--text) }
        .filter li:first-child a { border-radius: 6px 0 0 6px } .filter li:last-child a { border-radius: 0 6px 6px 0; border-right-width: 1px }
        .filter a:hover { background: var(--soft) }
        .filter a[aria-current], .button[aria-current] { background: var(--soft); color: var(--accent); border-color: var(--accent) }
        .notice, .problem { padding: .4rem .75rem; border-radius: 6px; background: var(--good); color: var(--goodtext) }
        .problem { background: var(--bad); color: var(--badtext) }
        .empty, small, .quiet, .find, .live { color: var(--quiet) } small, kbd, .live { font-size: 12px }
        button, .button, .guard > summary { font: inherit; line-height: 20px; padding: .2rem .65rem; border: 1px solid var(--strong); border-radius: 6px;
          background: var(--back); color: var(--text); cursor: pointer; text-decoration: none; display: inline-block; white-space: nowrap }
        button:hover, .button:hover, .guard > summary:hover { background: var(--soft); border-color: var(--accent) }
        .main { background: var(--accent); color: var(--on); border-color: var(--accent); font-weight: 600 }
        .main:hover { background: var(--soft); color: var(--accent) }
        td button, td .button, #bar button { font-size: 12px; padding: 0 .5rem } td form { margin-right: .25rem }
        form { display: inline-block; max-width: 100% } .actions { display: flex; flex-wrap: wrap; gap: .35rem; align-items: start; margin: .4rem 0 }
        .search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; min-width: 0 } .search input[type=search] { width: 22rem }
        .fields { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end } .fields .field { margin: 0 }
        form:has(.stack) { width: 40rem }
        .field { display: block; margin: .3rem 0; max-width: 100% } .field > span { display: block; font-size: 12px; color: var(--quiet) }
        .field small::before { content: "– " } .fault { color: var(--badtext); font-size: 12px }
        input, textarea, select { font: inherit; line-height: 20px; padding: .2rem .5rem; border: 1px solid var(--strong); border-radius: 6px;
          background: var(--back); color: var(--text); max-width: 100% }
        .stack input:not([type=checkbox], [type=radio]), .stack textarea, .stack select { width: 100% }
        textarea, pre, code { font-family: ui-monospace, monospace; font-size: 13px }
        .box { display: block; margin: .3rem 0 }
        .scroll { overflow-x: auto; margin: .25rem 0; position: relative }
        table { border-collapse: collapse; min-width: 100%; font-size: 13.5px }
        th { text-align: left; white-space: nowrap; font-size: 12px; color: var(--quiet); background: var(--area); padding: .3rem .75rem }
        th a { color: inherit; text-decoration: none } th a:hover { text-decoration: underline }
        td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); max-width: 24rem; overflow-wrap: break-word }
        tbody tr:hover td, tr[aria-selected] td { background: var(--soft) }
        td a { color: inherit; text-decoration: none } td a:hover { text-decoration: underline } td a.name { font-weight: 600 } #messages td:not(:has(.dot)) > a.name { font-weight: 400 }
        td.n, th:has(.n) { text-align: right } #requests td:nth-child(2) { max-width: 42rem }
        #columns td { width: 30%; vertical-align: top } #columns td:first-child { width: 10% }
        td, dd, code, pre, h1 { unicode-bidi: isolate }
        time { white-space: nowrap; color: var(--quiet) }
        .code { font: 700 24px ui-monospace, monospace; letter-spacing: .08em; white-space: nowrap; user-select: all }
        button.code, td .code { font-size: 15px; line-height: 20px; background: var(--soft); color: var(--accent); border: 0; padding: .1rem .5rem }
        .js button.code { cursor: copy }
        .chip { display: inline-block; font-size: 12px; font-weight: 600; line-height: 18px; border-radius: 9px; padding: 0 .5rem; white-space: nowrap;
          background: var(--area); color: var(--quiet) }
        .chip.good { background: var(--good); color: var(--goodtext) } .chip.warn { background: var(--warn); color: var(--warntext) }
        .chip.bad { background: var(--bad); color: var(--badtext) } .chip.soft { background: var(--soft); color: var(--accent) }
        .bad { color: var(--badtext) }
        pre { background: var(--area); border: 1px solid var(--line); border-radius: 6px; padding: .5rem; margin: .3rem 0; overflow: auto;
          white-space: pre-wrap; max-height: 32rem }
        .copy { user-select: all } code.copy { background: var(--area); padding: .1rem .3rem; border-radius: 4px }
        dl { margin: .4rem 0 } dl > div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .1rem 0 }
        dt { color: var(--quiet); min-width: 9rem } dd { margin: 0; min-width: 0 }
        .cards { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)) }
        .card { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .9rem; min-width: 0 } .card h2 { margin-top: 0 }
        details { margin: .3rem 0 } summary { cursor: pointer; color: var(--accent) } .guard { display: inline-block; margin: 0; vertical-align: top }
        iframe { width: 100%; height: 20rem; border: 1px solid var(--line); border-radius: 6px; background: #fff }
        .qr { background: #fff; padding: .5rem; width: 12rem; max-width: 100%; height: auto; display: block }
        @media (max-width: 34rem) { header, main, #bar > div { padding-left: .75rem; padding-right: .75rem }
          header { position: static; height: auto; flex-wrap: wrap; gap: .25rem; padding-top: .4rem } header nav { order: 1; width: 100% } kbd { display: none }
          nav ul { flex-wrap: wrap } header nav a { height: 32px; padding: 0 .3rem; font-size: 13px } nav .count { border: 0; padding: 0 }
          #bar > div { display: grid; grid-template-columns: 1fr auto; gap: 0 .75rem } #bar form { grid-area: 1 / 2 / 3 }
          dl > div { flex-wrap: nowrap } dt { flex: 0 0 7rem; min-width: 0 } .search, .search input[type=search] { width: 100% }
          table, tbody { display: block } thead { position: absolute; clip-path: inset(50%) }
          tr { display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .4rem 0; border-bottom: 1px solid var(--line) }
          td { padding: 0; border: 0; max-width: 100%; overflow-wrap: anywhere } td:empty { display: none }
          td[data-name]::before { content: attr(data-name) " "; color: var(--quiet) } #columns thead { display: block; position: static; clip-path: none }
          #columns :is(td, th) { flex: 1 1 0; min-width: 0; padding: 0 } #columns tr > :first-child { flex: 0 0 100% } #columns th:first-child { display: none } }

        """
}
