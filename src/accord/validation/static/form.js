(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const pairs = data.pairs;
  const $ = (id) => document.getElementById(id);
  const shelf = "accord-form-" + pairs.map((p) => p.id).join("").slice(0, 64);
  let answers = {};
  let at = 0;

  try {
    const kept = JSON.parse(localStorage.getItem(shelf) || "{}");
    answers = kept.answers || {};
    $("expert").value = kept.expert || "";
  } catch (problem) {
    answers = {};
  }

  for (const name of data.relations) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.relation = name;
    button.textContent = name;
    $("relations").append(button);
  }

  function keep() {
    const out = { expert: $("expert").value.trim(), answers: answers };
    try {
      localStorage.setItem(shelf, JSON.stringify(out));
    } catch (problem) {
      // A browser that keeps nothing still saves the file.
    }
  }

  function press(selector, field) {
    const mine = answers[pairs[at].id] || {};
    for (const button of document.querySelectorAll(selector)) {
      const value = button.dataset.answer || button.dataset.relation;
      button.setAttribute("aria-pressed", String(mine[field] === value));
    }
  }

  function show() {
    const done = pairs.filter((p) => (answers[p.id] || {}).equivalent).length;
    $("left").textContent = pairs[at].a;
    $("right").textContent = pairs[at].b;
    $("place").textContent = "Pair " + (at + 1) + " of " + pairs.length + ", " + done + " answered";
    $("bar").value = done / pairs.length;
    press("[data-answer]", "equivalent");
    press("[data-relation]", "relation");
  }

  function go(to) {
    at = Math.min(pairs.length - 1, Math.max(0, to));
    show();
  }

  function set(field, value) {
    const id = pairs[at].id;
    answers[id] = Object.assign({}, answers[id]);
    answers[id][field] = answers[id][field] === value && field === "relation" ? null : value;
    keep();
  }

  function answer(value) {
    set("equivalent", value);
    go(at + 1);
  }

  for (const button of document.querySelectorAll("[data-answer]")) {
    button.addEventListener("click", () => answer(button.dataset.answer));
  }
  for (const button of document.querySelectorAll("[data-relation]")) {
    button.addEventListener("click", () => { set("relation", button.dataset.relation); show(); });
  }
  $("back").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", () => go(at + 1));
  $("open").addEventListener("click", () => {
    const found = pairs.findIndex((p) => !(answers[p.id] || {}).equivalent);
    go(found < 0 ? at : found);
  });
  $("expert").addEventListener("input", keep);
  $("save").addEventListener("click", () => {
    const text = JSON.stringify({ expert: $("expert").value.trim(), answers: answers }, null, 1);
    const name = $("expert").value.trim().replace(/[^\p{L}\p{N}_-]+/gu, "-") || "ratings";
    $("save").href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    $("save").download = name + ".json";
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { y: "yes", n: "no", u: "cannot judge" };
    const key = event.key.toLowerCase();
    if (keys[key]) { event.preventDefault(); answer(keys[key]); }
    else if (event.key === "ArrowLeft") go(at - 1);
    else if (event.key === "ArrowRight") go(at + 1);
  });
  show();
})();
