import type { ChatEvent } from '../types.ts';

/** Marks around a model's reasoning at the start of its text: DeepSeek and Qwen; prompted models; Gemini; Mistral. */
const marks = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<thought>', close: '</thought>' },
  { open: '[THINK]', close: '[/THINK]' },
] as const;
/** White space before the first word, in characters, that is held back in case a mark follows. */
const SPACE_LIMIT = 64;

/**
 * Separates the reasoning that many servers leave in a reply's text. Only a block at the very start counts, closed or
 * not: later ones might be what the reply is about. Nothing changes for services that send reasoning in its own field.
 * All other text stays exactly the same.
 */
export class LeadingThoughts {
  #state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  /** What might be the beginning of a mark. */
  #held = '';
  #close = '';
  #hasThought = false;

  /** The same events, with the reasoning separated. */
  split(events: readonly ChatEvent[]): readonly ChatEvent[] {
    if (this.#state === 'text' || events.length === 0) return events;
    const split: ChatEvent[] = [];
    for (const event of events) {
      if (event.type === 'text') this.#read(event.text, split);
      else {
        if (endsText(event)) split.push(...this.rest());
        split.push(event);
      }
    }
    return split;
  }

  /** What was held back; no more text follows. */
  rest(): readonly ChatEvent[] {
    const split: ChatEvent[] = [];
    const text = this.#held;
    this.#held = '';
    if (this.#state === 'thinking') this.#think(text, split);
    else if (text !== '') split.push({ type: 'text', text });
    this.#state = 'text';
    return split;
  }

  #read(text: string, split: ChatEvent[]): void {
    this.#held += text;
    if (this.#state === 'start') this.#start();
    if (this.#state === 'thinking') this.#readThought(split);
    if (this.#state === 'after') {
      this.#held = this.#held.trimStart();
      if (this.#held !== '') this.#state = 'text';
    }
    if (this.#state !== 'text' || this.#held === '') return;
    split.push({ type: 'text', text: this.#held });
    this.#held = '';
  }

  #start(): void {
    const text = this.#held.trimStart();
    const mark = marks.find(({ open }) => text.startsWith(open));
    if (mark !== undefined) {
      this.#state = 'thinking';
      this.#close = mark.close;
      this.#held = text.slice(mark.open.length);
    } else if (this.#held.length - text.length > SPACE_LIMIT || !marks.some(({ open }) => open.startsWith(text))) {
      this.#state = 'text';
    }
  }

  #readThought(split: ChatEvent[]): void {
    const end = this.#held.indexOf(this.#close);
    if (end === -1) {
      const kept = beginningAtEnd(this.#held, this.#close);
      this.#think(this.#held.slice(0, this.#held.length - kept), split);
      this.#held = this.#held.slice(this.#held.length - kept);
    } else {
      this.#think(this.#held.slice(0, end), split);
      this.#held = this.#held.slice(end + this.#close.length);
      this.#state = 'after';
    }
  }

  #think(thought: string, split: ChatEvent[]): void {
    const text = this.#hasThought ? thought : thought.trimStart();
    if (text === '') return;
    this.#hasThought = true;
    split.push({ type: 'reasoning', text });
  }
}

/** Whether this event ends the current text, or shows that its start isn't reasoning. */
function endsText({ type }: ChatEvent): boolean {
  return type === 'reasoning' || type === 'toolCall' || type === 'finish' || type === 'end';
}

/** Number of characters at the end of the text that could be the beginning of a mark. */
function beginningAtEnd(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
