import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../src/webview/chat/', import.meta.url));

describe('The styles of the chat', () => {
  it('never search everything that a conversation contains: a browser does so for each frame', () => {
    const files = globSync(`${folder}*.css`);
    assert.ok(files.length > 5, `${files.length} files`);
    const found = files.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /\.(?:transcript|message|reply|answer|md)\b[^\s,{>+~]*:has\((?!\s*[>+~])/g,
        ),
      ].map(([selector]) => selector),
    );
    assert.deepEqual(found, []);
  });
});
