import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { capabilities, type PathFact, type ServiceFacts } from '../../../../src/api/service/serviceFacts.ts';
import { emptyEntry, type ServiceEntry } from '../../../../src/core/services/serviceEntry.ts';
import { supportOf } from '../../../../src/core/services/supportOf.ts';
import { reasonText, sourceText, supportedList, supportText } from '../../../../src/core/services/supportText.ts';

const day = 24 * 60 * 60 * 1000;
const there = (at = 0): PathFact => ({ isThere: true, why: 'answered', at });
const missing = (at = 0): PathFact => ({ isThere: false, why: 'noSuchPath', by: 'probe', at });
const support = (paths: ServiceFacts['paths'], entry: Partial<ServiceEntry> = {}, now = 0) =>
  capabilities.map((capability) => supportOf({ paths }, { ...emptyEntry, ...entry }, capability, now));
const words = (...given: Parameters<typeof support>) =>
  support(...given).map((row) => `${row.capability} ${row.through ?? 'not known'}`);

describe('What a service supports', () => {
  it('is unknown for a service about which nothing was learned, whatever its name', () => {
    const named = words({}, { name: 'OpenAI', baseUrl: 'https://api.openai.com/v1' });
    assert.deepEqual(
      named,
      capabilities.map((capability) => `${capability} not known`),
    );
    assert.deepEqual(support({}).map(reasonText), Array(6).fill(''));
  });

  it('is looked up in the native API first, and through the one that the settings select', () => {
    const both = { native: there(), compatible: there() };
    const paths = { chat: both, models: both, imageInput: both, imageGeneration: both, audio: both, video: both };
    assert.deepEqual(words(paths), [
      'chat compatible',
      'models native',
      'imageInput native',
      'imageGeneration native',
      'audio native',
      'video compatible',
    ]);
    const chosen = words(paths, { chatApi: 'native', imageApi: 'compatible', mediaApi: 'compatible' });
    assert.deepEqual(chosen, [
      'chat native',
      'models native',
      'imageInput compatible',
      'imageGeneration compatible',
      'audio compatible',
      'video compatible',
    ]);
  });

  it('is "no" only if every API that may be asked lacks it, with a note if a setting is the reason', () => {
    const paths: ServiceFacts['paths'] = {
      imageGeneration: { native: missing(), compatible: there() },
      audio: { native: missing() },
      video: { compatible: missing() },
    };
    const byName = (entry: Partial<ServiceEntry> = {}) =>
      Object.fromEntries(support(paths, entry).map((row) => [row.capability, row]));
    assert.equal(byName()['imageGeneration']?.through, 'compatible');
    const off = byName({ mediaApi: 'native' })['imageGeneration'];
    assert.ok(off);
    assert.deepEqual([off.through, off.isOffBySetting], ['not', true]);
    assert.match(reasonText(off), /is off\..*nativeUrl, nativeSegment, mediaApi/);
    // The other API wasn't asked for it.
    assert.equal(byName()['audio']?.through, undefined);
    const video = byName()['video'];
    assert.ok(video);
    assert.match(reasonText(video), /doesn't have this path\..*baseUrl/);
    assert.match(sourceText(video), /^Test Connection, /);
    assert.equal(supportText(video), 'Not supported');
  });

  it('lets a "no" expire after a week, because services gain features; a "yes" stays', () => {
    const paths = { video: { compatible: missing() }, models: { native: there() } };
    assert.ok(words(paths, {}, 6 * day).includes('video not'));
    assert.ok(words(paths, {}, 8 * day).includes('video not known'));
    assert.ok(words(paths, {}, 400 * day).includes('models native'));
  });

  it('is described in one line, with how it was learned', () => {
    const paths: ServiceFacts['paths'] = {
      chat: { compatible: there() },
      models: { compatible: there() },
      video: { compatible: { isThere: false, why: 'noSuchPath', at: 0 } },
    };
    assert.equal(supportedList({ paths }, emptyEntry, 0), 'chat, model list');
    const sources = support(paths).map((row) => sourceText(row).split(', ')[0]);
    assert.deepEqual(sources, ['Reply received', 'Model list requested', '', '', '', 'Request rejected']);
  });
});
