// Builds elements; text is always text, never HTML.

type Attributes = Readonly<Record<string, string | boolean>>;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "string") made.setAttribute(key, value);
    else made.toggleAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** A field below its label, with a hint between them. */
export function labelled(label: string, field: HTMLElement, hint = ""): HTMLElement {
  const words = element("label", { for: field.id }, label);
  if (hint === "") return element("div", { class: "row" }, words, field);
  field.setAttribute("aria-describedby", `${field.id}-hint`);
  return element("div", { class: "row" }, words, element("p", { id: `${field.id}-hint`, class: "hint" }, hint), field);
}

/** A box or a dot before its label. */
export function choice(
  type: "checkbox" | "radio",
  attributes: Attributes,
  label: string,
): HTMLLabelElement {
  return element("label", { class: "choice" }, element("input", { type, ...attributes }), label);
}

export function button(label: string, press: () => void, kind = "plain"): HTMLButtonElement {
  const made = element("button", { type: "button", class: kind }, label);
  made.addEventListener("click", press);
  return made;
}
