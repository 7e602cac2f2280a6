import assert from 'node:assert/strict';
import { caseMessages } from '../../../../src/core/checks/caseMessages.ts';
import { readPromptfooConfig } from '../../../../src/core/checks/promptfoo/promptfooConfig.ts';

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

  it("runs nothing, and marks the line, if the number of repeats isn't valid, or an option of the evaluation isn't known", async () => {
    const config = (options: string) =>
      `prompts: [Hi]\nproviders: [openai:chat:a]\nevaluateOptions: ${options}\ntests:\n  - assert: [{ type: contains, value: x }]\n`;
    for (const repeat of ['2.5', '0', '-1', 'often', '101', '[2]']) {
      const text = config(`{ repeat: ${repeat} }`);
      const { remarks, cases } = await read(text);
      assert.deepEqual(
        remarks.map(({ from, to, message }) => [text.slice(from, to), message]),
        [[repeat, 'Enter a whole number from 1 to 100.']],
        text,
      );
      assert.equal(cases[0]?.notRun, 'Enter a whole number from 1 to 100.');
    }
    for (const name of ['filterRange', 'timeoutMs', 'isRedteam']) {
      const text = config(`{ repeat: 2, ${name}: x }`);
      const { remarks, cases } = await read(text);
      assert.deepEqual(
        remarks.map(({ from, to }) => text.slice(from, to)),
        [name],
      );
      assert.match(cases[0]?.notRun ?? '', new RegExp(`"${name}" isn't supported`));
    }
    const unread = await read(config('file://options.yaml'));
    assert.ok(unread.remarks.length === 1 && unread.cases[0]?.notRun !== undefined);
    for (const fine of ['{ maxConcurrency: 2 }', '~', '{ repeat: 100 }']) {
      const { remarks, cases } = await read(config(fine));
      assert.deepEqual([remarks, cases[0]?.notRun], [[], undefined], fine);
    }
  });

  it('is read with its options for the command line, unless they select tests or change what is sent', async () => {
    const config = (options: string) =>
      `prompts: [Hi]\nproviders: [openai:chat:a]\nevaluateOptions: { repeat: 2 }\ncommandLineOptions: ${options}\ntests:\n  - assert: [{ type: contains, value: x }]\n`;
    const fine = await read(config('{ repeat: 3, maxConcurrency: 2 }'));
    assert.deepEqual([fine.repeat, fine.remarks, fine.cases[0]?.notRun], [3, [], undefined]);
    for (const name of ['vars', 'grader', 'promptPrefix', 'filterFirstN']) {
      const text = config(`{ ${name}: x }`);
      const { remarks, cases } = await read(text);
      assert.deepEqual(
        remarks.map(({ from, to }) => text.slice(from, to)),
        [name],
      );
      assert.notEqual(cases[0]?.notRun, undefined);
    }
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
    const asked = async (first: string, second: string) => {
      const text = config(first, second);
      const { models, options, remarks, cases } = await read(text);
      const marked = remarks.map(({ severity, from, to }) => `${severity} ${text.slice(from, to)}`);
      const isRun = cases.some(({ notRun }) => notRun === undefined);
      return { options, isRun, models: models.map(({ pattern }) => pattern), marked };
    };
    // Anything that differs, or isn't known, would be left out. The user decides who is asked, and with which key.
    assert.deepEqual(await asked('{ max_tokens: 50 }', '{ max_tokens: 60 }'), {
      options: {},
      isRun: false,
      models: [],
      marked: ['error max_tokens', 'error max_tokens'],
    });
    assert.deepEqual(await asked('{}', '{ temperature: 1, apiKey: secret, headers: { a: b } }'), {
      options: {},
      isRun: true,
      models: ['a'],
      marked: ['warning apiKey', 'warning headers', 'error temperature'],
    });
    for (const beyond of ['tools', 'response_format', 'stop', 'seed', 'functions'])
      assert.deepEqual(await asked(`{ max_tokens: 50, ${beyond}: [x] }`, '{ max_tokens: 50 }'), {
        options: { maxTokens: 50 },
        isRun: true,
        models: ['b'],
        marked: [`error ${beyond}`],
      });
    assert.deepEqual((await asked('file://config.yaml', '{}')).marked, ['error file://config.yaml']);
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

  it('sends a text that only looks like a path as text, and a text file without the space around it', async () => {
    const sent = async (prompt: string, files = {}) => {
      const { cases } = await read(`prompts: [${prompt}]\ntests: [{ assert: [{ type: equals, value: x }] }]\n`, files);
      const [only] = cases;
      assert.ok(only !== undefined && cases.length === 1);
      return only.notRun === undefined ? caseMessages(only, {}) : 'not run';
    };
    const text = (content: string) => ({ messages: [{ role: 'user', content }] });
    assert.deepEqual(await sent('"Read src/a.ts\\nand b.py"'), text('Read src/a.ts\nand b.py'));
    assert.deepEqual(await sent('"Say it: yes"'), text('Say it: yes'));
    assert.deepEqual(await sent('file://a.txt', { 'a.txt': '\r\n One\r\ntwo\n\n' }), text('One\ntwo'));
    for (const several of ['One\n---\ntwo', 'One\r\n --- \r\ntwo', ' \n'])
      assert.equal(await sent('file://a.txt', { 'a.txt': several }), 'not run', several);
    assert.deepEqual(await sent('file://a.md', { 'a.md': 'One\n---\ntwo\n' }), text('One\n---\ntwo\n'));
  });

  it("says why a file that it refers to can't be read", async () => {
    for (const text of ['prompts: [file://../a.txt]\n', 'prompts: [Hi]\ntests: [{ vars: { a: file://../a.txt } }]\n']) {
      const { remarks } = await readPromptfooConfig(text, async () => ({ fault: 'outside' }));
      assert.ok(
        remarks.some(({ message }) => message === 'outside'),
        remarks.map(({ message }) => message).join(),
      );
    }
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
      ...[
        'prompt.py',
        'gen.py:fn',
        'prompts/*',
        'p.j2',
        'p.jsonl',
        'a/b',
        'x.sh',
        'a.exe',
        'langfuse://x',
        'exec:x',
      ].map((path) => ['prompts', `prompts: ['${path}']\n`, `'${path}'`] as const),
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
  });

  it('is marked wherever a part of it would be missing, and then nothing passes without that part', async () => {
    const tests = 'tests: [{ assert: [{ type: equals, value: x }] }]\n';
    const prompts = 'prompts: [Hi]\n';
    const withTest = (fields: string) => `${prompts}tests: [{ ${fields}, assert: [{ type: equals, value: x }] }]\n`;
    for (const [text, marked] of [
      [`defaultTest: file://d.yaml\n${prompts}${tests}`, 'file://d.yaml'],
      [withTest('options: file://o.yaml'), 'file://o.yaml'],
      [withTest('vars: file://v.yaml'), 'file://v.yaml'],
      [withTest('threshold: "0.5"'), '"0.5"'],
      [`${prompts}defaultTest: { assert: [{ type: equals, value: x }] }\ntests: [file://t.yaml]\n`, 'file://t.yaml'],
      [`prompts: [{ raw: Hi, config: { temperature: 1 } }]\n${tests}`, 'config'],
      [`providers: [{ id: openai:chat:a, transform: output.x }]\n${prompts}${tests}`, 'transform'],
      [`providers: [{ id: openai:chat:a, prompts: [one] }]\n${prompts}${tests}`, 'prompts'],
      [tests, 'tests'],
      [`prompts: []\n${tests}`, '[]'],
    ] as const) {
      const { remarks, cases } = await read(text, {
        'd.yaml': 'assert: []',
        'o.yaml': '{}',
        'v.yaml': '{}',
        't.yaml': '',
      });
      assert.deepEqual(
        remarks.map(({ severity, from, to }) => [severity, text.slice(from, to)]),
        [['error', marked]],
        text,
      );
      assert.deepEqual(
        cases.filter(({ notRun }) => notRun === undefined),
        [],
        text,
      );
    }
    const named = await read(
      `providers: [{ id: openai:chat:a, label: A, delay: 5 }]\ndefaultTest:\n${prompts}${tests}`,
    );
    assert.deepEqual([named.remarks, named.cases[0]?.notRun], [[], undefined]);
  });

  it('marks an expectation of all tests that only fails in one of them', async () => {
    const text = `prompts: [Hi, Ho]\ndefaultTest: { assert: [{ type: equals, value: '{{n}}' }] }\ntests:\n  - { vars: { n: 1 } }\n  - { description: b }\n`;
    const { remarks, cases } = await read(text);
    assert.deepEqual(
      remarks.map(({ from, to, message }) => [text.slice(from, to), message]),
      [['{ description: b }', 'There\'s no variable "n".']],
    );
    assert.deepEqual(
      cases.map(({ notRun }) => notRun !== undefined),
      [false, false, true, true],
    );
  });

  it('names the model that judges as it names the others', async () => {
    const of = async (options: string, own: string) => {
      const { remarks, cases } = await read(
        `prompts: [Hi]\ntests: [{ options: { ${options} }, assert: [{ type: llm-rubric, value: Short${own} }] }]\n`,
      );
      assert.deepEqual(
        remarks.map(({ message }) => message),
        cases.flatMap(({ notRun }) => notRun ?? []),
      );
      return cases[0]?.expectations[0]?.judge ?? cases[0]?.notRun;
    };
    assert.equal(await of('', ', provider: openai:chat:gpt'), 'gpt');
    assert.equal(await of('provider: openai:gale', ', provider: { id: openai:chat:gpt }'), 'gpt');
    assert.equal(await of('provider: openai:gale', ''), 'gale');
    assert.equal(await of('provider: { id: openai:chat:gale, config: { temperature: 0 } }', ''), 'gale');
    assert.match((await of('', '')) ?? '', /add "provider: openai:chat:<model>"/);
    assert.match((await of('provider: anthropic:messages:x', '')) ?? '', /^Only models of the OpenAI API/);
    assert.match((await of('', ', provider: anthropic:messages:x')) ?? '', /^Only models of the OpenAI API/);
    assert.match((await of('provider: { id: openai:gale, transform: x }', '')) ?? '', /"transform" isn't supported/);
  });

  it("isn't sent to any other model if it names none that can be used", async () => {
    const rest = 'prompts: [Hi]\ntests: [{ assert: [{ type: equals, value: x }] }]\n';
    const written = ["['anthropic:messages:x']", 'file://p.js', "['openai:embedding:x']", "['exec: rm']", '[]'];
    for (const providers of written) {
      const { remarks, models, cases } = await read(`providers: ${providers}\n${rest}`);
      assert.deepEqual([remarks.length, models], [1, []], providers);
      assert.deepEqual(
        cases.map(({ notRun }) => notRun),
        [remarks[0]?.message],
        providers,
      );
    }
    const { remarks, models, cases } = await read(`providers: ['anthropic:messages:x', 'openai:chat:a']\n${rest}`);
    assert.deepEqual([remarks.length, models.map(({ pattern }) => pattern)], [1, ['a']]);
    assert.equal(cases[0]?.notRun, undefined);
  });
});
