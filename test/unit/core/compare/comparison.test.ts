import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  type ComparedReply,
  type ComparedTurn,
  Comparison,
  type StoredTurn,
} from '../../../../src/core/compare/comparison.ts';
import { type Experiment, experimentSchema } from '../../../../src/core/experiments/experiment.ts';
import { ExperimentLog } from '../../../../src/core/experiments/experimentLog.ts';
import { plannedBody, plannedRequests } from '../../../../src/core/experiments/experimentPlan.ts';
import { experimentFaults } from '../../../../src/core/experiments/experimentForecast.ts';

const columns = [
  { id: 'c1', model: 'local/echo' },
  { id: 'c2', model: 'local/fast' },
];
const setup = { unique: 'x', options: { temperature: 0.2 }, order: 'allAtOnce' } as const;

const turnOf = (id: string, text: string, to = ['c1', 'c2']): ComparedTurn => ({
  id,
  at: 1,
  text,
  attachments: [],
  content: text,
  order: 'allAtOnce',
  columns: to,
  isBlind: false,
});

const replyOf = (turnId: string, columnId: string, text: string): ComparedReply => ({
  id: `${turnId}${columnId}`,
  turnId,
  columnId,
  model: 'm',
  at: 1,
  text,
  reasoning: '',
  state: 'done',
});

/** What each model is sent, one line per message. */
function sent(experiment: Experiment): readonly (readonly string[])[] {
  return plannedRequests(experiment).map((request) =>
    plannedBody(experiment, request, '').messages.map(
      ({ role, content }) => `${role}: ${typeof content === 'string' ? content : ''}`,
    ),
  );
}

function logOf(experiment: Experiment, ends: readonly (string | undefined)[]): ExperimentLog {
  const log = new ExperimentLog();
  const written = { writer: 'w', at: 5 };
  log.apply({ type: 'created', version: 1, experiment, ...written });
  plannedRequests(experiment).forEach(({ key }, index) => {
    const attempt = `${experiment.id}-${index}`;
    const text = ends[index];
    log.apply({ type: 'sending', run: 'r', attempt, request: key, ...written });
    if (text !== undefined) log.apply({ type: 'ended', attempt, outcome: 'done', text, ...written });
  });
  return log;
}

/** As it's read from disk. @param isAlive whether the window that wrote it still exists */
function storedTurn(
  experiment: Experiment,
  ends: readonly (string | undefined)[],
  createdAt = 10,
  isAlive = false,
): StoredTurn {
  const log = logOf(experiment, ends);
  return { experiment, log, createdAt, states: log.states(() => isAlive), isRunning: isAlive };
}

