import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startInferenceService, type InferenceService } from '../../service/inferenceService.ts';

const script = new URL('../../example/chat.ts', import.meta.url);

describe('The example', () => {
  let service: InferenceService;
  before(async () => {
    service = await startInferenceService({ apiKey: 'example-key' });
  });
  after(() => service.close());

  it('chats from Node with only the client', async () => {
    const env = {
      ...process.env,
      PARLANCE_BASE_URL: service.baseUrl,
      SERVICE_API_KEY: service.apiKey,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(script), 'Grüße aus Node'], { env });
    assert.equal(stdout, 'Grüße aus Node');
  });

  it('has fewer than 15 lines, and imports nothing but src/api', () => {
    const source = readFileSync(script, 'utf8');
    assert.ok(source.trimEnd().split('\n').length < 15);
    const imported = [...source.matchAll(/from ['"]([^'"]+)['"]/g)].map((match) => match[1]);
    assert.ok(imported.length > 0);
    for (const path of imported) assert.match(path ?? '', /^\.\.\/\.\.\/src\/api\//);
  });
});
