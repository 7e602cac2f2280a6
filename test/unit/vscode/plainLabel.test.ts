import assert from 'node:assert/strict';
import { plainLabel } from '../../../src/vscode/plainLabel.ts';

describe('Words from elsewhere in a label or a notification', () => {
  it('hold no icon and no link that VS Code would draw', () => {
    const label = plainLabel('$(trash) [Fix this](command:x) $ (a) [b] (c)');
    assert.doesNotMatch(label, /\$\(|\]\(/);
  });

  it('look as they did', () => {
    const words = '$(trash) [Fix this](command:x), and $5 [more]';
    assert.equal(plainLabel(words).replaceAll('\u200B', ''), words);
    assert.equal(plainLabel('maker/model 1.5 (new)'), 'maker/model 1.5 (new)');
  });
});
