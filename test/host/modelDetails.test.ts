import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ModelCatalog } from '../../src/core/models/modelCatalog.ts';
import { ModelCatalogs } from '../../src/core/models/modelCatalogs.ts';
import { modelRef } from '../../src/shared/modelRef.ts';
import { ModelDetails } from '../../src/vscode/models/modelDetails.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';

const never = () => ({ dispose: () => undefined });
const fetchedAt = { one: Date.UTC(2026, 0, 2, 12), two: Date.UTC(2026, 5, 7, 12) };

describe('The page of a model', () => {
  const { createWebviewPanel } = vscode.window;
  let panel: vscode.WebviewPanel;
  let catalog: ModelCatalogs;
  let details: ModelDetails;

  before(async () => {
    Object.assign(vscode.window, {
      createWebviewPanel: (...given: Parameters<typeof createWebviewPanel>) => (panel = createWebviewPanel(...given)),
    });
    catalog = new ModelCatalogs();
    catalog.set(
      new Map(
        (['one', 'two'] as const).map((id) => {
          const models = [{ id: 'kestrel/sparrow', raw: { id: 'kestrel/sparrow' } }];
          const store = {
            read: () => Promise.resolve({ models, fetchedAt: fetchedAt[id] }),
            write: () => Promise.resolve(),
          };
          const around = { id, store, stated: () => ({}), service: () => `https://${id}.test/v1`, now: () => 0 };
          return [id, new ModelCatalog({ ...around, list: () => Promise.resolve([]) })];
        }),
      ),
    );
    await catalog.load();
    details = new ModelDetails({
      catalog,
      marks: { isFavorite: () => false, isHidden: () => false, onDidChange: () => () => undefined } as never,
      measured: { figures: () => undefined, onDidChange: never },
      votes: {} as never,
      refreshAfterMinutes: { value: 0, onDidChange: never },
      extensionUri: vscode.extensions.getExtension('parlance.parlance')?.extensionUri ?? assert.fail(),
      defaultModel: () => undefined,
      onDidChangeDefaultModel: never,
    });
  });
  after(() => {
    Object.assign(vscode.window, { createWebviewPanel });
    useServiceNames({});
    details.dispose();
    catalog.dispose();
  });

  it("names the model's service if there are several, and follows a rename", async () => {
    useServiceNames({ one: 'One', two: 'Two' });
    details.show(modelRef('two', 'kestrel/sparrow'));
    assert.equal(panel.title, 'sparrow (Two)');
    useServiceNames({ one: 'One', two: 'Garage' });
    await Promise.resolve();
    assert.equal(panel.title, 'sparrow (Garage)');
    useServiceNames({ two: 'Garage' });
    await Promise.resolve();
    assert.equal(panel.title, 'sparrow');
  });

  it("says when its own service's list was fetched", () => {
    for (const id of ['one', 'two'] as const) {
      details.show(modelRef(id, 'kestrel/sparrow'));
      const shown = new Date(fetchedAt[id]).toLocaleString(vscode.env.language);
      assert.ok(panel.webview.html.includes(`As listed on ${shown}.`), id);
    }
  });
});
