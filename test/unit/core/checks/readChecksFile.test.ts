import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { caseMessages } from '../../../../src/core/checks/caseMessages.ts';
import { readChecksFile } from '../../../../src/core/checks/readChecksFile.ts';

const read = (text: string, files: Readonly<Record<string, string>> = {}) =>
  readChecksFile(text, {
    promptFile: 'fix.prompt.md',
    readFile: async (path) => {
      const found = files[path];
      return found === undefined ? { fault: `no ${path}` } : { value: found };
    },
  });

/** Each remark with the text that it's about. */
const remarksOf = async (text: string) =>
  (await read(text)).remarks.map(({ severity, message, from, to }) => [severity, text.slice(from, to), message]);

/** What's in the fences of docs/checks.md. */
async function examplesInDocs(): Promise<readonly string[]> {
  const docs = await readFile(new URL('../../../../docs/checks.md', import.meta.url), 'utf8');
  return Array.from(docs.matchAll(/^```\w+\n([^]*?)^```$/gm), ([, text = '']) => text);
}

describe('A file of checks', () => {
  it('contains what to send, to which models, and what is expected', async () => {
    const file = await read(`models: [favorites, kestrel/*, { model: gale, service: home }]
repeat: 3
temperature: 0
judge: northwind/gale
assert:
  - type: latency
    threshold: 5000
cases:
  - name: Fixes it
    selection: |
      one
      two
    file: src/a.ts
    vars: { language: German, count: 2 }
    threshold: 0.5
    assert:
      - type: not-contains
        value: '{{language}}'
        weight: 2
      - type: llm-rubric
        value: Is it short?
  - messages:
      - { role: user, content: Hi }
    assert: [{ type: equals, value: Hello }]
`);
    assert.deepEqual(file.remarks, []);
    assert.deepEqual(
      file.models.map(({ pattern, service }) => [pattern, service]),
      [
        ['favorites', undefined],
        ['kestrel/*', undefined],
        ['gale', 'home'],
      ],
    );
    assert.deepEqual([file.repeat, file.options], [3, { temperature: 0 }]);
    const [first, second] = file.cases;
    assert.deepEqual(first?.input, {
      kind: 'prompt',
      promptFile: 'fix.prompt.md',
      selection: 'one\ntwo\n',
      file: 'src/a.ts',
    });
    assert.deepEqual([first?.vars, first?.threshold], [{ language: 'German', count: '2' }, 0.5]);
    assert.deepEqual(
      first?.expectations.map(({ kind, isInverse, value, weight, threshold, judge }) => [
        kind,
        isInverse,
        value,
        weight,
        threshold,
        judge,
      ]),
      [
        ['latency', false, undefined, 1, 5000, undefined],
        ['contains', true, 'German', 2, undefined, undefined],
        ['llm-rubric', false, 'Is it short?', 1, undefined, 'northwind/gale'],
      ],
    );
    assert.deepEqual(second?.name, 'Case 2');
    assert.deepEqual(second?.input, { kind: 'messages', messages: [{ role: 'user', content: 'Hi' }] });
    assert.ok(file.cases.every(({ notRun }) => notRun === undefined));
  });

  it('can be written as in the docs, whose example has everything that its prompt needs', async () => {
    const [template = '', example = ''] = await examplesInDocs();
    const { cases, remarks } = await read(example);
    assert.deepEqual([remarks, cases.map(({ notRun }) => notRun)], [[], [undefined, undefined]]);
    for (const each of cases) {
      const sent = caseMessages(each, { template, ...('file' in each.input && { file: 'const a = 1;' }) });
      assert.ok('messages' in sent, JSON.stringify(sent));
      assert.doesNotMatch(sent.messages.map(({ content }) => content).join(), /\$\{/);
    }
    // The variables that expectations use are there too.
    assert.equal(cases[1]?.expectations[0]?.value, 'Ada');
  });

  it('marks each unsupported expectation at its line, and never runs its case', async () => {
    for (const [written, marked, why] of [
      ['type: javascript\n        value: output.length', 'javascript', /runs code/],
      ['type: not-python\n        value: x', 'not-python', /runs code/],
      ['type: similar\n        value: x', 'similar', /isn't supported/],
      ['type: contains\n        value: ""', '""', /needs text/],
      ['type: contains-all\n        value: \'"a" b\'', `'"a" b'`, /needs a list/],
      ['type: regex\n        value: "["', '"["', /pattern has an error/],
      ['type: contains-json\n        value: 5', '5', /needs a JSON schema/],
      ['type: word-count\n        value: { min: 5, max: 2 }', '{ min: 5, max: 2 }', /needs a number/],
      ['type: latency', 'latency', /needs a threshold/],
      ['type: equals', 'equals', /needs a value/],
      ['type: llm-rubric\n        value: x', 'llm-rubric', /Name the model/],
      ['type: contains\n        value: "{{ x | upper }}"', '"{{ x | upper }}"', /In templates/],
      ['type: contains\n        value: "{{nobody}}"', '"{{nobody}}"', /no variable "nobody"/],
      ['type: contains\n        value: file://a.py', 'file://a.py', /runs code/],
      ['type: contains\n        value: package:x', 'package:x', /runs code/],
      ['type: contains\n        value: a\n        transform: output', 'transform', /isn't supported/],
    ] as const) {
      const text = `cases:\n  - name: One\n    messages: [{ role: user, content: Hi }]\n    assert:\n      - ${written}\n`;
      const [remark, ...others] = await remarksOf(text);
      assert.deepEqual([remark?.slice(0, 2), others], [['error', marked], []], written);
      assert.match(remark?.[2] ?? '', why);
      const [found] = (await read(text)).cases;
      assert.equal(found?.notRun, remark?.[2]);
    }
  });

  it('names unknown fields', async () => {
    assert.deepEqual(
      (await remarksOf('promts: a\nrepeat: 1.5\ntop_p: 3\nmodels: [a b]\ncases: 5\n')).map(([, at]) => at),
      ['promts', '1.5', 'a b', '3', 'cases'],
    );
    assert.deepEqual(
      (await remarksOf('cases:\n  - name: a\n    vars: 5\n    asert: []\n')).map(([, at]) => at),
      ['asert', '5'],
    );
    assert.deepEqual((await remarksOf('- a')).length, 1);
    assert.deepEqual((await remarksOf('cases: [')).length > 0, true);
  });

  it('runs none of its cases if a mistake is outside of them, and no other model than those it names', async () => {
    const good = 'cases: [{ name: a, assert: [{ type: equals, value: 1 }] }]\n';
    assert.equal((await read(good)).cases[0]?.notRun, undefined);
    for (const [written, marked] of [
      ['asert: []', 'asert'],
      ['repeat: 1.5', '1.5'],
      ['temperature: hot', 'hot'],
      ['prompt: [a]', '[a]'],
      ['judge: [a]', '[a]'],
      ['models: 5', '5'],
      ['models: []', '[]'],
      ['models: [x/y, a b]', 'a b'],
      ['models: [{ model: x, servce: home }]', 'servce'],
    ] as const) {
      const text = `${written}\n${good}`;
      assert.deepEqual(
        (await remarksOf(text)).map(([severity, at]) => [severity, at]),
        [['error', marked]],
        written,
      );
      const { cases, remarks } = await read(text);
      assert.deepEqual([cases.length, cases[0]?.notRun], [1, remarks[0]?.message], written);
    }
  });

  it('reads files that are referenced as file://', async () => {
    const text =
      'cases:\n  - selection: file://a.txt\n    assert:\n      - { type: is-json, value: file://s.json }\n      - { type: equals, value: file://a.txt }\n';
    const { cases, remarks } = await read(text, { 'a.txt': ' a \n', 's.json': '{"type":"object"}' });
    assert.deepEqual(remarks, []);
    assert.deepEqual(cases[0]?.input, { kind: 'prompt', promptFile: 'fix.prompt.md', selection: ' a \n' });
    assert.deepEqual(
      cases[0]?.expectations.map(({ value }) => value),
      [{ type: 'object' }, 'a'],
    );
    assert.match((await read(text)).cases[0]?.notRun ?? '', /^no [as]/);
  });

  it('keeps the ID of a case that moves, and distinguishes cases with the same name', async () => {
    const one = '  - name: a\n    assert: [{ type: equals, value: 1 }]\n';
    const { cases } = await read(`cases:\n${one}${one.replace('name: a', 'name: b')}${one}`);
    assert.deepEqual(
      cases.map(({ id }) => id),
      ['a', 'b', 'a (2)'],
    );
    const named = (name: string) => one.replace('name: a', `name: ${name}`);
    const odd = await read(`cases:\n${one}${one}${named('a (2)')}${named("''")}${named('Case 5')}`);
    assert.deepEqual(
      odd.cases.map(({ id }) => id),
      ['a', 'a (2)', 'a (2) (2)', 'Case 4', 'Case 5'],
    );
  });

  it('resolves aliases, but not endlessly', async () => {
    const shared = await read('x: &x { type: equals, value: 1 }\ncases:\n  - assert: [*x]\n    name: a\n');
    assert.equal(shared.cases[0]?.expectations[0]?.value, 1);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const line = (name: string, at: number) => {
      const part = at === 0 ? 'x' : `*${names[at - 1]}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => part).join(', ')}]`;
    };
    const bomb = `${names.map(line).join('\n')}\n`;
    assert.ok((await remarksOf(bomb)).some(([, , message]) => message?.includes('too many aliases')));
  });

  it('limits what it reads of a file that was written to block it', async () => {
    const messages = async (text: string) => (await remarksOf(text)).map(([, , message]) => message ?? '');
    const large = `a: &a [${'1,'.repeat(50_000)}]\nb: [${'*a,'.repeat(50)}]\n`;
    assert.ok((await messages(large)).some((message) => message.includes('too many aliases')));
    const merged = `a: &a {x: 1}\nb:\n${'  <<: *a\n'.repeat(5000)}`;
    assert.ok((await messages(merged)).length < 300);
    for (const deep of ['[', '{a: ', '- ', '? ']) {
      assert.match((await messages(deep.repeat(100_000)))[0] ?? '', /nested too deeply/, deep);
    }
    // Each value has its position, however much white space follows it.
    const blank = `x:\n${'- a\n'.repeat(100_000)}${'\n'.repeat(400_000)}`;
    assert.match((await messages(blank))[0] ?? '', /Unknown field "x"/);
  });

  it('stops at 2,000 problems, and then has no case whose expectations might be missing', async () => {
    const good = 'cases: [{ name: a, assert: [{ type: equals, value: 1 }] }]\n';
    const wrong = (count: number) => Array.from({ length: count }, (_, at) => `x${at}: 1\n`).join('');
    assert.equal((await read(good + wrong(2000))).cases.length, 1);
    const { cases, remarks } = await read(good + wrong(2001));
    assert.deepEqual([cases, remarks.length], [[], 2001]);
    assert.match(remarks[0]?.message ?? '', /more than 2000 problems/);
    const messages = `cases: [{ messages: [${'1,'.repeat(5000)}] }]`;
    assert.equal((await read(messages)).remarks.length, 2001);
    assert.equal((await read(`models: [${'{},'.repeat(5000)}]\n${good}`)).remarks.length, 501);
  });

  it('stops where the expectations of all cases together would fill the memory', async () => {
    const shared = `assert: [${'{ type: contains, value: 1 },'.repeat(20_000)}]\ncases: [${'{},'.repeat(50)}]`;
    const { cases, remarks } = await read(shared);
    assert.deepEqual([cases, remarks.length], [[], 1]);
    assert.match(remarks[0]?.message ?? '', /Split this file/);
    const long = `assert: [{ type: contains-any, value: [${'a,'.repeat(100_000)}] }]\ncases: [${'{},'.repeat(50)}]`;
    assert.match((await read(long)).remarks[0]?.message ?? '', /Split this file/);
    // Many cases with twenty expectations each are no problem.
    const usual = `assert: [${'{ type: contains, value: a word or two },'.repeat(20)}]\ncases: [${'{},'.repeat(500)}]`;
    const read20 = await read(usual);
    assert.deepEqual([read20.cases.length, read20.remarks], [500, []]);
  });

  it("counts an expectation's variables as they're filled in, and fills in no more than it needs to know that", async () => {
    const big = `vars: { big: '${'x'.repeat(15_000)}' }`;
    const valued = (value: string, count = 1) =>
      read(`assert: [{ type: contains-any, value: ${value} }]\ncases: [${`{ ${big} },`.repeat(count)}]`);
    const bomb = await valued(`'${'{{big}}'.repeat(2_000)}'`);
    assert.match(bomb.cases[0]?.notRun ?? '', /larger than 4 MB/);
    const list = await valued(`[${"'{{big}}',".repeat(2_000)}]`);
    assert.match(list.cases[0]?.notRun ?? '', /larger than 4 MB/);
    const many = await valued(`'${'{{big}}'.repeat(20)}'`, 40);
    assert.deepEqual([many.cases, many.remarks.length], [[], 1]);
    assert.match(many.remarks[0]?.message ?? '', /Split this file/);
  });

  it('marks a case that an expectation of the whole file fails in, unless that is marked already', async () => {
    const shared = "assert: [{ type: equals, value: '{{n}}' }]\n";
    const first = `${shared}cases:\n  - { name: a, vars: { n: 1 } }\n  - { name: b }\n`;
    assert.deepEqual(await remarksOf(first), [['error', 'b', 'There\'s no variable "n".']]);
    const both = `${shared}cases:\n  - { name: a }\n  - { name: b }\n`;
    assert.deepEqual(await remarksOf(both), [['error', "'{{n}}'", 'There\'s no variable "n".']]);
  });

  it('refuses marks that would remove the space around a variable', async () => {
    for (const value of ['a {{- n }}', '{{ n -}} b'])
      assert.deepEqual(await remarksOf(`cases: [{ vars: { n: 1 }, assert: [{ type: equals, value: '${value}' }] }]`), [
        ['error', `'${value}'`, 'In templates, only {{name}} is supported.'],
      ]);
  });

  it('parses a file once, however many cases refer to it', async () => {
    const text = `assert: [{ type: is-json, value: 'file://schema.yaml' }]\ncases: [{}, {}]`;
    const file = await readChecksFile(text, {
      promptFile: 'a.prompt.md',
      readFile: async () => ({ value: 'type: object' }),
    });
    const [first, second] = file.cases.map(({ expectations }) => expectations[0]?.value);
    assert.deepEqual(first, { type: 'object' });
    assert.equal(first, second);
  });

  it('treats a name like __proto__ as an ordinary name', async () => {
    const text = `cases:
  - name: __proto__
    __proto__: { threshold: 0 }
    messages: [{ role: user, content: '{{__proto__}} {{constructor}}' }]
    vars: { __proto__: a, constructor: b }
    assert: [{ type: equals, value: '{{__proto__}}' }]
`;
    const { cases, remarks } = await read(text);
    assert.deepEqual(
      remarks.map(({ message }) => /^Unknown field "(\w+)"/.exec(message)?.[1]),
      ['__proto__'],
    );
    assert.deepEqual(Object.entries(cases[0]?.vars ?? {}), [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    assert.equal(cases[0]?.expectations[0]?.value, 'a');
    assert.equal(Object.getPrototypeOf({}), Object.prototype);
  });

  it('marks a duplicate field: the first could be lost, and its expectations with it', async () => {
    const text = 'cases:\n  - name: a\n    assert: [{ type: equals, value: 1 }]\n    assert: []\n';
    const [remark, ...others] = await remarksOf(text);
    assert.deepEqual([remark?.slice(0, 2), others], [['error', 'assert'], []]);
    assert.match(remark?.[2] ?? '', /"assert" appears twice/);
    assert.deepEqual((await read(text)).cases, []);
  });

  it('reads no more than 500 files', async () => {
    let count = 0;
    const names = Array.from({ length: 600 }, (_, number) => `    - { name: file://${number}.txt }\n`);
    const file = await readChecksFile(`cases:\n${names.join('')}`, {
      promptFile: 'a.prompt.md',
      readFile: async () => ({ value: String((count += 1)) }),
    });
    assert.equal(count, 500);
    assert.ok(file.remarks.some(({ message }) => message.includes('file://599.txt')));
  });
});
