import assert from 'node:assert/strict';
import { participantPrompt } from '../../../../src/vscode/participant/participantPrompt.ts';

const code = { name: 'src/a.ts', language: 'typescript', text: 'let a = 1;' };

describe('The text of a turn with @parlance', () => {
  it("is the user's own without a command", () => {
    assert.equal(participantPrompt(undefined, ' Why? ', []), 'Why?');
  });

  it('has the task of the command first, then the text, then the code', () => {
    const prompt = participantPrompt('explain', 'In short.', [code]);
    assert.match(prompt, /^Explain this code.*\n\nIn short\.\n\nsrc\/a\.ts\n```typescript\nlet a = 1;\n```$/);
  });

  it('names each attached file', () => {
    const prompt = participantPrompt('fix', '', [code, { ...code, name: 'src/b.ts' }]);
    assert.ok(prompt.includes('src/a.ts\n```') && prompt.includes('src/b.ts\n```'));
  });

  it('keeps code with fences in it in one piece', () => {
    const prompt = participantPrompt('tests', '', [{ ...code, text: '````md\n```\n````' }]);
    assert.ok(prompt.endsWith('`````typescript\n````md\n```\n````\n`````'));
  });

  it('names what earlier turns sent, and only repeats what has changed since', () => {
    const changed = { ...code, text: 'let a = 2;' };
    assert.equal(participantPrompt(undefined, 'And b?', [code], [code]), 'And b?\n\nsrc/a.ts: the same as above');
    assert.match(participantPrompt(undefined, 'And b?', [changed], [code]), /```typescript\nlet a = 2;\n```$/);
  });

  it('says that a file is incomplete', () => {
    const prompt = participantPrompt(undefined, '', [{ ...code, isCut: true }]);
    assert.equal(prompt, 'src/a.ts (only its start)\n```typescript\nlet a = 1;\n```');
  });

  it('treats an unknown command like none', () => {
    assert.equal(participantPrompt('constructor', 'Hi', []), 'Hi');
  });

  it('keeps the surrounding code separate, and says that once per conversation', () => {
    const around = { name: 'Imports: src/a.ts, line 1', language: 'typescript', text: 'import b;', isReference: true };
    assert.match(
      participantPrompt(undefined, 'Why?', [around, code]),
      /^Why\?\n\nFor reference, [^\n]+:\n\nImports: src\/a\.ts, line 1\n```typescript\nimport b;\n```\n\nEnd of the reference\.\n\nsrc\/a\.ts\n```typescript\nlet a = 1;\n```$/,
    );
    assert.equal(
      participantPrompt(undefined, 'Why?', [around, code], [around, code]),
      'Why?\n\nsrc/a.ts: the same as above',
    );
  });
});
