import type { CompletionView } from '../../../shared/attachment.ts';
import type { PromptRow, ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { element } from '../../kit/element.ts';
import type { CompletionList } from './completionList.ts';
import type { ContextRow } from './messageLists.ts';

/** What the lists need from the composer. */
export interface ListSurroundings {
  readonly post: (message: ToHost) => void;
  readonly say: (text: string) => void;
  /** Adds the selected item to the message. */
  readonly add: (item: CompletionView) => void;
}

interface Lists {
  readonly context: CompletionList<ContextRow>;
  readonly contextRow: (item: CompletionView) => ContextRow;
  readonly prompts: CompletionList<PromptRow>;
}

// A `#` at the start of a word, with the word so far.
const hashWord = /(?:^|\s)#([\p{L}\p{N}._/-]{0,60})$/u;

// A `/` and a word that are the whole message: a path has another slash, and a sentence continues.
const slashWord = /^\/([\p{L}\p{N}._-]{0,60})$/u;

// A prompt's name can have spaces, and then it looks like the beginning of a sentence.
const slashWords = /^\/([\p{L}\p{N}._-][\p{L}\p{N}\p{M} ._-]{0,79})$/u;

/** The lists that `#` and `/` open above the text. Loaded when they're first needed. */
export class ComposerLists {
  readonly element = element('div', {});
  readonly #box: HTMLTextAreaElement;
  readonly #around: ListSurroundings;
  #lists: Lists | undefined;
  #isLoading = false;
  /** While the prompts for the typed text aren't known: whether Enter has been pressed, which then runs the first. */
  #due: { isEntered: boolean } | undefined;

  constructor(box: HTMLTextAreaElement, around: ListSurroundings) {
    this.#box = box;
    this.#around = around;
    box.addEventListener('blur', () => this.#close());
  }

  /** The text changed, so one of the lists might have to open. */
  typed(): void {
    const { context, prompt } = this.#words();
    if (context === undefined) this.#lists?.context.close();
    if (prompt === undefined) this.#lists?.prompts.close();
    this.#due = prompt === undefined ? undefined : { isEntered: false };
    if (this.#lists !== undefined) this.#ask(this.#lists);
    else if (context !== undefined || prompt !== undefined) void this.#load();
  }

  completeContext(request: number, items: readonly CompletionView[]): void {
    this.#lists?.context.show(request, items.map(this.#lists.contextRow));
  }

  completePrompt(request: number, rows: readonly PromptRow[]): void {
    if (this.#lists?.prompts.show(request, rows) !== true) return;
    const isEntered = this.#due?.isEntered === true;
    this.#due = undefined;
    if (isEntered) this.#lists.prompts.takeFirst();
  }

  /** @returns true if a list handled the key */
  keyDown(event: KeyboardEvent): boolean {
    if (event.key === 'Escape') this.#due = undefined;
    if (this.#waitsAfter(event)) return true;
    return this.#lists?.context.keyDown(event) === true || this.#lists?.prompts.keyDown(event) === true;
  }

  /** The text of a `/` isn't a question yet. A second Enter sends it anyway, in case no result ever arrives. */
  #waitsAfter(event: KeyboardEvent): boolean {
    const { key, shiftKey, ctrlKey, metaKey, altKey, repeat } = event;
    if (this.#due === undefined || key !== 'Enter' || shiftKey || ctrlKey || metaKey || altKey) return false;
    if (this.#due.isEntered && !repeat) return false;
    this.#due.isEntered = true;
    event.preventDefault();
    return true;
  }

  #close(): void {
    this.#due = undefined;
    this.#lists?.context.close();
    this.#lists?.prompts.close();
  }

  #ask(lists: Lists): void {
    const { context, prompt } = this.#words();
    if (context !== undefined) lists.context.ask(context);
    if (prompt !== undefined) lists.prompts.ask(prompt);
  }

  /** What is typed after a `#` before the cursor, and after a `/` that starts the message. */
  #words(): { readonly context: string | undefined; readonly prompt: string | undefined } {
    const { value, selectionStart, selectionEnd } = this.#box;
    return {
      context: selectionStart === selectionEnd ? hashWord.exec(value.slice(0, selectionStart))?.[1] : undefined,
      prompt: selectionStart === value.length ? (slashWord.exec(value)?.[1] ?? this.#spacedName(value)) : undefined,
    };
  }

  /** Words after a `/` that are in the name of a listed prompt, or might be as long as the list isn't known. */
  #spacedName(text: string): string | undefined {
    const typed = slashWords.exec(text)?.[1];
    if (typed === undefined) return undefined;
    const rows = this.#lists?.prompts.rows ?? [];
    const isListed = rows.some(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
    return isListed || (rows.length === 0 && this.#due !== undefined) ? typed : undefined;
  }

  /** Loads the lists, and asks what fits the text as it is by then: the word might be complete. */
  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      this.#lists = await this.#create();
      this.#ask(this.#lists);
    } finally {
      // A script that couldn't be loaded is requested again at the next character.
      this.#isLoading = false;
    }
  }

  async #create(): Promise<Lists> {
    const { contextCompletion, contextRow, promptCompletion } = await import('./messageLists.ts');
    const { post, say, add } = this.#around;
    const context = contextCompletion(this.#box, {
      ask: (request, typed) => post({ type: 'complete', request, typed }),
      take: add,
      say,
    });
    const prompts = promptCompletion(this.#box, {
      ask: (request, typed) => post({ type: 'completePrompt', request, typed }),
      run: (row) => post({ type: 'runPrompt', row }),
      say,
    });
    this.element.append(context.element, prompts.element);
    return { context, contextRow, prompts };
  }
}
