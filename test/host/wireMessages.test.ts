import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { wireMessages } from '../../src/vscode/languageModel/wireMessages.ts';

type Part = vscode.LanguageModelTextPart | vscode.LanguageModelDataPart;
const ofUser = (parts: (Part | vscode.LanguageModelToolResultPart)[]) => vscode.LanguageModelChatMessage.User(parts);
const ofModel = (parts: Part[]) => vscode.LanguageModelChatMessage.Assistant(parts);
const text = (words: string) => new vscode.LanguageModelTextPart(words);
const picture = (byte: number) => vscode.LanguageModelDataPart.image(new Uint8Array([byte]), 'image/png');
const sent = (byte: number) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${Buffer.from([byte]).toString('base64')}` },
});

describe("VS Code's messages on the wire", () => {
  it('contain the text of their text parts, unchanged', () => {
    const pieces = [text('Hel'), text('lo '), text('wor'), text('ld')];
    assert.deepEqual(wireMessages([ofUser(pieces), ofModel(pieces)]), [
      { role: 'user', content: 'Hello world' },
      { role: 'assistant', content: 'Hello world' },
    ]);
  });

  it('leave out the reasoning whose beginning a model left out', () => {
    const reply = ofModel([text('They greet.\n</think>\n'), text('\nHello')]);
    assert.deepEqual(wireMessages([reply]), [{ role: 'assistant', content: 'Hello' }]);
  });

  it("contain a tool's result as the tool returned it", () => {
    const result = new vscode.LanguageModelToolResultPart('one', [text('{"a":'), text('1}')]);
    assert.deepEqual(wireMessages([ofUser([result])]), [{ role: 'tool', tool_call_id: 'one', content: '{"a":1}' }]);
  });

  it('put attached text on its own lines', () => {
    const attached = vscode.LanguageModelDataPart.text('name: a', 'text/yaml');
    assert.deepEqual(wireMessages([ofUser([text('Look: '), attached, text('What is '), text('it?')])]), [
      { role: 'user', content: 'Look: \nname: a\nWhat is it?' },
    ]);
  });

  it("keep text and images in order, with a tool's result first", () => {
    const result = new vscode.LanguageModelToolResultPart('one', [text('Taken'), picture(1)]);
    const asked = ofUser([result, text('Before'), picture(2), text('after'), picture(3), text('and '), text('last')]);
    assert.deepEqual(wireMessages([asked]), [
      { role: 'tool', tool_call_id: 'one', content: 'Taken' },
      {
        role: 'user',
        content: [
          sent(1),
          { type: 'text', text: 'Before' },
          sent(2),
          { type: 'text', text: 'after' },
          sent(3),
          { type: 'text', text: 'and last' },
        ],
      },
    ]);
  });

  it('have reasoning with their tool calls, unless it is always empty', () => {
    const asked = (id: string) =>
      vscode.LanguageModelChatMessage.Assistant([new vscode.LanguageModelToolCallPart(id, 'f', {})]);
    const reasoningOf = (given: Readonly<Record<string, string>>) =>
      wireMessages(Object.keys(given).map(asked), ({ id }) => ({ reasoningContent: given[id] ?? '' })).map((message) =>
        'tool_calls' in message ? message.reasoning_content : assert.fail(),
      );
    assert.deepEqual(reasoningOf({ a: 'Hm', b: '' }), ['Hm', '']);
    assert.deepEqual(reasoningOf({ a: '', b: '' }), [undefined, undefined]);
  });

  it("don't exist if they're empty", () => {
    assert.deepEqual(wireMessages([ofUser([text('')]), ofModel([])]), []);
  });
});
