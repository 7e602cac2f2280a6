import assert from 'node:assert/strict';
import { participantPrompt } from '../../../../src/vscode/participant/participantPrompt.ts';

const code = { name: 'src/a.ts', language: 'typescript', text: 'let a = 1;' };

describe('The words of a turn with @parlance', () => {
  it("are the user's own without a command", () => {
    assert.equal(participantPrompt(undefined, ' Why? ', []), 'Why?');
  });

  it('have the task of the command first, then the words, then the code', () => {
    const prompt = participantPrompt('explain', 'In short.', [code]);
    assert.match(prompt, /^Explain this code.*\n\nIn short\.\n\nsrc\/a\.ts\n```typescript\nlet a = 1;\n```$/);
  });

  it('name each attached file', () => {
    const prompt = participantPrompt('fix', '', [code, { ...code, name: 'src/b.ts' }]);
    assert.ok(prompt.includes('src/a.ts\n```') && prompt.includes('src/b.ts\n```'));
  });

  it('keep code with fences in it in one piece', () => {
    const prompt = participantPrompt('tests', '', [{ ...code, text: '````md\n```\n````' }]);
    assert.ok(prompt.endsWith('`````typescript\n````md\n```\n````\n`````'));
  });

  it('name what the turns before sent, and give again only what has changed since', () => {
    const changed = { ...code, text: 'let a = 2;' };
    assert.equal(participantPrompt(undefined, 'And b?', [code], [code]), 'And b?\n\nsrc/a.ts: the same as above');
    assert.match(participantPrompt(undefined, 'And b?', [changed], [code]), /```typescript\nlet a = 2;\n```$/);
  });

  it("say of a file that isn't whole that it isn't", () => {
    const prompt = participantPrompt(undefined, '', [{ ...code, isCut: true }]);
    assert.equal(prompt, 'src/a.ts (only its start)\n```typescript\nlet a = 1;\n```');
  });

  it('take a command that is none as no command', () => {
    assert.equal(participantPrompt('constructor', 'Hi', []), 'Hi');
  });

  it('keep what surrounds the code apart from it, and say that once in a conversation', () => {
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
