import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LeadingThoughts } from '../../../../src/api/wire/leadingThoughts.ts';
import type { ChatEvent } from '../../../../src/api/types.ts';

interface Parts {
  readonly text: string;
  readonly reasoning: string;
}

/** The result for a text that arrives in these pieces. */
function partsOf(pieces: readonly string[]): Parts {
  const thoughts = new LeadingThoughts();
  const parts = { text: '', reasoning: '' };
  const take = (events: readonly ChatEvent[]) => {
    for (const event of events)
      if (event.type === 'text' || event.type === 'reasoning') parts[event.type] += event.text;
  };
  for (const text of pieces) take(thoughts.split([{ type: 'text', text }]));
  take(thoughts.split([{ type: 'end', complete: true }]));
  return parts;
}

/** The same, calculated in another way. */
function expected(text: string): Parts {
  const match = /^\s{0,64}(?:<(think|thinking|thought)>|\[(THINK)\])/.exec(text);
  if (match === null) return { text, reasoning: '' };
  const close = match[2] === undefined ? `</${match[1]}>` : '[/THINK]';
  const rest = text.slice(match[0].length);
  const end = rest.indexOf(close);
  if (end === -1) return { text: '', reasoning: rest.trimStart() };
  return { text: rest.slice(end + close.length).trimStart(), reasoning: rest.slice(0, end).trimStart() };
}

const word = fc.constantFrom(
  ...['<think>', '</think>', '<thinking>', '</thinking>', '<thought>', '</thought>', '[THINK]', '[/THINK]'],
  ...['<', '</', '<thin', 'k>', '[', ' ', '\n', '\n\n', 'Hm', 'so: ', '世界', '👩‍💻', '<b>', '```xml\n'],
);
const written = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));

describe('Reasoning at the start of a text', () => {
  it('is separated from the rest, however the text is cut, and nothing else changes', () => {
    const cuts = fc.array(fc.nat(), { maxLength: 20 });
    fc.assert(
      fc.property(written, cuts, (text, places) => {
        const at = [0, ...places.map((place) => place % (text.length + 1)), text.length].toSorted((a, b) => a - b);
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        assert.deepEqual(partsOf(pieces), expected(text));
        assert.deepEqual(partsOf(Array.from(text)), expected(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('arrives as reasoning before its end is known', () => {
    const thoughts = new LeadingThoughts();
    assert.deepEqual(thoughts.split([{ type: 'text', text: '<think>\nFirst' }]), [
      { type: 'reasoning', text: 'First' },
    ]);
    assert.deepEqual(thoughts.split([{ type: 'text', text: ', then </th' }]), [{ type: 'reasoning', text: ', then ' }]);
    assert.deepEqual(thoughts.split([{ type: 'text', text: 'ink>\n\nHello' }]), [{ type: 'text', text: 'Hello' }]);
    assert.deepEqual(thoughts.split([{ type: 'text', text: ' <think>' }]), [{ type: 'text', text: ' <think>' }]);
  });

  it('is left alone in the middle of a text, and if a service has a field for reasoning', () => {
    assert.deepEqual(partsOf(['Use <think>a</think> here']), { text: 'Use <think>a</think> here', reasoning: '' });
    const thoughts = new LeadingThoughts();
    const events: readonly ChatEvent[] = [
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: '<think>a</think>b' },
    ];
    assert.deepEqual(thoughts.split(events), events);
  });

  it('keeps what was held back if a reply breaks off', () => {
    const thoughts = new LeadingThoughts();
    assert.deepEqual(thoughts.split([{ type: 'text', text: ' <thi' }]), []);
    assert.deepEqual(thoughts.rest(), [{ type: 'text', text: ' <thi' }]);
  });
});
