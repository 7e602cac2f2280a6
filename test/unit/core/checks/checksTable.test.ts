import assert from 'node:assert/strict';
import { type CheckAttempt, type CheckCell, cellCount } from '../../../../src/core/checks/checkResult.ts';
import { costOfRuns, tableColumns } from '../../../../src/core/checks/checksTable.ts';
import { withModel } from '../../../../src/core/checks/withModel.ts';
import { fileWithCase, literalCase, promptCase, withCase } from '../../../../src/core/checks/writtenCase.ts';
import { caseMessages } from '../../../../src/core/checks/caseMessages.ts';
import { readChecksFile } from '../../../../src/core/checks/readChecksFile.ts';

type State = CheckAttempt['state'];
const attempt = (state: State, cost = 0.001, totalMs = 1000): CheckAttempt => ({
  attempt: 'a',
  state,
  score: 1,
  faults: [],
  totalMs,
  cost,
});
const cell = (states: readonly State[], cost?: number, totalMs?: number): CheckCell => ({
  fingerprint: 'f',
  experiment: 'e',
  at: 1,
  repeats: states.length,
  attempts: states.map((state) => attempt(state, cost, totalMs)),
});
const noFiles = async () => ({ fault: 'no file' });
const read = (text: string) => readChecksFile(text, { promptFile: 'p', readFile: noFiles });

describe('A case with a model', () => {
  it("passes only if every run does: 2 of 3 is flaky, and what couldn't be run isn't counted", () => {
    const counts = (...states: readonly State[]) => Object.values(cellCount(states.map((state) => attempt(state))));
    assert.deepEqual(counts('passed', 'passed', 'passed'), ['passed', 3, 3]);
    assert.deepEqual(counts('passed', 'failed', 'passed'), ['flaky', 2, 3]);
    assert.deepEqual(counts('failed', 'failed', 'undecided'), ['failed', 0, 2]);
    assert.deepEqual(counts('passed', 'undecided'), ['undecided', 1, 1]);
    assert.deepEqual(counts('undecided'), ['undecided', 0, 0]);
  });
});

describe('The cost of all runs', () => {
  const one = attempt('passed', 0.5);
  const { cost: _cost, ...unpriced } = one;

  it('includes the judges, and is an estimate if a part of it is', () => {
    const judged = { ...one, judgeCost: 0.25 };
    assert.deepEqual(costOfRuns([one, judged]), { cost: 1.25, isCostAtLeast: false, isCostEstimate: false });
    for (const part of [
      { ...one, isEstimate: true },
      { ...judged, isJudgeCostEstimate: true },
    ])
      assert.equal(costOfRuns([one, part]).isCostEstimate, true);
  });

  it("is at least the sum if a price isn't known, and no estimate for a part that isn't in it", () => {
    const partly = costOfRuns([one, { ...unpriced, isEstimate: true }]);
    assert.deepEqual(partly, { cost: 0.5, isCostAtLeast: true, isCostEstimate: false });
    // Nothing was sent for it.
    assert.equal(costOfRuns([one, { ...unpriced, attempt: '' }]).isCostAtLeast, false);
  });
});

