import * as l10n from '@vscode/l10n';
import type { Token, Tokens } from 'marked';
import { decodeReferences, type ReferenceNames } from '../characterReferences.ts';
import type { FormulaToken } from '../stream/formulaToken.ts';
import { claimsOtherTarget, safeLink } from '../safeLink.ts';
import { isVisible } from './visibleToken.ts';

const MAX_TITLE_CHARS = 300;
const LINE_BREAK_TAG = /^<br\s*\/?>$/i;

/** Draws inline tokens: one node for each, so that a longer version can keep the nodes before it. */
export class InlineDrawer {
  readonly #names: ReferenceNames;
  /** Link targets. They aren't in the DOM, so that no browser default can follow them. */
  readonly #hrefs: WeakMap<Element, string>;
  readonly #newFormula: (token: FormulaToken) => Node;

  constructor(names: ReferenceNames, hrefs: WeakMap<Element, string>, newFormula: (token: FormulaToken) => Node) {
    this.#names = names;
    this.#hrefs = hrefs;
    this.#newFormula = newFormula;
  }

  decode(text: string): string {
    return decodeReferences(text, this.#names.decode);
  }

  draw(token: Token): Node {
    if (!isVisible(token)) return document.createTextNode(token.raw);
    switch (token.type) {
      case 'text':
        return this.#text(token);
      case 'escape':
        return document.createTextNode(token.text);
      case 'strong':
      case 'em':
      case 'del':
        return this.#element(token.type, token.tokens);
      case 'codespan':
        return withText('code', 'md-inline-code', token.text);
      case 'br':
        return document.createElement('br');
      case 'link':
        return this.#link(token);
      case 'image':
        return this.#image(token);
      case 'formula':
        return this.#newFormula(token);
      case 'html':
        // Models write <br> in table cells, where Markdown has no line break. All other HTML is text.
        return LINE_BREAK_TAG.test(token.raw) ? document.createElement('br') : document.createTextNode(token.raw);
      default:
        return document.createTextNode(token.raw);
    }
  }

  #text(token: Tokens.Text): Text {
    return document.createTextNode(token.escaped === true ? token.text : this.decode(token.text));
  }

  #element(name: 'strong' | 'em' | 'del' | 'span' | 'a', tokens: readonly Token[]): HTMLElement {
    const element = document.createElement(name);
    for (const token of tokens) element.append(this.draw(token));
    return element;
  }

  #link(token: Tokens.Link): Node {
    const isAutolink = token.autolink === true;
    const link = safeLink(isAutolink ? token.href : this.decode(token.href));
    if (isAutolink && link === undefined) return document.createTextNode(token.raw);
    const element = isAutolink
      ? withText('a', '', token.text)
      : this.#element(link === undefined ? 'span' : 'a', token.tokens);
    if (link === undefined) return element;
    if (claimsOtherTarget(element.textContent, link.target)) {
      element.append(withText('span', 'md-link-target', ` (${link.target})`));
    }
    return this.#asLink(element, link.href, link.target);
  }

  /** Never loaded, because a request would tell its host that someone is reading this. */
  #image(token: Tokens.Image): Node {
    const alt = this.#plainText(token.tokens).trim() || this.decode(token.title ?? '').trim();
    const link = safeLink(this.decode(token.href));
    if (link === undefined || link.target.includes('@')) {
      return withText('span', 'md-image', alt === '' ? l10n.t('Image') : l10n.t('Image: {0}', alt));
    }
    const label = alt === '' ? l10n.t('Image ({0})', link.target) : l10n.t('Image: {0} ({1})', alt, link.target);
    return this.#asLink(withText('a', 'md-image', label), link.href, link.target);
  }

  #asLink(element: HTMLElement, href: string, target: string): HTMLElement {
    element.classList.add('md-link');
    element.setAttribute('role', 'link');
    element.tabIndex = 0;
    element.title = `${target}\n${href.length > MAX_TITLE_CHARS ? `${href.slice(0, MAX_TITLE_CHARS)}…` : href}`;
    this.#hrefs.set(element, href);
    return element;
  }

  #plainText(tokens: readonly Token[]): string {
    return tokens
      .map((token) => {
        const children = 'tokens' in token ? token.tokens : undefined;
        if (children !== undefined) return this.#plainText(children);
        const text = 'text' in token && typeof token.text === 'string' ? token.text : '';
        return token.type === 'text' ? this.decode(text) : text;
      })
      .join('');
  }
}

export function withText<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  text: string,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.textContent = text;
  return element;
}
