import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { unusedPort } from '../../workbench/unusedPort.ts';

describe('A port on which nothing listens', () => {
  it('refuses connections, and no other server can get it', async () => {
    const port = await unusedPort();
    const [refusal] = await once(connect(port, '127.0.0.1'), 'error');
    assert.equal(refusal.code, 'ECONNREFUSED');
    const [taken] = await once(createServer().listen(port, '127.0.0.1'), 'error');
    assert.equal(taken.code, 'EADDRINUSE');
  });
});
