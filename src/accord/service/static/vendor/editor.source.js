// Makes an editor of every textarea with data-editor="python"; without it the textarea works as it is.
import {EditorView, basicSetup} from "codemirror";
import {keymap} from "@codemirror/view";
import {indentWithTab} from "@codemirror/commands";
import {HighlightStyle, syntaxHighlighting, indentUnit} from "@codemirror/language";
import {python} from "@codemirror/lang-python";
import {tags as t} from "@lezer/highlight";

const nonce = document.querySelector("meta[name=style-nonce]").content;
const colours = HighlightStyle.define([
  {tag: t.keyword, color: "var(--accent)", fontWeight: "600"},
  {tag: [t.string, t.special(t.string)], color: "var(--code-string)"},
  {tag: t.comment, color: "var(--soft)", fontStyle: "italic"},
  {tag: [t.number, t.bool, t.null], color: "var(--code-number)"},
  {tag: [t.definition(t.variableName), t.function(t.definition(t.variableName))], fontWeight: "600"},
]);
const look = EditorView.theme({
  "&": {backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "3px", fontSize: "13px"},
  "&.cm-focused": {outline: "2px solid var(--accent)", outlineOffset: "1px"},
  ".cm-content": {fontFamily: "var(--mono)", caretColor: "var(--ink)", minHeight: "14em"},
  ".cm-cursor": {borderLeftColor: "var(--ink)"},
  ".cm-gutters": {backgroundColor: "var(--sunk)", color: "var(--soft)", borderRight: "1px solid var(--line)"},
  ".cm-activeLine, .cm-activeLineGutter": {backgroundColor: "transparent"},
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {backgroundColor: "var(--tint) !important"},
  ".cm-matchingBracket": {backgroundColor: "var(--tint) !important", color: "inherit !important"},
  ".cm-panels, .cm-tooltip": {backgroundColor: "var(--sunk)", color: "var(--ink)"},
});

document.querySelectorAll("textarea[data-editor=python]").forEach((area) => {
  const changed = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    area.value = update.state.doc.toString();
    area.dispatchEvent(new Event("input", {bubbles: true}));
  });
  const view = new EditorView({
    doc: area.value,
    extensions: [
      basicSetup, keymap.of([indentWithTab]), indentUnit.of("    "), python(), syntaxHighlighting(colours), look,
      EditorView.cspNonce.of(nonce), changed, EditorView.lineWrapping,
      EditorView.contentAttributes.of({"aria-label": area.getAttribute("aria-label") || "Python code"}),
    ],
  });
  area.hidden = true;
  area.after(view.dom);
  view.dom.addEventListener("keydown", (event) => { if (event.key === "Escape") document.querySelector("#after-editor")?.focus(); });
});
