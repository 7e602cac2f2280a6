import assert from 'node:assert/strict';
import { experimentForecast } from '../../../../src/core/experiments/experimentForecast.ts';
import { measureDefaults, quickPreset } from '../../../../src/core/measuring/measureDefaults.ts';
import { plannedMeasurement } from '../../../../src/core/measuring/plannedMeasurement.ts';
import type { MeasureField, MeasureForm } from '../../../../src/shared/measuring.ts';
import { listedModel } from '../experiments/someExperiment.ts';

const model = 'kestrel/sparrow';
const deps = { modelOf: () => listedModel({ id: model, contextWindow: 8192 }) };

function formOf(changes: Partial<MeasureForm> = {}, fields: Partial<Record<MeasureField, string>> = {}): MeasureForm {
  const base = { ...measureDefaults, models: [{ id: model }], ...changes };
  return { ...base, fields: { ...base.fields, ...fields } };
}

function faultsOf(changes: Partial<MeasureForm>, fields: Partial<Record<MeasureField, string>> = {}) {
  const { experiment, faults } = plannedMeasurement({ form: formOf(changes, fields), hostOf: () => 'h' }, 'id', deps);
  assert.equal(experiment === undefined, faults.length > 0);
  return faults.map(({ at, text }) => `${at}: ${text}`);
}

describe('A planned measurement', () => {
  it('sends what the form says', () => {
    const fields = {
      repeats: '3',
      warmUp: '2',
      concurrency: '4 1;4',
      maxTokens: '64',
      limitCost: '0,5',
      goodFirstSeconds: '0.4',
    };
    const { experiment } = plannedMeasurement(
      { form: formOf({}, fields), hostOf: () => 'inference.example' },
      'x',
      deps,
    );
    assert.ok(experiment !== undefined);
    assert.deepEqual(experiment.concurrency, [1, 4]);
    assert.deepEqual(experiment.limits, { cost: 0.5 });
    assert.deepEqual(experiment.target, { firstMs: 400 });
    assert.deepEqual(experiment.options, { stream: true, maxTokens: 64 });
    assert.equal(experiment.hasUniquePrefix, true);
    assert.equal(experiment.id, 'measurement-x');
    assert.equal(experimentForecast(experiment, deps).requests, 3 * 2 + 2);
  });

  it('asks the prompt of a file or request as it was selected', () => {
    const taken = { name: 'review', messages: [{ role: 'user', content: 'Review this.' } as const] };
    const { experiment } = plannedMeasurement(
      { form: formOf({ workload: 'promptFile' }), taken, hostOf: () => '' },
      'x',
      deps,
    );
    assert.deepEqual(experiment?.prompts, [{ id: 'promptFile', title: 'review', messages: taken.messages }]);
  });

  it('has at most 100,000 requests', () => {
    const models = Array.from({ length: 5 }, (_, index) => ({ id: `${model}-${index}` }));
    const fields = { repeats: '9999', concurrency: '1, 2', warmUp: '2' };
    assert.deepEqual(faultsOf({ models }, fields), []);
    assert.deepEqual(faultsOf({ models }, { ...fields, warmUp: '3' }), ['repeats: At most 100,000 requests in all']);
  });

  it("can't start without a model, with the same one twice, with too many, or with one that can't chat", () => {
    assert.deepEqual(faultsOf({ models: [] }), ['models: Add at least one model.']);
    assert.deepEqual(faultsOf({ models: [{ id: model }, { id: model }] }), [`models: ${model} is listed twice.`]);
    const many = Array.from({ length: 51 }, (_, index) => ({ id: `${model}-${index}` }));
    assert.deepEqual(faultsOf({ models: many }), ['models: At most 50 models']);
    assert.deepEqual(faultsOf({ models: many.slice(1) }), []);
    const image = { modelOf: () => listedModel({ id: model, kind: 'image' }) };
    const { faults } = plannedMeasurement({ form: formOf(), hostOf: () => 'h' }, 'id', image);
    assert.deepEqual(faults, [{ at: 'models', text: `${model} doesn't support chat.` }]);
  });

  it("can't start with invalid numbers, and reports each field", () => {
    assert.deepEqual(faultsOf({}, { repeats: '0', limitRequests: '0', concurrency: '1, x', limitMinutes: '-1' }), [
      'limitRequests: A whole number, 1 or more',
      'limitMinutes: A number above 0',
      'repeats: A whole number from 1 to 10,000',
      'concurrency: A whole number from 1 to 256',
    ]);
    assert.deepEqual(faultsOf({}, { concurrency: ' ' }), [
      'concurrency: Enter how many requests run at once, for example 1, 4, 16.',
    ]);
    assert.deepEqual(faultsOf({}, { repeats: '1000000000' }), ['repeats: A whole number from 1 to 10,000']);
  });

  it("can't start without a prompt, or with one that exceeds the context window", () => {
    assert.deepEqual(faultsOf({ workload: 'ownText', ownText: '  ' }), [
      'prompt: Enter or select what each request asks.',
    ]);
    assert.deepEqual(faultsOf({ workload: 'request' }), ['prompt: Enter or select what each request asks.']);
    const [fault] = faultsOf({ workload: 'ownText', ownText: 'word '.repeat(10_000) });
    assert.match(
      fault ?? '',
      /^prompt: The prompt has ≈ 12,5\d\d tokens, more than the context window of kestrel\/sparrow/,
    );
  });

  it("can't limit the cost of a model without a price", () => {
    const unpriced = { modelOf: () => undefined };
    const { faults } = plannedMeasurement({ form: formOf({}, { limitCost: '1' }), hostOf: () => 'h' }, 'id', unpriced);
    assert.deepEqual(
      faults.map(({ at }) => at),
      ['limitCost'],
    );
  });

  it('has a long input of about 2,000 tokens, each paragraph different', () => {
    const { experiment } = plannedMeasurement(
      { form: formOf({ workload: 'longInput' }), hostOf: () => 'h' },
      'id',
      deps,
    );
    assert.ok(experiment !== undefined);
    const { promptTokens, requests } = experimentForecast({ ...experiment, hasUniquePrefix: false }, deps);
    assert.ok(promptTokens / requests > 1500 && promptTokens / requests < 2500, String(promptTokens / requests));
  });

  it('with the quick preset takes less than a minute per model, whatever its speed', () => {
    const { experiment } = plannedMeasurement({ form: quickPreset(formOf()), hostOf: () => 'h' }, 'id', deps);
    assert.ok((experiment?.limits.minutes ?? 2) < 1);
    assert.equal(experiment && experimentForecast(experiment, deps).requests, 17);
  });

  it('with the quick preset keeps everything that has nothing to do with how long it takes', () => {
    const form = formOf({ workload: 'ownText', ownText: 'Name a bird' }, { limitCost: '0.5', goodFirstSeconds: '2' });
    const { fields, ...rest } = quickPreset(form);
    const { fields: before, ...restBefore } = form;
    assert.deepEqual(rest, restBefore);
    const changed = Object.entries(fields).flatMap(([name, value]) =>
      value === before[name as keyof typeof before] ? [] : [name],
    );
    assert.deepEqual(changed.toSorted(), ['concurrency', 'limitMinutes', 'maxTokens', 'repeats']);
  });
});
