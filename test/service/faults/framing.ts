import type { Fault } from './faultScript.ts';
import type { Spoken } from './spoken.ts';

/** Valid responses in every form that the event stream format allows, and some that it merely tolerates. */
export const framing: readonly Fault[] = [
  {
    name: 'crlf',
    description: 'Valid response; lines end with CR LF, and pieces are cut between the two.',
    answer: (say) => ({ pieces: cutAfter(say.whole.replaceAll('\n', '\r\n'), '\r\n\r') }),
  },
  {
    name: 'cr',
    description: 'Valid response; lines end with CR alone.',
    answer: (say) => ({ pieces: [say.whole.replaceAll('\n', '\r')] }),
  },
  {
    name: 'mixed-line-ends',
    description: 'Valid response; lines end with LF, CR LF, and CR in turn.',
    answer: (say) => ({ pieces: [mixLineEnds(say.whole)] }),
  },
  {
    name: 'bom',
    description: 'Valid response that starts with a byte order mark.',
    answer: (say) => ({ pieces: ['\uFEFF', say.whole] }),
  },
  {
    name: 'no-space',
    description: 'Valid response; no space after the colon of `data:`.',
    answer: (say) => ({ pieces: [say.whole.replaceAll('data: ', 'data:')] }),
  },
  {
    name: 'fields',
    description: 'Valid response between comments, `event`, `id`, `retry`, and unknown fields.',
    answer: (say) => ({
      pieces: [
        `: good morning\n\nevent: message\nid: 1\nretry: 3000\n${say.role}`,
        `:\nunknown: field\nnothing\n${say.first}: in between\n\nid\n${say.second}${say.finish}${say.done}`,
      ],
    }),
  },
  {
    name: 'multi-line',
    description: 'Valid response; each event is spread over several `data` lines.',
    answer: (say) => ({ pieces: [spread(say)] }),
  },
  {
    name: 'empty-data',
    description: 'Valid response with empty `data` lines in between.',
    answer: (say) => ({
      pieces: [`data:\n\n${say.role}data: \n\n${say.first}data\n\n${say.second}${say.finish}${say.done}`],
    }),
  },
  {
    name: 'split-characters',
    description: 'Valid response; pieces are cut inside characters of several bytes.',
    answer: (say) => ({ pieces: cutInsideCharacters(say.whole) }),
  },
  {
    name: 'invalid-utf8',
    description: "Valid response, but for two bytes in the text that aren't UTF-8.",
    answer: (say) => {
      const [before, after] = say.text('\u0000').split('\\u0000');
      const bytes = Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xff, 0xc3]), Buffer.from(after ?? '')]);
      return { pieces: [say.role + say.first, bytes, say.second + say.finish + say.done] };
    },
  },
];

/** Cuts after each `mark`. */
function cutAfter(text: string, mark: string): string[] {
  const parts = text.split(mark);
  return parts.map((part, index) => (index < parts.length - 1 ? part + mark : part)).filter((part) => part !== '');
}

function mixLineEnds(text: string): string {
  // The last two must not be CR and LF in a row: those would be one line ending.
  const ends = ['\n', '\r\n', '\r', '\r'];
  let line = 0;
  return text.replaceAll('\n', () => ends[line++ % ends.length] ?? '\n');
}

function spread(say: Spoken): string {
  const events = [say.role, say.first, say.second, say.finish];
  return events.map((event) => event.replaceAll(/,(?="[a-z_]+":)/g, ',\ndata: ')).join('') + say.done;
}

function cutInsideCharacters(text: string): Uint8Array[] {
  const bytes = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  let start = 0;
  bytes.forEach((byte, index) => {
    // 10xxxxxx: not the first byte of its character.
    if ((byte & 0b1100_0000) !== 0b1000_0000) return;
    pieces.push(bytes.subarray(start, index));
    start = index;
  });
  return [...pieces, bytes.subarray(start)];
}
