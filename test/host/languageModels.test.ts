import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { encodePng } from '../service/pictures/encodePng.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { isLowestHost } from './lowestHost.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const user = (content: string | (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[]) =>
  vscode.LanguageModelChatMessage.User(content);

const weather: vscode.LanguageModelChatTool = {
  name: 'get_weather',
  description: 'Weather of a place.',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};

/** IDs of Parlance's models as VS Code lists them. */
async function offered(): Promise<readonly string[]> {
  return (await vscode.lm.selectChatModels({ vendor: 'parlance' })).map(({ id }) => id);
}

async function model(id: string): Promise<vscode.LanguageModelChat> {
  await setUserSettings({ 'parlance.chat.model': id });
  const [found] = await vscode.lm.selectChatModels({ vendor: 'parlance', id });
  return found ?? assert.fail(`${id} is not offered`);
}

async function partsOf(response: vscode.LanguageModelChatResponse): Promise<readonly unknown[]> {
  const parts: unknown[] = [];
  for await (const part of response.stream) parts.push(part);
  return parts;
}

function textOf(parts: readonly unknown[]): string {
  return parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe("Models for VS Code's own chat", () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: 400 });
    process.env['SERVICE_API_KEY'] = service.apiKey;
  });
  beforeEach(() => setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }] }));
  afterEach(clearUserSettings);
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    await service.close();
  });

  it("don't exist, and nothing is asked or shown, while no service is set up", async () => {
    await clearUserSettings();
    const earlier = service.log().length;
    assert.deepEqual(await offered(), []);
    assert.equal(service.log().length, earlier);
  });

  it("are the whole model list if the setting says so, fetched once, with room for a reply; VS Code's lookups send nothing", async () => {
    const earlier = service.log().length;
    assert.deepEqual(await offered(), []);
    assert.equal(service.log().length, earlier);
    // An action of the user.
    await setUserSettings({ 'parlance.models.showInVSCodeChat': 'all' });
    let ids: readonly string[] = [];
    const look = async () => (ids = await offered());
    await eventually('the catalog is there', () => {
      void look();
      return ids.includes('local/writer') && ids.includes('harbor/quill-vision-11b');
    });
    assert.equal(service.log().length, earlier + 1);
    assert.ok(!ids.includes('local/video') && !ids.includes('local/transcriber'));
    assert.equal(new Set(ids).size, ids.length);
    const small = await model('local/small');
    // Its context window is 256 tokens, and so is its longest reply.
    assert.equal(small.maxInputTokens, 128);
    await setUserSettings({ 'parlance.models.showInVSCodeChat': undefined });
  });

  it('are the default model and the favorites by default', async () => {
    await setUserSettings({ 'parlance.chat.model': 'local/echo' });
    await vscode.commands.executeCommand('parlance.addFavoriteModel', 'kestrel/sparrow');
    const ids = await offered();
    assert.deepEqual([...ids].toSorted(), ['kestrel/sparrow', 'local/echo']);
    await vscode.commands.executeCommand('parlance.removeFavoriteModel', 'kestrel/sparrow');
  });

  it('stream their reply, with the three token counts at the end', async () => {
    const echo = await model('local/echo');
    const parts = await partsOf(await echo.sendRequest([user('Hello, you there')]));
    assert.equal(textOf(parts), 'Hello, you there');
    const usage = parts.find((part) => part instanceof vscode.LanguageModelDataPart && part.mimeType === 'usage');
    assert.ok(usage instanceof vscode.LanguageModelDataPart);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(usage.data)), {
      prompt_tokens: 4,
      completion_tokens: 4,
      total_tokens: 8,
    });
  });

  it('return words one by one, not all at the end', async () => {
    const writer = await model('local/writer');
    const parts = await partsOf(await writer.sendRequest([user('Write 200 tokens')]));
    assert.ok(parts.filter((part) => part instanceof vscode.LanguageModelTextPart).length > 3);
  });

  it('fail when the token limit cuts off the reply, unless the caller set the limit', async () => {
    const small = await model('local/small');
    const asked = async (options: vscode.LanguageModelChatRequestOptions) =>
      partsOf(await small.sendRequest([user('word '.repeat(180))], options));
    await assert.rejects(asked({}), /token limit/);
    await asked({ modelOptions: { max_tokens: 5 } });
    assert.equal(service.log().at(-1)?.finishReason, 'length');
  });

  it('stop on cancel, and the service notices', async function () {
    // It doesn't report a cancellation once the reply has begun.
    if (isLowestHost) this.skip();
    const slow = await model('local/slow');
    const cancellation = new vscode.CancellationTokenSource();
    const response = await slow.sendRequest([user('Write 500 tokens')], {}, cancellation.token);
    const read = partsOf(response).catch((error: unknown) => error);
    await eventually('the request is at the service', () => service.log().at(-1)?.model === 'local/slow');
    cancellation.cancel();
    await read;
    await eventually('the service saw the cancel', () => service.log().at(-1)?.outcome === 'canceled');
  });

  it('call a tool and reply with its result', async () => {
    const caller = await model('local/caller');
    assert.equal(caller.id, 'local/caller');
    const question = user('Call get_weather {"place":"Zürich"}');
    const parts = await partsOf(await caller.sendRequest([question], { tools: [weather] }));
    const call = parts.find((part) => part instanceof vscode.LanguageModelToolCallPart);
    assert.ok(call instanceof vscode.LanguageModelToolCallPart);
    assert.deepEqual([call.name, call.input], ['get_weather', { place: 'Zürich' }]);

    const answer = vscode.LanguageModelChatMessage.User([
      new vscode.LanguageModelToolResultPart(call.callId, [new vscode.LanguageModelTextPart('12 °C, rain')]),
    ]);
    const asked = vscode.LanguageModelChatMessage.Assistant([new vscode.LanguageModelTextPart(textOf(parts)), call]);
    const reply = await caller.sendRequest([question, asked, answer], { tools: [weather] });
    assert.equal(textOf(await partsOf(reply)), 'The tool gave: 12 °C, rain');
  });

  it('get back what their service sent with a call, and no other model does', async () => {
    const caller = await model('local/caller');
    const question = user('Think, then call get_weather {"place":"Zürich"}');
    const parts = await partsOf(await caller.sendRequest([question], { tools: [weather] }));
    const call = parts.find((part) => part instanceof vscode.LanguageModelToolCallPart);
    assert.ok(call instanceof vscode.LanguageModelToolCallPart);
    const result = new vscode.LanguageModelToolResultPart(call.callId, [new vscode.LanguageModelTextPart('Rain')]);
    const messages = [
      question,
      vscode.LanguageModelChatMessage.Assistant([call]),
      vscode.LanguageModelChatMessage.User([result]),
    ];
    const asked = async (other: vscode.LanguageModelChat) => {
      await partsOf(await other.sendRequest(messages, { tools: [weather] }));
      const body = service.log().at(-1)?.requestBody;
      assert.ok(typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages));
      return JSON.stringify(body.messages[1]);
    };
    const returned = await asked(caller);
    assert.match(returned, /"reasoning_content":"1 to call\."/);
    assert.match(returned, /"extra_content":\{"google":\{"thought_signature":"signed call_/);
    assert.match(returned, /"reasoning_details":\[\{"type":"reasoning\.encrypted","data":"signed call_/);
    assert.doesNotMatch(await asked(await model('local/echo')), /reasoning_|extra_content/);
  });

  it('call a tool if one is required', async () => {
    const caller = await model('local/caller');
    const options = { tools: [weather], toolMode: vscode.LanguageModelChatToolMode.Required };
    const parts = await partsOf(await caller.sendRequest([user('Hello')], options));
    assert.ok(parts.some((part) => part instanceof vscode.LanguageModelToolCallPart));
  });

  it('receive images', async () => {
    const vision = await model('local/vision');
    const png = await encodePng(5, 4, new Uint8Array(5 * 4 * 3));
    const parts = [
      new vscode.LanguageModelTextPart('What is it?'),
      vscode.LanguageModelDataPart.image(png, 'image/png'),
    ];
    const text = textOf(await partsOf(await vision.sendRequest([user(parts)])));
    assert.match(text, /^Picture 1: PNG, 5 × 4 pixels/);
    assert.match(text, /The words with it: What is it\?/);
    assert.match(service.log().at(-1)?.path ?? '', /multimodal\/chat$/);
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl, imageApi: 'compatible' }] });
    await partsOf(await vision.sendRequest([user(parts)]));
    assert.match(service.log().at(-1)?.path ?? '', /v1\/chat\/completions$/);
  });

  const failures: readonly (readonly [string, string])[] = [
    ['local/error-401', 'NoPermissions'],
    ['local/error-403', 'NoPermissions'],
    ['local/error-402', 'Blocked'],
    ['local/error-404', 'NotFound'],
    ['local/error-400', 'Unknown'],
    ['local/fault-unfinished', 'Unknown'],
  ];
  for (const [id, code] of failures) {
    it(`fail as VS Code expects: ${id} is ${code}, with our message`, async () => {
      const broken = await model(id);
      const failed = async () => partsOf(await broken.sendRequest([user('Hello')]));
      await assert.rejects(failed, (error: unknown) => {
        assert.ok(error instanceof vscode.LanguageModelError, String(error));
        assert.equal(error.code === '' ? 'Unknown' : error.code, code, error.message);
        assert.match(error.message, /\. |early/);
        return true;
      });
    });
  }

  it('count tokens, and more of them for a longer text', async () => {
    const echo = await model('local/echo');
    const short = await echo.countTokens('Four words, no more');
    const long = await echo.countTokens(user('Four words, no more. '.repeat(10)));
    assert.ok(short > 3 && short < 12, String(short));
    assert.ok(long > 5 * short);
  });
});
