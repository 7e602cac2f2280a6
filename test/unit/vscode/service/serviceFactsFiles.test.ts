import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceFactsFiles } from '../../../../src/vscode/service/serviceFactsFiles.ts';

describe('What was learned about a service', () => {
  const service = 'https://api.example/v1';
  let folder: string;
  let errors: unknown[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-facts-'));
    errors = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const files = () => new ServiceFactsFiles(folder, (error) => errors.push(error));

  it('is available in the next window, for any model names', async () => {
    const first = files();
    first.learnedPath(service, 'audio', 'native', { isThere: false, why: 'noSuchPath', at: 1 });
    for (const model of ['maker/one', 'constructor']) first.learnedUsage(service, model, { is: 'given', at: 2 });
    first.learnedRefusal(service, 'maker/one', 'max_tokens', 3);
    first.learnedRefusal(service, 'maker/one', 'temperature', 3);
    first.forgotRefusal(service, 'maker/one', 'temperature');
    for (const model of ['maker/one', 'maker/two']) first.learnedImages(service, model, 4);
    first.learnedImages(service, 'maker/two', undefined);
    await first.settled();
    const { paths, usageByModel, fieldsByModel, imagesByModel } = await files().load(service);
    assert.deepEqual(paths, { audio: { native: { isThere: false, why: 'noSuchPath', at: 1 } } });
    assert.deepEqual(usageByModel?.['maker/one'], { is: 'given', at: 2 });
    assert.deepEqual(fieldsByModel, { 'maker/one': { max_tokens: 3 } });
    assert.deepEqual(imagesByModel, { 'maker/one': 4 });
    assert.deepEqual(errors, []);
  });

  it('from a version that knew one fact for all models is kept except for that', async () => {
    const first = files();
    const fact = { isThere: true, why: 'answered', at: 1 } as const;
    first.learnedPath(service, 'chat', 'compatible', fact);
    await first.settled();
    const [name = assert.fail()] = await readdir(folder);
    const paths = { chat: { compatible: fact } };
    await writeFile(join(folder, name), JSON.stringify({ version: 1, value: { paths, usage: 'never', usageAt: 1 } }));
    assert.deepEqual(await files().load(service), { paths });
    assert.deepEqual(errors, []);
  });
});
