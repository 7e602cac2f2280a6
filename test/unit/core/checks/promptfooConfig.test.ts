import assert from 'node:assert/strict';
import { caseMessages } from '../../../../src/core/checks/caseMessages.ts';
import { readPromptfooConfig } from '../../../../src/core/checks/promptfooConfig.ts';

const read = (text: string, files: Readonly<Record<string, string>> = {}) =>
  readPromptfooConfig(text, async (path) => {
    const found = files[path];
    return found === undefined ? { fault: `no ${path}` } : { value: found };
  });

describe('A promptfoo configuration', () => {
  it('becomes a case for each prompt and test', async () => {
    const config = await read(
      `description: Greetings
prompts:
  - 'Greet {{name}} in {{language}}'
  - file://other.txt
providers:
  - openai:chat:kestrel/sparrow
  - id: openai:gale
defaultTest:
  vars: { language: English }
  assert: [{ type: latency, threshold: 9000 }]
evaluateOptions: { repeat: 2 }
tests:
  - description: A name
    vars: { name: Ada }
    assert: [{ type: icontains, value: '{{name}}' }]
`,
      { 'other.txt': 'Say hello to {{name}}.' },
    );
    assert.deepEqual(config.remarks, []);
    assert.deepEqual(
      config.models.map(({ pattern }) => pattern),
      ['kestrel/sparrow', 'gale'],
    );
    assert.equal(config.repeat, 2);
    assert.deepEqual(
      config.cases.map((each) => [each.name, caseMessages(each, {}), each.notRun]),
      [
        ['A name · Prompt 1', { messages: [{ role: 'user', content: 'Greet Ada in English' }] }, undefined],
        ['A name · Prompt 2', { messages: [{ role: 'user', content: 'Say hello to Ada.' }] }, undefined],
      ],
    );
    assert.deepEqual(
      config.cases[0]?.expectations.map(({ kind, value }) => [kind, value]),
      [
        ['latency', undefined],
        ['icontains', 'Ada'],
      ],
    );
  });

  it('has the parameters of its tests, and those that all of its models share', async () => {
    const config = (first: string, second: string) => `prompts: [Hi]
providers:
  - { id: openai:chat:a, config: ${first} }
  - { id: openai:chat:b, config: ${second} }
defaultTest: { options: { temperature: 0 } }
tests:
  - assert: [{ type: contains, value: x }]
  - options: { temperature: 0.5, top_p: 0.9 }
    assert: [{ type: contains, value: x }]
`;
    const shared = await read(config('{ max_tokens: 50, omitDefaults: true }', '{ max_tokens: 50 }'));
    assert.deepEqual([shared.remarks, shared.options], [[], { maxTokens: 50 }]);
    assert.deepEqual(
      shared.cases.map(({ options }) => options),
      [{ temperature: 0 }, { temperature: 0.5, topP: 0.9 }],
    );
    const various = await read(config('{ max_tokens: 50 }', '{ max_tokens: 60, seed: 1 }'));
    assert.deepEqual(various.options, {});
    assert.deepEqual(
      various.remarks.map(({ severity }) => severity),
      ['warning', 'warning'],
    );
    const wrong = await read(config('{}', '{}').replace('top_p: 0.9', 'top_p: high'));
    assert.deepEqual(
      wrong.cases.map(({ notRun }) => notRun !== undefined),
      [false, true],
    );
  });

  it('has no more than 10,000 cases, however many prompts each test is sent with', async () => {
    const test = '{ assert: [{ type: equals, value: 1 }] },';
    const { cases, remarks } = await read(`prompts: [${'Hi,'.repeat(1000)}]\ntests: [${test.repeat(1000)}]\n`);
    assert.equal(cases.length, 10_000);
    assert.deepEqual(
      remarks.map(({ message }) => message),
      ['Only the first 10 cases are read.'],
    );
  });

  it("is marked where it has unsupported content, and whatever depends on that isn't run", async () => {
    const base = {
      prompts: 'prompts: [Hi]\n',
      providers: 'providers: [openai:chat:a]\n',
      tests: 'tests:\n  - assert: [{ type: equals, value: x }]\n',
    };
    for (const [part, text, marked] of [
      ['scenarios', 'scenarios: []\n', 'scenarios'],
      ['prompts', 'prompts: [file://a.js]\n', 'file://a.js'],
      ['prompts', 'prompts: [prompt.py]\n', 'prompt.py'],
      [
        'tests',
        'tests:\n  - assert: [{ type: equals, value: x }]\n    assertScoringFunction: file://a.js\n',
        'assertScoringFunction',
      ],
      ['tests', 'tests:\n  - vars: { a: [1, 2] }\n    assert: [{ type: equals, value: x }]\n', '[1, 2]'],
      ['tests', 'tests:\n  - assert: [{ type: assert-set, assert: [] }]\n', 'assert-set'],
      ['tests', 'tests:\n  - options: { transform: x }\n    assert: [{ type: equals, value: x }]\n', 'transform'],
    ] as const) {
      const whole = Object.values({ ...base, [part]: text }).join('');
      const config = await read(whole);
      assert.deepEqual(
        config.remarks.map(({ severity, from, to }) => [severity, whole.slice(from, to)]),
        [['error', marked]],
      );
      assert.ok(
        config.cases.every(({ notRun }) => notRun !== undefined && notRun !== ''),
        part,
      );
    }
    for (const provider of ['anthropic:messages:x', 'file://p.js', 'openai:embedding:x', 'exec: rm']) {
      const { remarks, models } = await read(`prompts: [Hi]\nproviders: ['${provider}']\n`);
      assert.deepEqual([remarks.length, models], [1, []], provider);
    }
  });
});