describe('A comparison', () => {
  it("sends a follow-up after each model's own replies", () => {
    const comparison = new Comparison('k', columns);
    const first = turnOf('t1', 'Name a bird');
    assert.deepEqual(sent(comparison.experiment(first, columns, setup)), [
      ['user: Name a bird'],
      ['user: Name a bird'],
    ]);
    comparison.setTurn(first);
    comparison.setReply(replyOf('t1', 'c1', 'Kestrel'));
    comparison.setReply(replyOf('t1', 'c2', 'Sparrow'));
    const experiment = comparison.experiment(turnOf('t2', 'Another'), columns, setup);
    assert.deepEqual(sent(experiment), [
      ['user: Name a bird', 'assistant: Kestrel', 'user: Another'],
      ['user: Name a bird', 'assistant: Sparrow', 'user: Another'],
    ]);
    assert.deepEqual(experimentFaults(experiment, { modelOf: () => undefined }), []);
  });

  it('leaves a question without a reply out of the next request', () => {
    const comparison = new Comparison('k', columns);
    comparison.setTurn(turnOf('t1', 'Name a bird'));
    comparison.setReply(replyOf('t1', 'c1', 'Kestrel'));
    comparison.setReply({ ...replyOf('t1', 'c2', ''), state: 'failed' });
    assert.deepEqual(sent(comparison.experiment(turnOf('t2', 'Another'), columns, setup)), [
      ['user: Name a bird', 'assistant: Kestrel', 'user: Another'],
      ['user: Another'],
    ]);
  });

  it('keeps a follow-up to one model from the others, and continues with all of them after it', () => {
    const comparison = new Comparison('k', columns);
    comparison.setTurn(turnOf('t1', 'Name a bird'));
    comparison.setReply(replyOf('t1', 'c1', 'Kestrel'));
    comparison.setReply(replyOf('t1', 'c2', 'Sparrow'));
    const [first] = columns;
    assert.ok(first);
    const toOne = turnOf('t2', 'Why?', ['c1']);
    assert.deepEqual(sent(comparison.experiment(toOne, [first], setup)), [
      ['user: Name a bird', 'assistant: Kestrel', 'user: Why?'],
    ]);
    comparison.setTurn(toOne);
    comparison.setReply(replyOf('t2', 'c1', 'It hovers'));
    assert.deepEqual(sent(comparison.experiment(turnOf('t3', 'Another'), columns, setup)), [
      ['user: Name a bird', 'assistant: Kestrel', 'user: Why?', 'assistant: It hovers', 'user: Another'],
      ['user: Name a bird', 'assistant: Sparrow', 'user: Another'],
    ]);
  });

  it("sends a column's own parameters and system prompt instead of the shared ones", () => {
    const own = { temperature: 0.9, systemPrompt: 'Answer in rhymes.' };
    const comparison = new Comparison('k', [
      { id: 'c1', model: 'local/echo' },
      { id: 'c2', model: 'local/echo', options: own },
    ]);
    const turn = turnOf('t1', 'Name a bird');
    const options = { temperature: 0.2, maxTokens: 50, systemPrompt: 'Be short.' };
    const experiment = comparison.experiment(turn, comparison.columns, { ...setup, options });
    const bodies = plannedRequests(experiment).map((request) => plannedBody(experiment, request, ''));
    assert.deepEqual(
      bodies.map((body) => [body.temperature, body.max_tokens, body.messages[0]?.content]),
      [
        [0.2, 50, 'Be short.'],
        [0.9, 50, 'Answer in rhymes.'],
      ],
    );
    // The same model twice is allowed if its parameters differ.
    assert.deepEqual(experimentFaults(experiment, { modelOf: () => undefined }), []);
    const again = Comparison.of('k', [storedTurn(experiment, ['Kestrel', 'Sparrow'])]);
    assert.deepEqual(again.column('c2')?.options, own);
    assert.deepEqual(
      again.replies.map((reply) => [reply.options, reply.parameters]),
      [
        [undefined, options],
        [own, { ...options, ...own }],
      ],
    );
  });

  it("lets a new model continue from the first one's replies, and a repeated one from the same place", () => {
    const comparison = new Comparison('k', columns);
    comparison.setTurn(turnOf('t1', 'Name a bird'));
    comparison.setReply(replyOf('t1', 'c1', 'Kestrel'));
    const second = turnOf('t2', 'Another');
    comparison.setTurn(second);
    comparison.setReply(replyOf('t2', 'c1', 'Sparrow'));
    const late = { id: 'c3', model: 'local/late' };
    assert.deepEqual(sent(comparison.experiment(second, [late, columns[0] ?? late], setup)), [
      ['user: Name a bird', 'assistant: Kestrel', 'user: Another'],
      ['user: Name a bird', 'assistant: Kestrel', 'user: Another'],
    ]);
  });

  it('continues from the conversation that it started in', () => {
    const before = [{ role: 'user', content: 'Hi' } as const, { role: 'assistant', content: 'Hello' } as const];
    const comparison = new Comparison('k', columns, before);
    const [first] = sent(comparison.experiment(turnOf('t1', 'Name a bird'), columns, setup));
    assert.deepEqual(first, ['user: Hi', 'assistant: Hello', 'user: Name a bird']);
  });

  it("remembers the parameters of the comparison, without the settings and a prompt's own", () => {
    const comparison = new Comparison('k', columns);
    const first = turnOf('t1', 'Name a bird');
    const shared = { systemPrompt: 'Be short.' };
    const options = { ...shared, temperature: 0.2 };
    const experiment = comparison.experiment(first, columns, { ...setup, options, shared });
    const [read, old] = [experiment, comparison.experiment(first, columns, setup)].map((each) => {
      const stored = v.parse(experimentSchema, JSON.parse(JSON.stringify(each)));
      return Comparison.of('k', [storedTurn(stored, ['Kestrel', 'Robin'])]);
    });
    assert.deepEqual([read?.shared, old?.shared], [shared, {}]);
  });

  it("asks a question again with a prompt's own parameters, after a reload too, but not the next one", () => {
    const comparison = new Comparison('k', columns);
    const first = { ...turnOf('t1', 'Name a bird'), options: { systemPrompt: 'Be short.', temperature: 0 } };
    const written = comparison.experiment(first, columns, setup);
    const stored = v.parse(experimentSchema, JSON.parse(JSON.stringify(written)));
    const read = Comparison.of('k', [storedTurn(stored, ['Kestrel', 'Robin'])]);
    const [again = assert.fail()] = read.turns;
    for (const experiment of [written, stored, read.experiment(again, columns, setup)])
      assert.deepEqual(experiment.options, first.options);
    assert.deepEqual(read.experiment(turnOf('t2', 'Another'), columns, setup).options, setup.options);
    assert.deepEqual(read.shared, {});
  });

  it('is the same after being read from disk, and continues from there', () => {
    const comparison = new Comparison('k', columns);
    const first = turnOf('t1', 'Name a bird');
    const one = comparison.experiment(first, columns, setup);
    comparison.setTurn(first);
    const changed = [{ id: 'c1', model: 'local/other' }];
    const again = comparison.experiment(first, changed, { ...setup, unique: 'y' });
    const reopened = Comparison.of('k', [
      storedTurn(again, ['Robin'], 20),
      storedTurn(one, ['Kestrel', undefined], 10),
    ]);
    assert.deepEqual(
      reopened.columns.map(({ id, model }) => [id, model]),
      [
        ['c1', 'local/other'],
        ['c2', 'local/fast'],
      ],
    );
    assert.deepEqual(
      reopened.replies.map(({ columnId, model, text, state }) => [columnId, model, text, state]),
      [
        ['c1', 'local/other', 'Robin', 'done'],
        ['c2', 'local/fast', '', 'interrupted'],
      ],
    );
    assert.equal(reopened.title, 'Name a bird');
    assert.deepEqual(sent(reopened.experiment(turnOf('t2', 'Another'), reopened.columns, setup)), [
      ['user: Name a bird', 'assistant: Robin', 'user: Another'],
      ['user: Another'],
    ]);
  });

  it('distinguishes replies that another window is working on from those that were cut off with theirs', () => {
    const comparison = new Comparison('k', columns);
    const experiment = comparison.experiment(turnOf('t1', 'Name a bird'), columns, setup);
    const of = (stored: StoredTurn) => {
      const read = Comparison.of('k', [stored]);
      return [read.replies.map(({ columnId, state }) => `${columnId} ${state}`), read.isRunning('c2')];
    };
    assert.deepEqual(of(storedTurn(experiment, ['Kestrel', undefined], 10, true)), [['c1 done', 'c2 elsewhere'], true]);
    assert.deepEqual(of(storedTurn(experiment, ['Kestrel', undefined], 10, false)), [
      ['c1 done', 'c2 interrupted'],
      false,
    ]);
    // One after another: the second one's turn is still to come.
    const first = new ExperimentLog();
    first.apply({ type: 'created', version: 1, experiment, writer: 'w', at: 5 });
    first.apply({ type: 'sending', run: 'r', attempt: 'a', request: 'c1.m0.p0.r0', writer: 'w', at: 5 });
    const states = first.states(() => true);
    assert.deepEqual(of({ experiment, log: first, createdAt: 10, states, isRunning: true }), [
      ['c1 elsewhere', 'c2 elsewhere'],
      true,
    ]);
  });
});
