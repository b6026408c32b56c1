"use strict";
// Comfort on top of forms and links that work without it.
(() => {
  const typing = (event) => event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, .cm-editor");

  // Keys: an element with data-key is pressed by that key.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
    const target = document.querySelector(`[data-key-press="${CSS.escape(event.key)}"]`);
    if (!target || target.disabled) return;
    event.preventDefault();
    target.focus();
    target.click();
  });

  // A select with data-submit sends its form when it changes.
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  });

  // A button with data-confirm asks before it acts.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-confirm]");
    if (button && !window.confirm(button.dataset.confirm)) event.preventDefault();
  }, true);

  // What changed is said to screen readers after a part of the page was replaced.
  document.addEventListener("htmx:after:swap", (event) => {
    const focus = event.target?.querySelector?.("[data-focus]");
    if (focus) focus.focus();
  });
})();
