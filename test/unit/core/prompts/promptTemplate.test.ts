import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { builtInPrompts } from '../../../../src/core/prompts/builtInPrompts.ts';
import {
  contextsIn,
  fenceFor,
  fillTemplate,
  needsSelection,
  templateSlots,
} from '../../../../src/core/prompts/promptTemplate.ts';

/* oxlint-disable no-template-curly-in-string -- slots of templates */
describe('A prompt template', () => {
  it('is filled variable by variable, and every other byte stays', () => {
    const template = 'A\r\n${selection}\t${input:tone:How? }$ {x} ${selection}\n';
    const filled = fillTemplate(template, (slot) => (slot.kind === 'input' ? `<${slot.name}|${slot.hint}>` : 'SEL'));
    assert.equal(filled, 'A\r\nSEL\t<tone|How?>$ {x} SEL\n');
  });

  it('never searches a value for variables', () => {
    const filled = fillTemplate('${selection}', () => '${clipboard} $& $1');
    assert.equal(filled, '${clipboard} $& $1');
  });

  it("leaves alone what isn't one of our variables", () => {
    const template = 'const a = `${name}`; ${input:} ${}';
    assert.equal(
      fillTemplate(template, (slot) => (slot.kind === 'unknown' ? undefined : 'x')),
      template,
    );
    assert.deepEqual(
      templateSlots(template).map(({ kind }) => kind),
      ['unknown'],
    );
  });

  it('is as long as its parts and values', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (parts) => {
        const texts = parts.map(([text]) => text.replaceAll('$', ''));
        const template = texts.map((text) => `${text}\${selection}`).join('');
        let index = 0;
        const filled = fillTemplate(template, () => parts[index++]?.[1]);
        assert.equal(filled, parts.map(([, value], at) => (texts[at] ?? '') + value).join(''));
      }),
    );
  });

  it("says whether it's about the selection", () => {
    assert.equal(needsSelection('Hello ${file}'), false);
    assert.equal(needsSelection('${selectedText}'), true);
  });

  it('lists the attachments that it sends whole, each once', () => {
    assert.deepEqual(contextsIn('${gitStaged} ${selection} ${fileContent} ${gitStaged} ${gitStagedx}'), [
      'fileContent',
      'gitStaged',
    ]);
  });

  it('creates a fence that nothing in the text can close', () => {
    assert.equal(fenceFor('plain'), '```');
    assert.equal(fenceFor('a ```` b'), '`````');
  });

  it('has variables of bounded length, so that a text full of openings takes linear time', () => {
    const hint = 'x'.repeat(256);
    assert.equal(templateSlots(`\${input:a:${hint}}`).length, 1);
    assert.equal(templateSlots(`\${input:a:${hint}x}`).length, 0);
    assert.equal(templateSlots('${input:a:'.repeat(200_000)).length, 0);
  });
});

describe('The built-in prompts', () => {
  it('send the selection in a fence, and all of them only use existing variables', () => {
    const prompts = Object.values(builtInPrompts());
    assert.equal(prompts.length, 7);
    for (const { template, title } of prompts) {
      assert.ok(template.endsWith('\n\n${fence}${languageId}\n${selection}\n${fence}'), title);
      assert.ok(!templateSlots(template).some(({ kind }) => kind === 'unknown'), title);
    }
  });
});