describe('The order of models', () => {
  const cases = [{ id: 'a', name: 'a' }];
  const models = ['dear', 'cheap', 'fails', 'free but fails'].map((model) => ({ key: model, model }));
  const cells: Readonly<Record<string, CheckCell>> = {
    dear: cell(['passed', 'passed'], 0.5, 100),
    cheap: cell(['passed', 'passed'], 0.1, 900),
    fails: cell(['passed', 'failed'], 0.01),
    'free but fails': cell(['failed', 'failed'], 0),
  };

  it('puts those that pass everything first, then the cheapest', () => {
    const columns = tableColumns(cases, models, (_id, key) => cells[key]);
    assert.deepEqual(
      columns.map(({ model, passesAll, costPerThousand }) => [model, passesAll, costPerThousand]),
      [
        ['cheap', true, 100],
        ['dear', true, 500],
        ['fails', false, 10],
        ['free but fails', false, 0],
      ],
    );
    assert.equal(tableColumns(cases, models, (_id, key) => cells[key], 'fastest')[0]?.model, 'dear');
  });

  it("puts what couldn't finish after models with real passes, and what never passed after both", () => {
    const two = [...cases, { id: 'b', name: 'b' }];
    const every = ['half', 'none', 'unknown', 'untried', 'some'].map((model) => ({ key: model, model }));
    const all: Readonly<Record<string, readonly (CheckCell | undefined)[]>> = {
      half: [cell(['passed', 'passed'], 0.1), cell(['undecided', 'undecided'])],
      none: [cell(['failed', 'failed'], 0), cell(['failed', 'failed'], 0)],
      unknown: [cell(['undecided']), cell(['undecided'])],
      untried: [undefined, undefined],
      some: [cell(['passed', 'failed'], 1), cell(['failed', 'failed'], 1)],
    };
    const of = (id: string, key: string) => all[key]?.[id === 'a' ? 0 : 1];
    const columns = tableColumns(two, every, of);
    assert.deepEqual(
      columns.map(({ model, passed, counted, undecided, isFinished }) => [
        model,
        passed,
        counted,
        undecided,
        isFinished,
      ]),
      [
        ['some', 1, 4, 0, true],
        ['half', 2, 2, 2, false],
        ['none', 0, 4, 0, true],
        ['unknown', 0, 0, 2, false],
        ['untried', 0, 0, 0, false],
      ],
    );
    // A case that isn't sent to a model isn't missing.
    const onlyA = (id: string) => id === 'a';
    assert.equal(tableColumns(two, every.slice(0, 1), of, 'cheapest', onlyA)[0]?.isFinished, false);
    const without = (id: string) => (id === 'a' ? all['half']?.[0] : undefined);
    assert.equal(tableColumns(two, every.slice(0, 1), without, 'cheapest', onlyA)[0]?.isFinished, true);
  });

  it("says that a price is an estimate if some of the tokens behind it are, but not those of runs that don't count", () => {
    const estimated = (state: State): CheckAttempt => ({ ...attempt(state), isEstimate: true });
    const isEstimate = (...attempts: readonly CheckAttempt[]) =>
      tableColumns(cases, models.slice(0, 1), () => ({ ...cell([]), attempts }))[0]?.isEstimate;
    assert.equal(isEstimate(attempt('passed'), attempt('failed')), false);
    assert.equal(isEstimate(attempt('passed'), estimated('failed')), true);
    assert.equal(isEstimate(attempt('passed'), estimated('undecided')), false);
  });

  it('treats no model as passing everything before every case has run, and shows no price for only some of the runs', () => {
    const two = [...cases, { id: 'b', name: 'b' }];
    const [column] = tableColumns(two, models.slice(0, 1), (id, key) => (id === 'a' ? cells[key] : undefined));
    assert.equal(column?.passesAll, false);
    const partly = (id: string, key: string) => (id === 'a' || key === 'dear' ? cells[key] : undefined);
    assert.equal(tableColumns(two, models, partly)[0]?.model, 'dear');
    const { cost: _cost, ...unpriced } = attempt('passed');
    // One that can't be run hasn't passed, and isn't missing either.
    const faulty = [...cases, { id: 'b', name: 'b', isFaulty: true as const }];
    const [best] = tableColumns(faulty, models.slice(0, 1), (id, key) => (id === 'a' ? cells[key] : undefined));
    assert.deepEqual([best?.passed, best?.passesAll, best?.isFinished], [2, false, true]);
    const part = { ...cell(['passed']), attempts: [attempt('passed'), unpriced] };
    assert.equal(tableColumns(cases, models.slice(0, 1), () => part)[0]?.costPerThousand, undefined);
  });
});

describe('Using a model', () => {
  it('changes only that line of the prompt', () => {
    assert.equal(
      withModel('---\r\ntarget: chat\r\n---\r\nHi\r\n', 'a/b'),
      '---\r\ntarget: chat\r\nmodel: a/b\r\n---\r\nHi\r\n',
    );
    assert.equal(
      withModel('---\nmodel: old # why\nx: 1\n---\nmodel: text\n', 'a/$&'),
      '---\nmodel: "a/$&"\nx: 1\n---\nmodel: text\n',
    );
    assert.equal(withModel('Hi ---\n', 'a'), '---\nmodel: a\n---\nHi ---\n');
  });
});

