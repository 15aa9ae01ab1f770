/// The style of the page: rows of pictures that fill the width, with the system's light or dark appearance.
///
/// The width of each tile follows the aspect ratio of its picture, so the pictures of a row have the same height and
/// fill the row without gaps. The last row has the default height.
enum SheetStyle {
    static let text = """

        :root { --back: #ffffff; --text: #1b1b1b; --quiet: #545454; --line: #8a8a8a; --link: #0b57b0; --tile: #f3f3f3; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #141414; --text: #f0f0f0; --quiet: #b8b8b8; --line: #7d7d7d; --link: #8ab8ff; --tile: #222222; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
        header, main, footer { padding: 1rem clamp(0.75rem, 3vw, 2rem); }
        h1 { margin: 0 0 0.75rem; font-size: 1.5rem; overflow-wrap: anywhere; }
        form { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; }
        input, select { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line);
          border-radius: 0.375rem; padding: 0.375rem 0.5rem; min-height: 2.75rem; max-width: 100%; }
        .field { display: flex; gap: 0.75rem; align-items: center; }
        .wide { flex: 1 1 16rem; max-width: 36rem; }
        #search { flex: 1; min-width: 0; }
        #count { margin: 0; color: var(--quiet); }
        ul { --row: clamp(13rem, 20vw, 17rem); list-style: none; margin: 0; padding: 0;
          display: flex; flex-wrap: wrap; gap: 1rem; }
        ul::after { content: ""; flex: 100000000 0 0; }
        li { flex: calc(var(--shape) * 100) 1 calc(var(--shape) * var(--row)); min-width: 0; max-width: calc(var(--shape) * 40rem); }
        li[hidden] { display: none; }
        figure { margin: 0; height: 100%; display: flex; flex-direction: column; background: var(--tile);
          border-radius: 0.5rem; overflow: hidden; }
        .picture { display: block; }
        img { display: block; width: 100%; height: auto; background: var(--line); }
        figcaption { padding: 0.5rem 0.75rem 0.75rem; overflow-wrap: anywhere; }
        .title { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; font-weight: 600; }
        .credit, footer { color: var(--quiet); font-size: 0.875rem; }
        a { color: var(--link); }
        kbd { font: inherit; padding: 0 0.375rem; border: 1px solid var(--line); border-radius: 0.25rem; }
        a:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        .picture:focus-visible { outline-offset: -3px; }
        figure:has(.picture:focus-visible) { outline: 3px solid var(--link); outline-offset: 2px; }

        """
}
