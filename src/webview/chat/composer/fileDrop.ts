import * as l10n from '@vscode/l10n';
import { element, icon } from '../../kit/element.ts';

/** What receives the files. */
export interface FileTaker {
  addFiles(files: readonly File[]): Promise<void>;
  addDropped(uris: readonly string[]): void;
  /** Puts the cursor where the user types the question. */
  focus(): void;
}

/** Accepts files that are dropped anywhere on the page: VS Code's own by their URIs, others with their content. */
export class FileDrop {
  /** Shown over the page while something that can be dropped is above it. */
  readonly element = element(
    'div',
    { class: 'drop-hint', hidden: true },
    element('div', { class: 'drop-words' }, icon('add'), l10n.t('Drop to add to the message')),
  );
  readonly #taker: FileTaker;

  constructor(page: HTMLElement, taker: FileTaker) {
    this.#taker = taker;
    page.addEventListener('dragenter', (event) => this.#over(event));
    page.addEventListener('dragover', (event) => this.#over(event));
    page.addEventListener('dragleave', (event) => {
      if (!(event.relatedTarget instanceof Node) || !page.contains(event.relatedTarget)) this.element.hidden = true;
    });
    page.addEventListener('drop', (event) => this.#dropped(event));
  }

  #over(event: DragEvent): void {
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes('Files') && !types.some(isUriList)) return;
    event.preventDefault();
    // VS Code would take a file from outside away from the page, unless Shift is held, as soon as its own listener on
    // the window receives this.
    event.stopPropagation();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    this.element.hidden = false;
  }

  #dropped(event: DragEvent): void {
    this.element.hidden = true;
    const data = event.dataTransfer;
    if (data === null) return;
    const list = data.types.find(isUriList);
    const uris = list === undefined ? [] : uriLines(data.getData(list));
    const files = [...data.files];
    if (uris.length === 0 && files.length === 0) return;
    event.preventDefault();
    this.#taker.focus();
    if (files.length > 0) void this.#taker.addFiles(files);
    else this.#taker.addDropped(uris);
  }
}

function isUriList(type: string): boolean {
  return type === 'application/vnd.code.uri-list' || type === 'text/uri-list';
}

function uriLines(list: string): readonly string[] {
  return list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