describe('A written case', () => {
  const written = { name: 'new', selection: 'a\nb', assert: [{ type: 'equals', value: 'x' }] };
  const addedTo = (text: string) => {
    const added = withCase(text, written);
    assert.ok(added, text);
    return added;
  };

  it('becomes part of a list in brackets, in place of no list, or of none at all', async () => {
    const one = '{ name: a, assert: [{ type: equals, value: 1 }] }';
    for (const [text, names, begins] of [
      ['cases: []\nmodels: [a]\n', ['new'], '- name: new'],
      ['cases: [] # none yet\nmodels: [a]\n', ['new'], '- name: new'],
      ['cases: ~\n', ['new'], '- name: new'],
      ['cases: [\n  # none yet\n  ]\n', ['new'], '{"name":"new"'],
      [`cases: [${one}]\nmodels: [a]\n`, ['a', 'new'], '{"name":"new"'],
      [`cases: [\n  ${one}, # one\n  ]\n`, ['a', 'new'], '{"name":"new"'],
      [`{ cases: [${one}] }\n`, ['a', 'new'], '{"name":"new"'],
    ] as const) {
      const { text: added, at } = addedTo(text);
      const { cases, remarks } = await read(added);
      assert.deepEqual([cases.map(({ name }) => name), remarks], [names, []], added);
      assert.ok(added.slice(at).startsWith(begins), added);
      for (const kept of ['models: [a]', '# none yet', '# one', one])
        assert.equal(added.includes(kept), text.includes(kept), added);
    }
  });

  it("isn't added where it would change anything else, or where the file has errors", () => {
    for (const text of [
      'cases: hello\n',
      'cases: { name: a }\n',
      '- name: a\n',
      'just text\n',
      '{ models: [a] }\n',
      'cases: [{ name: a }\nmodels: [a\n',
      '  models: [a]\n',
      'repeat: 1\n---\ncases:\n',
    ])
      assert.equal(withCase(text, written), undefined, text);
  });

  it('is set apart by a blank line where the others are', () => {
    const item = (name: string) => `  - name: ${name}\n    assert: [{ type: equals, value: 1 }]\n`;
    for (const [text, gap] of [
      [`cases:\n${item('a')}\n${item('b')}`, '\n'],
      [`cases:\n${item('a')}\n${item('b')}\nmodels: [a]\n`, '\n'],
      [`cases:\n${item('a')}${item('b')}`, ''],
      [`cases:\n\n${item('a')}`, ''],
      [`cases:\n${item('a')}\n${item('b')}`.replaceAll('\n', '\r\n'), '\r\n'],
    ] as const) {
      const { text: added, at } = addedTo(text);
      const before = added.slice(0, at - '  '.length);
      assert.equal(before.slice(before.trimEnd().length), (text.includes('\r') ? '\r\n' : '\n') + gap, added);
      assert.ok(added.slice(at).startsWith('- name: new'), added);
    }
  });

  it('is added after the others, with their indentation, and leaves everything else unchanged', async () => {
    for (const text of [
      '# top\ncases: # all\n  - name: a # one\n    assert: [{ type: equals, value: 1 }]\n\nmodels: [a]\n',
      'cases:\n- name: a\n  assert: [{ type: equals, value: 1 }]\n',
      'cases:\r\n  - name: a\r\n    assert: [{ type: equals, value: 1 }]\r\n\r\nmodels: [a]\r\n',
      'models: [a]\n',
      'cases:\n',
      'cases:',
      'cases: # none yet\nmodels: [a]\n',
      'repeat: 2\ncases:\n\nmodels: [a]\n',
      '',
    ]) {
      const { text: added, at } = addedTo(text);
      const { cases, remarks } = await read(added);
      assert.deepEqual([cases.at(-1)?.name, remarks], ['new', []], added);
      assert.equal(added.slice(at, at + 11), '- name: new');
      for (const line of text.trim().split('\n')) assert.ok(added.includes(line), added);
    }
    assert.deepEqual((await read(fileWithCase('x', written).text)).remarks, []);
  });

  it('of a request sends exactly that request again, with any content', async () => {
    for (const content of [
      'a {{b}} {% c %} {# d #} ${e}\n\ttab: "q" # no comment\r\n',
      'file://secret.txt',
      'package:x {{y}}',
    ]) {
      const { text } = fileWithCase('x', literalCase(content, [{ role: 'user', content }], `${content}!`));
      const { cases, remarks } = await read(text);
      assert.deepEqual(remarks, []);
      const [found] = cases;
      assert.ok(found);
      assert.deepEqual(caseMessages(found, {}), { messages: [{ role: 'user', content }] });
      assert.equal(found.expectations[0]?.value, `${content}!`);
    }
  });

  it('of a prompt asks it again with the same selection and variables, and follows later edits of the prompt', async () => {
    const template = 'Say ${input:word} about ${relativeFile}:\n${fence}${languageId}\n${selection}\n${fence}\n';
    const fence = '```';
    const sent = (word: string, selection: string) => ({
      template,
      values: { word, relativeFile: 'src/a.ts', fence, languageId: 'typescript', selection },
      content: `Say ${word} about src/a.ts:\n${fence}typescript\n${selection}\n${fence}\n`,
    });
    for (const [word, selection] of [
      ['{{hi}}', 'const a = 1;\r\n\tb();\n'],
      ['a: b # c', ' {% raw %} ${selection} "q"\n\n'],
      ['', ''],
    ] as const) {
      const reply = `{{${word}}} {# x #}`;
      const asked = sent(word, selection);
      const found = await promptCase('x', asked, reply);
      assert.ok(found);
      const { text } = fileWithCase('x', found);
      const { cases, remarks } = await read(text);
      assert.deepEqual([remarks, cases[0]?.expectations[0]?.value], [[], reply], text);
      assert.doesNotMatch(text, /messages|fence/);
      const again = (now: string) => cases[0] && caseMessages(cases[0], { template: now });
      assert.deepEqual(again(template), { messages: [{ role: 'user', content: asked.content }] });
      assert.deepEqual(again('Now ${selection}'), { messages: [{ role: 'user', content: `Now ${selection}` }] });
    }
    // It would say something else: the prompt was edited, a value looks like a file, or a name is taken.
    assert.equal(await promptCase('x', { ...sent('a', 'b'), template: `${template}!` }, 'r'), undefined);
    assert.equal(await promptCase('x', sent('a', 'file://secret.txt'), 'r'), undefined);
    const taken = { template: '${input:braces}', values: { braces: 'a' }, content: 'a' };
    assert.equal(await promptCase('x', taken, 'r {{'), undefined);
    assert.ok(await promptCase('x', taken, 'r'));
  });
});
