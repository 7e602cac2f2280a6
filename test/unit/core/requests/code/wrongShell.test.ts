import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CodeRequest } from '../../../../../src/core/requests/code/codeRequest.ts';
import { asPowerShell } from '../../../../../src/core/requests/code/powershell.ts';

const content = [
  'say "& echo x>pwned1 &" and | echo x>pwned2 & %COMSPEC% ^& "" & echo x>pwned3',
  '& echo x>pwned4',
  '\\" & echo x>pwned5 & \\\\" & echo x>pwned6 & "',
  "' & echo x>pwned7 & '",
].join('\n');
const request: CodeRequest = {
  operation: 'chat',
  keyVariable: 'SERVICE_API_KEY',
  method: 'POST',
  url: 'https://api.example.test/v1/chat/completions',
  body: { model: 'local/echo', messages: [{ role: 'user', content }], stream: false },
};

/** What is outside of double quotes, the only text that cmd.exe doesn't take as a whole. Each line is a command of its own. */
const outsideQuotes = (line: string) => line.split('"').filter((_part, index) => index % 2 === 0);

describe('Code for PowerShell that is pasted into cmd.exe', () => {
  it('has no text of the request outside of quotes, and no variables', () => {
    const code = asPowerShell(request);
    const body = code.slice(code.indexOf("'") + 1, code.lastIndexOf("' | curl.exe"));
    assert.deepEqual(JSON.parse(body.replaceAll("''", "'")), request.body);
    for (const line of body.split('\n')) {
      assert.doesNotMatch(outsideQuotes(line).join(''), /[&|<>^]|pwned/);
      assert.doesNotMatch(line, /%/);
    }
  });

  it('runs nothing that is written in the request', async function () {
    if (process.platform !== 'win32') this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'parlance-cmd-'));
    try {
      const cmd = spawn('cmd.exe', [], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
      cmd.stdin.end(`echo x>ran\r\n${asPowerShell(request).replaceAll('\n', '\r\n')}\r\nexit\r\n`);
      await once(cmd, 'close');
      assert.deepEqual(await readdir(folder), ['ran']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
