import assert from 'node:assert/strict';
import { answeringWindow } from '../../../../src/vscode/participant/answeringModel.ts';

describe('The context window for @parlance', () => {
  const catalog = (windows: Readonly<Record<string, number>>) => {
    let isLoaded = false;
    return {
      load: async () => {
        isLoaded = true;
      },
      contextWindowOf: (model: string) => (isLoaded ? windows[model] : undefined),
    };
  };
  const other = { model: { vendor: 'copilot', id: 'gale', maxInputTokens: 1_000_000 } };
  const own = { model: { vendor: 'parlance', id: 'quill', maxInputTokens: 2000 } };

  it("is that of our model, even if another extension's is selected", async () => {
    assert.equal(await answeringWindow(own, 'quill', catalog({ quill: 4096 })), 2000);
    assert.equal(await answeringWindow(other, 'quill', catalog({ quill: 4096 })), 4096);
    assert.equal(await answeringWindow(other, 'quill', catalog({})), undefined);
    assert.equal(await answeringWindow(other, undefined, catalog({ quill: 4096 })), undefined);
  });
});
