import assert from 'node:assert/strict';
import { caseMessages } from '../../../../src/core/checks/caseMessages.ts';
import type { CheckCase, CheckInput } from '../../../../src/core/checks/checksFile.ts';

const caseOf = (input: CheckInput, vars: Readonly<Record<string, string>> = {}): CheckCase => ({
  id: 'a',
  name: 'a',
  input,
  vars,
  expectations: [],
  from: 0,
  to: 1,
});

describe('What is sent for a case', () => {
  it("is the prompt with the case's selection, file, and variables", () => {
    const input = { kind: 'prompt', promptFile: 'p', file: 'src/a.test.ts', selection: 'let x = `1`;' } as const;
    const template =
      '${input:tone:How?} ${languageId} ${relativeFile} ${fileBasenameNoExtension} ${fileDirname}\n${fence}\n${selection}\n${fence}\n${unknown}';
    assert.deepEqual(caseMessages(caseOf(input, { tone: 'Kindly' }), { template, language: 'typescript' }), {
      messages: [
        {
          role: 'user',
          content: 'Kindly typescript src/a.test.ts a.test src\n```\nlet x = `1`;\n```\n${unknown}',
        },
      ],
    });
    assert.deepEqual(
      caseMessages(caseOf({ ...input, file: 'a.ts' }), { template: '${fileContent}', file: 'x', language: 'ts' }),
      {
        messages: [{ role: 'user', content: 'File: a.ts\n```ts\nx\n```' }],
      },
    );
  });

  it('is nothing if the prompt needs something that the case lacks: nothing is taken from the editor', () => {
    for (const name of ['selection', 'clipboard', 'workspaceFolder', 'gitStaged', 'input:tone']) {
      const answer = caseMessages(caseOf({ kind: 'prompt', promptFile: 'p' }), { template: `\${${name}}` });
      assert.match('fault' in answer ? answer.fault : '', new RegExp(`needs "${name.replace('input:', '')}"`));
    }
    assert.deepEqual(
      caseMessages(caseOf({ kind: 'prompt', promptFile: 'p' }, { clipboard: '${selection}' }), {
        template: '${clipboard}',
      }),
      {
        messages: [{ role: 'user', content: '${selection}' }],
      },
    );
  });

  it('is no longer than a request can be, however often it repeats a variable', () => {
    const vars = { big: 'x'.repeat(100_000) };
    const isTooLong = (input: CheckInput, template = '') => {
      const answer = caseMessages(caseOf(input, vars), { template });
      assert.match('fault' in answer ? answer.fault : '', /^With its variables filled in, it's larger than 4 MB\.$/);
    };
    const content = '{{big}}'.repeat(42);
    isTooLong({ kind: 'messages', messages: [{ role: 'user', content }] });
    const half = { role: 'user', content: '{{big}}'.repeat(21) } as const;
    isTooLong({ kind: 'messages', messages: [half, half] });
    isTooLong({ kind: 'prompt', template: content });
    isTooLong({ kind: 'prompt', promptFile: 'p' }, '${input:big}'.repeat(42));
    assert.ok('messages' in caseMessages(caseOf({ kind: 'messages', messages: [half] }, vars), {}));
  });
});
