import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ModelIndex } from '../../src/core/models/modelIndex.ts';
import { readServices } from '../../src/core/services/readServices.ts';
import { modelRef } from '../../src/shared/modelRef.ts';
import { setModelDetails } from '../../src/vscode/models/setModelDetails.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

describe('What a user says about a model', () => {
  const { createQuickPick, showInputBox, showQuickPick } = vscode.window;
  afterEach(async () => {
    Object.assign(vscode.window, { createQuickPick, showInputBox, showQuickPick });
    await clearUserSettings();
  });

  const written = (): unknown => vscode.workspace.getConfiguration().inspect('parlance.services')?.globalValue;

  /** Selects a field and enters its value, or nothing to use the one in the list. */
  async function enter(
    model: string,
    text: string,
    field = 'Context window',
    whileOpen?: () => Promise<void>,
  ): Promise<void> {
    const picks = [field, undefined];
    Object.assign(vscode.window, {
      showQuickPick: (rows: readonly { readonly label: string }[]) => {
        const label = picks.shift();
        return Promise.resolve(rows.find((row) => row.label === label));
      },
      showInputBox: async () => {
        await whileOpen?.();
        return text;
      },
    });
    const value = readServices(written()).entries.find(({ id }) => id === 'two') ?? assert.fail('no service');
    await setModelDetails(modelRef('two', model), {
      services: { for: () => ({ id: 'two', entry: { value } }) as never },
      catalog: { index: new ModelIndex([], []) },
    });
  }

  it('replaces nothing that was written by hand about others, even if it has an error', async () => {
    const byHand = { 'maker/one': { contextWindow: '8k', note: 'ask Kim' }, 'maker/two': { inputPrice: 0.5 } };
    const first = { id: 'service', baseUrl: 'https://one.test/v1', models: { 'maker/one': { inputPrice: 1 } } };
    const second = { id: 'two', baseUrl: 'https://two.test/v1', future: 1 };
    await setUserSettings({ 'parlance.services': [first, { ...second, models: byHand }] });
    await enter('maker/three', '32768');
    const withThree = { ...byHand, 'maker/three': { contextWindow: 32_768 } };
    assert.deepEqual(written(), [first, { ...second, models: withThree }]);
    await enter('maker/two', '4096');
    const withTwo = { ...withThree, 'maker/two': { inputPrice: 0.5, contextWindow: 4096 } };
    assert.deepEqual(written(), [first, { ...second, models: withTwo }]);
    await enter('maker/three', '');
    const { 'maker/three': _gone, ...left } = withTwo;
    assert.deepEqual(written(), [first, { ...second, models: left }]);
  });

  it('leaves what another window sets while the box is open', async () => {
    const service = { id: 'two', baseUrl: 'https://two.test/v1' };
    await setUserSettings({ 'parlance.services': [{ ...service, models: { 'maker/one': { inputPrice: 1 } } }] });
    const elsewhere = { 'maker/one': { inputPrice: 2, outputPrice: 3 }, 'maker/two': { inputPrice: 4 } };
    await enter('maker/one', '4096', 'Context window', () =>
      setUserSettings({ 'parlance.services': [{ ...service, models: elsewhere }] }),
    );
    const both = { ...elsewhere['maker/one'], contextWindow: 4096 };
    assert.deepEqual(written(), [{ ...service, models: { ...elsewhere, 'maker/one': both } }]);
  });

  it('takes what it supports from a list, and nothing checked leaves that to the service', async () => {
    await setUserSettings({ 'parlance.services': [{ id: 'two', baseUrl: 'https://two.test/v1' }] });
    const shown: string[][] = [];
    const check = (...labels: readonly string[]): void => {
      const accepted = new vscode.EventEmitter<void>();
      const pick = {
        items: [] as readonly { readonly label: string }[],
        selectedItems: [] as readonly { readonly label: string }[],
        onDidAccept: accepted.event,
        onDidHide: new vscode.EventEmitter<void>().event,
        show: () => {
          shown.push(pick.selectedItems.map(({ label }) => label));
          pick.selectedItems = pick.items.filter(({ label }) => labels.includes(label));
          accepted.fire();
        },
        dispose: () => undefined,
      };
      Object.assign(vscode.window, { createQuickPick: () => pick });
    };
    check('Chat', 'Image input');
    await enter('maker/one', '', 'What it supports');
    assert.deepEqual(written(), [
      { id: 'two', baseUrl: 'https://two.test/v1', models: { 'maker/one': { supports: ['chat', 'imageInput'] } } },
    ]);
    check();
    await enter('maker/one', '', 'What it supports');
    assert.deepEqual(written(), [{ id: 'two', baseUrl: 'https://two.test/v1' }]);
    assert.deepEqual(shown, [[], ['Chat', 'Image input']]);
  });
});
