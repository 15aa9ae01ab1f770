/// The script of the page: search, sorting and keyboard navigation. It creates no elements from server text.
enum SheetScript {
    static let text = """

        "use strict";
        (() => {
          const sheet = document.getElementById("sheet"), search = document.getElementById("search");
          const sort = document.getElementById("sort"), count = document.getElementById("count");
          const none = document.getElementById("none"), tiles = Array.from(sheet.children);
          const words = t => [t.dataset.title, t.dataset.by, t.querySelector("img").alt].join(" ").toLocaleLowerCase();
          const texts = new Map(tiles.map(t => [t, words(t)]));
          const shown = () => Array.from(sheet.children).filter(t => !t.hidden);
          const orders = {
            place: (a, b) => a.dataset.place - b.dataset.place,
            title: (a, b) => a.dataset.title.localeCompare(b.dataset.title),
            by: (a, b) => a.dataset.by.localeCompare(b.dataset.by),
            date: (a, b) => b.dataset.date - a.dataset.date
          };
          const find = () => {
            const words = search.value.toLocaleLowerCase().split(/\\s+/).filter(Boolean);
            for (const tile of tiles) tile.hidden = !words.every(w => texts.get(tile).includes(w));
            const left = shown().length;
            count.textContent = left === 1 ? "1 picture" : left + " pictures";
            none.hidden = left > 0;
          };
          const arrange = () => {
            const order = orders[sort.value] || orders.place;
            sheet.append(...tiles.sort((a, b) => order(a, b) || orders.place(a, b)));
          };
          // The tile of the next row with the nearest middle. Rows have different numbers of tiles.
          const nearest = (from, others) => {
            const middle = t => t.offsetLeft + t.offsetWidth / 2, distance = t => Math.abs(middle(t) - middle(from));
            const first = others.find(t => t.offsetTop !== from.offsetTop);
            const row = others.filter(t => first && t.offsetTop === first.offsetTop);
            return row.reduce((best, t) => best && distance(best) <= distance(t) ? best : t, undefined);
          };
          const move = (from, key) => {
            const all = shown(), here = all.indexOf(from);
            switch (key) {
              case "Home": return all[0];
              case "End": return all[all.length - 1];
              case "ArrowRight": return all[here + 1];
              case "ArrowLeft": return all[here - 1];
              case "ArrowDown": return nearest(from, all.slice(here + 1));
              default: return nearest(from, all.slice(0, here).reverse());
            }
          };
          search.addEventListener("input", find);
          sort.addEventListener("change", arrange);
          document.getElementById("tools").addEventListener("submit", event => event.preventDefault());
          document.addEventListener("keydown", event => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            if (event.key === "Escape" && search.value) { search.value = ""; find(); return; }
            if (event.target === search || event.target === sort) return;
            if (event.key === "/") { event.preventDefault(); search.focus(); return; }
            const tile = event.target.closest("#sheet > li");
            if (!tile || !/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key)) return;
            event.preventDefault();
            const next = move(tile, event.key);
            if (next) next.querySelector(".picture").focus();
          });
          // After a reload, the browser may have kept the previous input.
          if (sort.value !== "place") arrange();
          if (search.value) find();
        })();

        """
}
