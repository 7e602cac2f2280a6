import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { chatBody, chatRequest, effectiveOptions } from '../../src/core/chat/chatRequest.ts';
import { mediaRequest } from '../../src/core/media/mediaRequest.ts';
import { readPromptFile } from '../../src/core/prompts/promptFile.ts';
import { chatParameterFields, chatParameterNames, chatParameters } from '../../src/shared/chatParameters.ts';
import { fieldsOf, type MediaKind, mediaKinds } from '../../src/shared/media.ts';
import { type NumberKind, isWithin, numberKinds } from '../../src/shared/numberKinds.ts';
import { parametersOf } from '../../src/webview/media/parameters.ts';

const ofKind = (kind: NumberKind) =>
  fc
    .oneof(fc.constantFrom(0, 0.5, 1, 2, 800), fc.integer(), fc.double({ noNaN: true }))
    .filter((value) => isWithin(value, numberKinds[kind]))
    // JSON and YAML have no negative zero.
    .map((value) => value + 0);
const numbers = fc.record(
  Object.fromEntries(chatParameterNames.map((name) => [name, ofKind(chatParameters[name].kind)])),
  { requiredKeys: [] },
);
const sent = (set: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    chatParameterNames.filter((name) => name in set).map((name) => [chatParameters[name].wire, set[name]]),
  );

describe("What isn't set", () => {
  it("isn't sent with a chat, and what is set is, whoever sends it", () => {
    fc.assert(
      fc.property(numbers, numbers, fc.boolean(), (own, defaults, stream) => {
        const expected = { model: 'm', messages: [], stream, ...sent({ ...defaults, ...own }) };
        const options = effectiveOptions(own, { ...defaults, stream });
        assert.deepEqual(chatRequest('m', options, []), expected);
        assert.deepEqual(chatBody('m', options, []), expected);
      }),
    );
  });

  it("isn't sent with a prompt whose file doesn't set it", async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (set) => {
        const lines = Object.entries(sent(set)).map(([name, value]) => `${name}: ${String(value)}\n`);
        const { options, remarks } = await readPromptFile(`---\ntarget: chat\n${lines.join('')}---\nHello`);
        assert.deepEqual(remarks, []);
        assert.deepEqual(chatBody('m', options, []), { model: 'm', messages: [], stream: true, ...sent(set) });
      }),
    );
  });

  it("isn't sent with an image or a video: each field of the form is a field of the request, or nothing", async () => {
    for (const kind of mediaKinds) {
      await fc.assert(fc.asyncProperty(fc.subarray([...fieldsOf(kind)]), (rows) => sendsOnly(kind, rows)));
    }
  });

  it('is left out in one place: no other file assembles a chat request or names its fields', async () => {
    const found: string[] = [];
    for await (const path of glob(`${root}**/*.ts`)) {
      const name = relative(root, path).replaceAll('\\', '/');
      found.push(...byHand(name, await readFile(path, 'utf8')));
    }
    assert.deepEqual(found, []);
  });

  it('is guarded by a check that finds a request assembled by hand', () => {
    const source = 'const body = { model, messages, ...(t && { top_p: t }) }; const other = { model };';
    assert.deepEqual(byHand('a.ts', source), ['a.ts: { model, messages, ...(t && { top_p: t }) }', 'a.ts: top_p']);
  });
});

const root = fileURLToPath(new URL('../../src/', import.meta.url));

const places: Readonly<Record<string, string>> = {
  'api/operations/chatCompletion.ts': 'a request that is sent again, whose limit had another name',
  'core/chat/chatRequest.ts': 'the one place',
  'shared/chatParameters.ts': 'the table',
  'shared/replyEnding.ts': 'finish reasons, one of which has the name of a field',
};

function byHand(name: string, source: string): readonly string[] {
  const found: string[] = [];
  if (Object.hasOwn(places, name)) return found;
  // Names that only a request has: others are also words of Parlance.
  const fields = chatParameterFields.filter((field) => field.includes('_'));
  const note = ({ start, end }: Node) => found.push(`${name}: ${source.slice(start, end)}`);
  // Most files need no parsing.
  if (!['messages', ...fields].some((word) => source.includes(word))) return found;
  new Visitor({
    ObjectExpression: (node) => {
      const keys = node.properties.map((each) =>
        each.type === 'Property' && each.key.type === 'Identifier' ? each.key.name : '',
      );
      // One in schemas checks a body that is resent unchanged.
      const isSchema = /\bmessages: v\./.test(source.slice(node.start, node.end));
      if (keys.includes('model') && keys.includes('messages') && !isSchema) note(node);
    },
    Identifier: (node) => {
      if (fields.some((field) => field === node.name)) note(node);
    },
  }).visit(parseSync(name, source).program);
  return found;
}

async function sendsOnly(kind: MediaKind, set: ReturnType<typeof fieldsOf>): Promise<void> {
  const texts: Record<string, string> = { model: 'm', prompt: 'p' };
  const inputs: Record<string, { readonly kind: 'address'; readonly url: string }> = {};
  const expected: Record<string, unknown> = { model: 'm' };
  for (const row of fieldsOf(kind)) if (row.type === 'prompt') expected[row.wire] = 'p';
  for (const row of set) {
    switch (row.type) {
      case 'prompt':
        break;
      case 'word':
        expected[row.wire] = texts[row.name] = 'w';
        break;
      case 'number':
        texts[row.name] = '3';
        expected[row.wire] = 3;
        break;
      case 'size':
        texts[row.name] = '64x48';
        Object.assign(expected, { width: 64, height: 48 });
        break;
      case 'input':
        inputs[row.name] = { kind: 'address', url: 'https://files.test/a' };
        expected[row.wire] = 'https://files.test/a';
        break;
      case 'choice':
        texts[row.name] = 'off';
        expected[row.wire] = false;
        break;
    }
  }
  const parsed = parametersOf(kind, { texts, inputs });
  assert.ok(parsed.kind === 'fine', JSON.stringify(parsed));
  const addressOf = (input: { readonly kind: string }) => Promise.resolve('url' in input ? String(input.url) : '');
  assert.deepEqual(await mediaRequest(parsed.parameters, addressOf), expected);
}
