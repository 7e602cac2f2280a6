import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';
import { readPromptFile } from '../../../../src/core/prompts/promptFile.ts';

/* oxlint-disable no-template-curly-in-string -- slots of templates */
const remarksOf = async (text: string) =>
  (await readPromptFile(text)).remarks.map(({ severity, from, to }) => [severity, text.slice(from, to)]);

describe('A prompt file', () => {
  it('has settings and text', async () => {
    const text =
      '---\ndescription: "Makes it shorter"\nmodel: maker/model\ntemperature: 0.2\nmax_tokens: 800\ntarget: replace\nmode: agent\n---\n\n  Shorten:\n\n${selection}\n\n';
    assert.deepEqual(await readPromptFile(text), {
      description: 'Makes it shorter',
      target: 'replace',
      options: { model: 'maker/model', temperature: 0.2, maxTokens: 800 },
      template: '  Shorten:\n\n${selection}',
      remarks: [],
    });
  });

  it('needs no front matter', async () => {
    assert.deepEqual(await readPromptFile('Explain ${selection}'), {
      options: {},
      template: 'Explain ${selection}',
      remarks: [],
    });
    assert.equal((await readPromptFile('a\n---\nb\n---\n')).template, 'a\n---\nb\n---');
  });

  it('keeps the line breaks of its text', async () => {
    const file = await readPromptFile('---\r\ntarget: chat\r\n---\r\nOne\r\nTwo\r\n');
    assert.equal(file.template, 'One\r\nTwo');
    assert.equal(file.target, 'newChat');
  });

  it("can name a model of a service whose name has spaces, but not of one that doesn't exist", async () => {
    useServiceNames({ service: 'host.example', local: 'LM Studio' });
    try {
      const read = (model: string) => readPromptFile(`---\nmodel: ${model}\n---\nx`);
      assert.equal((await read('LM Studio/qwen/qwen3')).options.model, 'LM Studio/qwen/qwen3');
      const { options, remarks } = await read('LM Studo/qwen/qwen3');
      assert.equal(options.model, undefined);
      assert.deepEqual(
        remarks.map(({ severity, message }) => [severity, message]),
        [['error', 'No service is named "LM Studo".']],
      );
    } finally {
      useServiceNames({});
    }
  });

  it('marks each invalid value, at its place', async () => {
    assert.deepEqual(await remarksOf('---\ntemperature: hot\nmax_tokens: 1.5\ntarget: /etc/passwd\n---\nx'), [
      ['error', '1.5'],
      ['error', 'hot'],
      ['error', '/etc/passwd'],
    ]);
    assert.deepEqual(await remarksOf('---\ntemperature: -1\nmax_tokens: 0\ndescription: [1]\nmodel: 3\n---\nx'), [
      ['error', '[1]'],
      ['error', '3'],
      ['error', '0'],
      ['error', '-1'],
    ]);
  });

  it("marks what the current chat doesn't accept from it", async () => {
    assert.deepEqual(await remarksOf('---\ntarget: currentChat\nmodel: maker/model\ntemperature: 1\n---\nx'), [
      ['info', 'maker/model'],
      ['info', '1'],
    ]);
  });

  it('marks invalid YAML, and a front matter without an end', async () => {
    const [broken] = (await readPromptFile('---\ndescription: "open\n---\nx')).remarks;
    assert.equal(broken?.severity, 'error');
    assert.deepEqual(await remarksOf('---\ntarget: chat\nwords'), [['error', '---']]);
    assert.deepEqual(await remarksOf('---\n- a\n- b\n---\nx'), [['error', '- a\n- b']]);
  });

  it("isn't run if its front matter is huge, and that isn't even parsed", async () => {
    const withFrontMatter = (size: number) => `---\n${'description: "open'.padEnd(size - 1, ' ')}\n---\nx`;
    const [parsed] = (await readPromptFile(withFrontMatter(16 * 1024))).remarks;
    assert.match(parsed?.message ?? '', /YAML/);
    const file = await readPromptFile(withFrontMatter(16 * 1024 + 1));
    const message = "The block between the --- lines is larger than 16 KB, so it isn't read.";
    assert.deepEqual(file.remarks, [{ severity: 'error', message, from: 0, to: 3 }]);
    assert.deepEqual(file.options, {});
  });

  it("accepts VS Code's own fields and model names, but uses neither", async () => {
    const text = '---\nname: a\nagent: ask\ntools: [search]\nargument-hint: b\nmodel: GPT-5 (copilot)\n---\nx';
    assert.deepEqual(await remarksOf(text), [['info', 'GPT-5 (copilot)']]);
    assert.deepEqual((await readPromptFile(text)).options, {});
  });

  it('has no field for a host, a key, or a file to write', async () => {
    const text = '---\nbaseUrl: https://evil.example/v1\napiKey: k\noutput: ../../x\nsystemPrompt: y\n---\nx';
    const file = await readPromptFile(text);
    assert.deepEqual(
      { ...file, remarks: file.remarks.map(({ severity }) => severity) },
      {
        options: {},
        template: 'x',
        remarks: ['warning', 'warning', 'warning', 'warning'],
      },
    );
  });

  it('marks an unknown variable and an invisible character', async () => {
    assert.deepEqual(await remarksOf('Say ${nothing}'), [['info', '${nothing}']]);
    assert.deepEqual(await remarksOf('First\nSe\u202Econd\nThird'), [['warning', 'Se\u202Econd']]);
  });

  it('marks an empty one', async () => {
    assert.deepEqual(
      (await remarksOf('---\ntarget: chat\n---\n \n')).map(([severity]) => severity),
      ['error'],
    );
    assert.deepEqual(
      (await remarksOf('')).map(([severity]) => severity),
      ['error'],
    );
  });

  it('survives an alias bomb', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `a${index}: &a${index} [${`*a${index - 1}, `.repeat(9)}1]`);
    const text = `---\n${lines.join('\n').replaceAll('*a-1, ', '')}\ndescription: *a19\n---\nx`;
    const file = await readPromptFile(text);
    assert.equal(file.template, 'x');
    assert.equal(file.description, undefined);
  });

  it('reads anything without throwing, with every remark inside the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string(), async (front, body) => {
        const text = `---\n${front}\n---\n${body}`;
        for (const { from, to } of (await readPromptFile(text)).remarks) {
          assert.ok(from >= 0 && from <= to && to <= text.length, `${from} ${to} ${text.length}`);
        }
      }),
    );
  });
});
