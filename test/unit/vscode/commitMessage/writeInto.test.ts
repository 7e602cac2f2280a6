import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../../src/api/types.ts';
import { writeInto } from '../../../../src/vscode/commitMessage/writeInto.ts';

/** Texts one after another; something can happen before each. */
async function* replying(
  texts: readonly string[],
  before: (index: number) => unknown = () => {},
  complete = true,
): AsyncGenerator<ChatEvent> {
  for (const [index, text] of texts.entries()) {
    await Promise.resolve();
    before(index);
    yield { type: 'text', text };
  }
  yield { type: 'end', complete };
}

/** A box like VS Code's: each written value is echoed when the test says so. */
class EchoingBox {
  readonly #echoes: string[] = [];
  #shown: string;

  constructor(value: string) {
    this.#shown = value;
  }

  get value(): string {
    return this.#shown;
  }

  set value(value: string) {
    this.#shown = value;
    this.#echoes.push(value);
  }

  /** The box has the value that was echoed next, although a later one has been written. */
  echo(): void {
    this.#shown = this.#echoes.shift() ?? this.#shown;
  }

  type(value: string): void {
    this.#shown = value;
  }
}

/** Shows every token. */
const write: typeof writeInto = (box, start) => writeInto(box, start, 0);

/** A box in VS Code's window: what each side writes reaches the other later, and the window's own text is what counts. */
class DistantBox {
  /** What the user sees. */
  shown = '';
  #known = '';
  #toWindow: string[] = [];
  #toHost: string[] = [];

  get value(): string {
    return this.#known;
  }

  set value(value: string) {
    this.#known = value;
    this.#toWindow.push(value);
  }

  type(value: string): void {
    this.#show(value);
  }

  /** Everything that is under way arrives, first in the window. */
  deliver(): void {
    for (const value of this.#toWindow.splice(0)) this.#show(value);
    this.#known = this.#toHost.splice(0).at(-1) ?? this.#known;
  }

  #show(value: string): void {
    this.shown = value;
    this.#toHost.push(value);
  }
}

describe('Writing a message into the box', () => {
  it('shows it as it grows', async () => {
    const seen: string[] = [];
    const box = { value: '' };
    const { outcome } = await write(box, () => replying(['Fix', ' the', ' parser'], () => seen.push(box.value)));
    assert.deepEqual([outcome, box.value, seen], ['written', 'Fix the parser', ['', 'Fix', 'Fix the']]);
  });

  it('restores the old text if it fails or is stopped', async () => {
    const box = { value: 'my words' };
    const failing = () =>
      replying(['Fix', ' it'], (index) => {
        if (index === 1) throw new Error('lost');
      });
    await assert.rejects(write(box, failing), /lost/);
    assert.equal(box.value, 'my words');
  });

  it('leaves the box to a user who types, and ends the request', async () => {
    const box = { value: '' };
    let signal: AbortSignal | undefined;
    const { outcome } = await write(box, (leave) => {
      signal = leave;
      return replying(['Fix', ' the', ' parser'], (index) => {
        if (index === 2) box.value = 'Mine';
      });
    });
    assert.deepEqual([outcome, box.value, signal?.aborted], ['left', 'Mine', true]);
  });

  it('leaves the box unchanged if nothing arrived', async () => {
    const box = { value: 'mine' };
    assert.equal((await write(box, () => replying(['```', '\n', '```']))).outcome, 'empty');
    assert.equal(box.value, 'mine');
  });

  it("doesn't mistake a late echo for typing", async () => {
    const box = new EchoingBox('my words');
    const written = await write(box, () => replying(['Fix', ' the', ' parser', '\r\nNow'], (i) => i > 1 && box.echo()));
    assert.deepEqual(written, { outcome: 'written', message: 'Fix the parser\nNow' });
    assert.equal(box.value, written.message);
  });

  it('restores the old text although an older value has just been echoed', async () => {
    const box = new EchoingBox('my words');
    const failing = () =>
      replying(['Fix', ' it', ' now'], (index) => {
        if (index < 2) return;
        box.echo();
        assert.equal(box.value, 'Fix');
        throw new Error('lost');
      });
    await assert.rejects(write(box, failing), /lost/);
    assert.equal(box.value, 'my words');
  });

  it('leaves the box to a user who types between two echoes', async () => {
    const box = new EchoingBox('');
    const typing = (index: number) => {
      if (index === 2) box.echo();
      if (index === 3) box.type('Fix the lexer');
    };
    const { outcome } = await write(box, () => replying(['Fix', ' the', ' parser', ' of'], typing));
    assert.deepEqual([outcome, box.value], ['left', 'Fix the lexer']);
  });

  it('leaves the box to a user who types while a fast reply is written', async () => {
    const box = new DistantBox();
    const typing = (index: number) => {
      if (index === 10) box.type('Mine');
      box.deliver();
    };
    const tokens = Array.from({ length: 30 }, (_, index) => ` word${index}`);
    // No second value, however long this takes.
    const { outcome } = await writeInto(box, () => replying(tokens, typing), Infinity);
    assert.deepEqual([outcome, box.shown], ['left', 'Mine']);
  });

  it('shows the whole message in the end, even if it skips some of its parts', async () => {
    const seen: string[] = [];
    const box = { value: '' };
    const parts = () => replying(['Fix', ' the', ' parser'], () => seen.push(box.value));
    const { outcome } = await writeInto(box, parts, Infinity);
    assert.deepEqual([outcome, box.value, seen], ['written', 'Fix the parser', ['', 'Fix', 'Fix']]);
  });

  it('leaves the box empty for a user who empties it', async () => {
    const box = { value: '' };
    const { outcome } = await write(box, () => replying(['Fix', ' it'], (index) => index === 1 && (box.value = '')));
    assert.deepEqual([outcome, box.value], ['left', '']);
  });

  it('reports that a reply was cut off, with its finish reason', async () => {
    const box = { value: '' };
    const cut = await write(box, () => replying(['Fix the par'], () => {}, false));
    assert.deepEqual(cut, { outcome: 'incomplete', message: 'Fix the par' });
    async function* long(): AsyncGenerator<ChatEvent> {
      yield { type: 'text', text: 'Fix the' };
      yield { type: 'finish', reason: 'max_tokens' };
      yield { type: 'end', complete: false };
    }
    const atLimit = await write({ value: '' }, long);
    assert.deepEqual(atLimit, { outcome: 'incomplete', message: 'Fix the', finishReason: 'max_tokens' });
  });
});
