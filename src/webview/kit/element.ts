type Attributes = Readonly<Record<string, string | boolean>>;

/** Creates an element. Text is added as text, never as markup. `false` leaves an attribute out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

/** A codicon, hidden from screen readers, because the control around it has a name. */
export function icon(name: string): HTMLSpanElement {
  return element('span', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

/** A small square button whose name is its tooltip. */
export function iconButton(iconName: string, name: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'icon-button', title: name, 'aria-label': name });
  button.append(icon(iconName));
  button.addEventListener('click', onClick);
  return button;
}

export function textButton(className: string, label: string, onClick: (event: MouseEvent) => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: className }, label);
  button.addEventListener('click', onClick);
  return button;
}

/** Sets text only if it differs: an unchanged node causes no layout and keeps the selection. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
