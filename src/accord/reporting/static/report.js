"use strict";
// Everything here is comfort: without it the page shows the same facts.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Sortable tables: a button in each heading, the key of each cell in data-key.
  const keyOf = (row, column) => row.cells[column].dataset.key;
  const compare = (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const x = Number(a), y = Number(b);
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
  };
  const sort = (table, column, heading) => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].sort((a, b) => {
      const x = keyOf(a, column), y = keyOf(b, column);
      return x === "" || y === "" ? compare(x, y) : (down ? -1 : 1) * compare(x, y);
    });
    body.append(...rows);
  };
  all("table.data").forEach((table) => {
    if (table.tBodies[0].rows.length < 2) return;
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sort(table, column, heading));
      heading.append(button);
    });
  });

  // Boxes that scroll sideways are tab stops; those that need not scroll are not.
  const fit = new ResizeObserver((entries) => entries.forEach(({ target }) => {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }));
  all(".scroll").forEach((box) => fit.observe(box));

  // Filters over the rows of the next table, or over the tasks that follow.
  all(".filter").forEach((box) => {
    const next = box.nextElementSibling;
    const items = next.matches(".tasks") ? all(".task", next) : all("tbody tr", next);
    const words = items.map((item) => item.textContent.toLowerCase());
    const status = box.querySelector("[role=status]");
    box.hidden = false;
    box.querySelector("input").addEventListener("input", (event) => {
      const wanted = event.target.value.trim().toLowerCase();
      let kept = 0;
      items.forEach((item, i) => {
        item.hidden = !words[i].includes(wanted);
        kept += item.hidden ? 0 : 1;
      });
      status.textContent = wanted ? `${kept} of ${items.length}` : "";
    });
  });

  // "Show n tasks": only the tasks behind a number.
  const show = (head, numbers) => {
    const section = head.closest("section");
    const tasks = all(".task", section);
    tasks.forEach((task) => { task.hidden = numbers !== null && !numbers.has(task.dataset.task); });
    all(".filter input", section).forEach((input) => { if (input.closest(".more")) input.value = ""; });
    const more = section.querySelector("details.more");
    if (more && numbers !== null) more.open = true;
    const status = head.querySelector(".shown");
    status.hidden = numbers === null;
    if (numbers !== null) status.firstElementChild.textContent = `Showing ${numbers.size} of ${tasks.length} tasks.`;
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-show]");
    const head = link && document.getElementById(link.hash.slice(1));
    if (head) show(head, new Set(link.dataset.show.split(" ")));
    const reset = event.target.closest("button.all");
    if (reset) show(reset.closest(".h3row"), null);
  });

  // Copy buttons.
  all("[data-copy]").forEach((button) => {
    const source = document.getElementById(button.dataset.copy);
    const status = button.parentElement.querySelector("[role=status]");
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.textContent);
        status.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        status.textContent = "Selected: copy with your keyboard";
      }
    });
  });

  // The index marks the section in view.
  const links = new Map(all(".idx a").map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((entries) => {
    entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
      links.forEach((link) => link.removeAttribute("aria-current"));
      links.get(entry.target.id).setAttribute("aria-current", "true");
    });
  }, { rootMargin: "0px 0px -75% 0px" });
  links.forEach((_, id) => { if (id !== "main") watch.observe(document.getElementById(id)); });
})();
